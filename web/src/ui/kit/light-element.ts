// Elements without a shadow root. They render into their parent's tree, so that its style reaches
// their content.

import { LitElement } from 'lit';
import { adopt } from '../../dom/sheet.ts';

export abstract class LightElement extends LitElement {
  /** The sheets that its content needs. The tree around it gets them once. */
  static sheets: readonly CSSStyleSheet[] = [];

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    const { sheets } = this.constructor as typeof LightElement;
    for (const sheet of sheets) adopt(this.getRootNode(), sheet);
  }
}

/** A light element that updates in a task of its own, after the answers. */
export abstract class DeferredElement extends LightElement {
  protected override async scheduleUpdate(): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve));
    super.scheduleUpdate();
  }
}
