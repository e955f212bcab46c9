// The layers of a model as a strip: each run is as wide as it has layers, coloured by what mixes its
// tokens, with its letter, and marked below by what follows.

import { html, nothing, type PropertyDeclarations, type TemplateResult } from 'lit';
import { define } from '../../../dom/define.ts';
import { sheetOf } from '../../../dom/sheet.ts';
import type { PartTexts } from '../../../i18n/dictionary.ts';
import { listed } from '../../../i18n/language.ts';
import { LightElement } from '../../kit/light-element.ts';
import type { RenderContext } from '../../kit/render-context.ts';
import { canEvaluate, evaluate } from '../../../model/evaluate.ts';
import { kindsOf, runsOf, type LayerKind, type Run } from './runs.ts';
import text from './strip.css?inline';

const style = sheetOf(text);

/** Up to so many runs are told one by one to those who can't see the strip, and have letters. */
const mostTold = 24;
const mostLettered = 40;

/** The answers that tell the cache of a sequence, by mixer. */
const keptBy = [
  ['a', 'kvOfFull'],
  ['w', 'kvOfWindowed'],
  ['s', 'kvOfSparse'],
  ['c', 'kvOfCompressed'],
  ['l', 'stateOfLinear'],
  ['m', 'stateOfMamba'],
  ['v', 'stateOfConvolution'],
] as const;

class LayerStrip extends LightElement {
  static override sheets = [style];
  static override properties: PropertyDeclarations = {
    ctx: { attribute: false },
    words: { attribute: false },
  };

  declare ctx: RenderContext;
  declare words: PartTexts<'layers'>;

  protected override render(): TemplateResult | typeof nothing {
    const { ctx, words } = this;
    const runs = runsOf(String(ctx.value('model.layerPattern') ?? ''));
    if (!runs) return nothing;
    const kinds = kindsOf(runs);
    const layers = runs.reduce((sum, run) => sum + run.layers, 0);
    const lettered = runs.length <= mostLettered;
    const keeps = this.keeps();
    return html`<div class="strip" role="img" aria-label=${this.told(runs, kinds, layers)}>
        ${runs.map(
          (run) =>
            html`<span
              class="run"
              data-mixer=${run.mixer}
              data-feed-forward=${run.feedForward}
              data-layers=${run.layers}
              title=${this.saidOf(run)}
              ><b>${lettered ? run.mixer : nothing}</b></span
            >`,
        )}
      </div>
      <p class="ends" aria-hidden="true">
        <span>${words.first}</span
        ><span>${ctx.fill(words.last, { n: ctx.format.count(layers) })}</span>
      </p>
      <ul class="legend" aria-label=${words.kinds}>
        ${kinds.map(
          (kind) =>
            html`<li>
              <span
                class="run"
                data-mixer=${kind.mixer}
                data-feed-forward=${kind.feedForward}
                aria-hidden="true"
                >${kind.mixer}</span
              >
              ${this.saidOf(kind)}
            </li>`,
        )}
      </ul>
      ${keeps ? html`<p class="keeps">${keeps}</p>` : nothing}`;
  }

  /** Sets widths in this way, as strict policies forbid attributes of style. */
  protected override updated(): void {
    for (const run of this.querySelectorAll<HTMLElement>('.strip .run')) {
      run.style.flexGrow = run.dataset['layers']!;
    }
  }

  /** The cache of a sequence in all layers of each mixer, where answers tell it. */
  private keeps(): string {
    const { ctx, words } = this;
    const { engine, state } = ctx;
    const reply = canEvaluate(engine, state) && evaluate(engine, state);
    if (!reply || !reply.ok) return '';
    const list = keptBy.flatMap(([mixer, key]) => {
      const bytes = reply.answers[key];
      if (typeof bytes !== 'number') return [];
      return [
        ctx.fill(words.of, { mixer: words.mixers[mixer], bytes: ctx.format.say(bytes, 'B') }),
      ];
    });
    return list.length > 0 ? ctx.fill(words.keeps, { list: listed(list) }) : '';
  }

  private count(layers: number): string {
    const n = this.ctx.format.count(layers);
    return this.ctx.fill(this.words.layers, { n }, { n: layers });
  }

  private saidOf(run: Run): string {
    return this.ctx.fill(this.words.said, {
      layers: this.count(run.layers),
      kind: this.say(run),
    });
  }

  /** Windowed attention of 8 heads, then experts. */
  private say({ mixer, size, feedForward, width }: LayerKind): string {
    const { ctx, words } = this;
    const count = (value: number): string => ctx.format.count(value);
    const one = words.mixers[mixer === '-' ? 'none' : mixer];
    const mixing =
      size === undefined
        ? one
        : size === 0
          ? ctx.fill(words.shared, { mixer: one })
          : ctx.fill(mixer === 'c' ? words.ratio : words.heads, { mixer: one, n: count(size) });
    const other = words.feedForwards[feedForward === '-' ? 'none' : feedForward];
    const following =
      width === undefined ? other : ctx.fill(words.width, { part: other, n: count(width) });
    if (mixer === '-') return following;
    return feedForward === '-' ? mixing : ctx.fill(words.both, { mixer: mixing, part: following });
  }

  /** The strip in words: run by run where they are few, else by kinds. */
  private told(runs: readonly Run[], kinds: readonly Run[], layers: number): string {
    const { ctx, words } = this;
    const isShort = runs.length <= mostTold;
    const list = (isShort ? runs : kinds).map((run) => this.saidOf(run));
    return ctx.fill(isShort ? words.inOrder : words.byKind, {
      n: ctx.format.count(layers),
      list: listed(list),
    });
  }
}

/** The strip. */
export function layerStrip(ctx: RenderContext, words: PartTexts<'layers'>): TemplateResult {
  define('scaling-layers', LayerStrip);
  return html`<scaling-layers .ctx=${ctx} .words=${words}></scaling-layers>`;
}
