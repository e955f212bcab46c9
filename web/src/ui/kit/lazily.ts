// How what loads on first use is drawn: itself, or that it is on its way, or that it can't be had.

import { html, nothing, type TemplateResult } from 'lit';
import { Lazy } from '../../engine/lazy.ts';
import { partOf, type Part, type PartTexts } from '../../i18n/dictionary.ts';
import type { Scope } from './scope.ts';

/** That these parts are on their way, or can't be had, and how to try again; else nothing. */
export function progressOf(
  { text, actions }: Scope,
  ...parts: readonly Lazy<unknown>[]
): TemplateResult | typeof nothing {
  const failed = parts.filter(({ state }) => state === 'failed');
  if (failed.length > 0) {
    return html`<p class="lazy" data-state="failed" role="alert">
      ${text.ui.notLoaded}
      <button
        type="button"
        class="retry"
        @click=${() => failed.forEach((part) => part.retry(actions))}
      >
        ${text.ui.retry}
      </button>
    </p>`;
  }
  const loading = parts.some(({ state }) => state === 'loading');
  return loading ? html`<p class="lazy" data-state="loading">${text.ui.loading}</p>` : nothing;
}

/** Draws with a part that loads on first use. */
export function lazily<T>(scope: Scope, part: Lazy<T>, draw: (part: T) => unknown): unknown {
  const value = part.use(scope.actions);
  return value === undefined ? progressOf(scope, part) : draw(value);
}

/** A feature that few readers ask for: its module, and its words in the reader's language. */
export class Feature<M, P extends Part> {
  readonly module: Lazy<M>;
  private words: PartTexts<P> | undefined;

  constructor(
    load: () => Promise<M>,
    private readonly part: P,
  ) {
    this.module = new Lazy(load);
  }

  /** Draws the feature once both are there; until then, and where they can't be had, nothing. */
  draw<D>(scope: Scope, draw: (words: PartTexts<P>, module: M) => D): D | typeof nothing {
    const texts = partOf(scope.language, this.part);
    const module = this.module.use(scope.actions);
    // Until those of another language are there, what is open keeps its words.
    this.words = texts.use(scope.actions) ?? this.words;
    return module && this.words ? draw(this.words, module) : nothing;
  }

  /** What there is to say of a feature that was asked for. */
  progress(scope: Scope): TemplateResult | typeof nothing {
    return progressOf(scope, this.module, partOf(scope.language, this.part));
  }

  /** Draws the feature in its place, or what there is to say of it. */
  show(scope: Scope, draw: (words: PartTexts<P>, module: M) => unknown): unknown {
    const drawn = this.draw(scope, draw);
    return drawn === nothing ? this.progress(scope) : drawn;
  }
}
