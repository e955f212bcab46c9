// The summary of the answers, which stays in view once the question and its verdict are out of it.

import { html, type PropertyDeclarations, type TemplateResult } from 'lit';
import { define } from '../../dom/define.ts';
import { LightElement } from '../kit/light-element.ts';

/** What is read of the verdict until it has gone [px]. */
const reach = 96;

class Staying extends LightElement {
  static override properties: PropertyDeclarations = {
    text: { attribute: false },
    stale: { attribute: false },
  };

  declare text: string;
  declare stale: boolean;
  private observer: IntersectionObserver | undefined;

  override connectedCallback(): void {
    super.connectedCallback();
    const question = (this.getRootNode() as ShadowRoot).querySelector('.asks');
    this.observer = new IntersectionObserver(
      // Of several that come at once, the last is how it is now.
      (entries) => {
        const { isIntersecting, boundingClientRect } = entries.at(-1)!;
        this.toggleAttribute('data-stays', !isIntersecting && boundingClientRect.bottom < 0);
      },
      { rootMargin: `${reach}px 0px 0px 0px` },
    );
    if (question) this.observer.observe(question);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.observer?.disconnect();
  }

  protected override render(): TemplateResult {
    return html`<p class="summary" ?data-stale=${this.stale}>${this.text}</p>`;
  }
}

export function staying(text: string, stale: boolean): TemplateResult {
  define('scaling-staying', Staying);
  return html`<scaling-staying .text=${text} .stale=${stale}></scaling-staying>`;
}
