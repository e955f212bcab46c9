// Draws parts that load on first use, or their progress, or that loading failed.

import { html, nothing, type TemplateResult } from 'lit';
import { Lazy } from '../../engine/lazy.ts';
import { partOf, type Part, type PartTexts } from '../../i18n/dictionary.ts';
import type { RenderContext } from './render-context.ts';

/** Says that parts are loading, or that they failed and how to retry; otherwise nothing. */
export function progressOf(
  { text, actions }: RenderContext,
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
      ${
        // Some browsers never ask again for a module that others import. The address holds what was entered.
        failed.some((part) => part.triedAgain)
          ? html`<button type="button" class="reload" @click=${() => location.reload()}>
              ${text.ui.reload}
            </button>`
          : nothing
      }
    </p>`;
  }
  const loading = parts.some(({ state }) => state === 'loading');
  return loading ? html`<p class="lazy" data-state="loading">${text.ui.loading}</p>` : nothing;
}

/** Draws with a part that loads on first use. */
export function lazily<T>(ctx: RenderContext, part: Lazy<T>, draw: (part: T) => unknown): unknown {
  const value = part.use(ctx.actions);
  return value === undefined ? progressOf(ctx, part) : draw(value);
}

/** Loads a module that goes through all presets, once these have loaded. */
export async function afterPresets<M>(ctx: RenderContext, load: () => Promise<M>): Promise<M> {
  await ctx.features.presets.more.get();
  return load();
}

/** A feature that few readers use: its module, and its texts in the reader's language. */
export class Feature<M, P extends Part> {
  private readonly module: Lazy<M>;
  private asked: RenderContext | undefined;
  /** The texts that each calculator draws with; those on one page may speak different languages. */
  private readonly words = new WeakMap<RenderContext['actions'], PartTexts<P>>();

  constructor(
    load: (ctx: RenderContext) => Promise<M>,
    private readonly part: P,
  ) {
    this.module = new Lazy(() => load(this.asked!));
  }

  /** The module, where it has loaded. */
  get value(): M | undefined {
    return this.module.value;
  }

  /** The module, which `ctx` may load. */
  of(ctx: RenderContext): Lazy<M> {
    this.asked = ctx;
    return this.module;
  }

  /** Draws the feature once module and texts have loaded; until then, or if they fail, nothing. */
  draw<D>(ctx: RenderContext, draw: (words: PartTexts<P>, module: M) => D): D | typeof nothing {
    const { actions } = ctx;
    const module = this.of(ctx).use(actions);
    const loaded = partOf(ctx.language, this.part).use(actions);
    if (loaded) this.words.set(actions, loaded);
    // An open feature keeps its texts until those of another language have loaded.
    const words = loaded ?? this.words.get(actions);
    return module && words ? draw(words, module) : nothing;
  }

  /** Says how far a requested feature has loaded. */
  progress(ctx: RenderContext): TemplateResult | typeof nothing {
    return progressOf(ctx, this.of(ctx), partOf(ctx.language, this.part));
  }

  /** Draws the feature, or its loading progress in the same place. */
  show(ctx: RenderContext, draw: (words: PartTexts<P>, module: M) => unknown): unknown {
    const drawn = this.draw(ctx, draw);
    return drawn === nothing ? this.progress(ctx) : drawn;
  }
}
