import { bare } from '../../../../engine/bare.ts';
import { html, nothing, type PropertyDeclarations, type TemplateResult } from 'lit';
import { LightElement } from '../../../kit/light-element.ts';
import { define } from '../../../../dom/define.ts';
import { writeAddress } from '../../../../link/address.ts';
import { withView } from '../../../../model/state.ts';
import type { Range } from '../../../../model/bounds.ts';
import type { RenderContext } from '../../../kit/render-context.ts';
import type { Collection } from '../runs/collection.ts';
import { fewest, likeRuns, within } from '../runs/likeness.ts';
import type { Run, Traits } from '../runs/run.ts';
import { writeFilter, writeMeasure } from '../runs/settings.ts';
import { errorsOf, heldIn } from '../runs/statistics.ts';
import { style } from '../style.ts';
import { filterOf } from './traits.ts';
import { sayChoice, type EvidenceWords } from '../runs/words.ts';

/** The number of nearest runs that are shown: as many as help to judge. */
const shown = 3;

/** The interval that stands by an answer. */
export interface Interval {
  expected: number;
  range: Range;
  said: string;
}

/** The measured runs most like a question, and how near their predictions came. Renders into its
 * parent's tree. */
export class HowSure extends LightElement {
  static override sheets = [style];
  static override properties: PropertyDeclarations = {
    ctx: { attribute: false },
    words: { attribute: false },
    collection: { attribute: false },
    traitsOf: { attribute: false },
    interval: { attribute: false },
  };

  declare ctx: RenderContext;
  declare words: EvidenceWords;
  declare collection: Collection;
  /** The traits of a context's question; undefined where they are not known. */
  declare traitsOf: (ctx: RenderContext) => (Traits & { chip: string }) | undefined;
  /** Undefined where none is shown. */
  declare interval: Interval | undefined;

  protected override render(): TemplateResult | typeof nothing {
    const { ctx, words, collection, interval } = this;
    const traits = this.traitsOf(ctx);
    if (!traits) return nothing;
    const like = likeRuns(collection.runs, traits);
    const { format } = ctx;
    const alike = {
      generation: sayChoice(ctx, words, 'generation', traits.generation),
      kind: [
        words.kinds[traits.kind],
        ...(traits.trained && traits.trained !== 'all'
          ? [sayChoice(ctx, words, 'trained', traits.trained)]
          : []),
      ].join(', '),
      format: words.formats[traits.format],
      load: traits.load ? words.loads[traits.load] : '',
      chips: format.count(within.chips),
      parameters: format.count(within.parameters),
    };
    const { description, state } = ctx;
    const link = (runs: string | undefined): string =>
      writeAddress(description, {
        ...withView(state, 'evidence'),
        charts: bare({ runs, measure: writeMeasure(collection.measure) }),
      });
    if (like.length === 0) {
      return html`<div class="how-sure inside">
        <p>
          ${ctx.sentences([
            ctx.fill(words.sure.none[collection.view], alike),
            interval ? ctx.fill(words.sure.beyond, { range: interval.said }) : '',
          ])}
        </p>
        <p><a href="#${link(undefined)}">${words.sure.all}</a></p>
      </div>`;
    }
    const errors = errorsOf(like);
    const n = like.length;
    const parts = {
      n: format.count(n),
      median: format.say(errors.median, '%'),
      range: interval?.said ?? '',
      held: format.count(interval ? heldIn(like, interval.expected, interval.range) : 0),
    };
    return html`<div class="how-sure inside">
      <p class="finding">
        ${ctx.sentences([
          ctx.fill(n < fewest ? words.sure.few : words.sure.found, parts, { n }),
          interval ? ctx.fill(words.sure.held, parts) : '',
        ])}
      </p>
      <p>${ctx.fill(words.sure.rule[collection.view], alike)}</p>
      <ul>
        ${this.nearest(like).map((run) => this.renderRun(run))}
      </ul>
      <p>
        <a href="#${link(writeFilter(filterOf(traits)))}"
          >${ctx.fill(words.sure.see, parts, { n })}</a
        >
      </p>
    </div>`;
  }

  /** The first of runs that are called the same. */
  private nearest(like: readonly Run[]): Run[] {
    const { ctx, words, collection } = this;
    const names = new Map<string, Run>();
    for (const run of like) {
      const name = collection.call(ctx, words, run);
      if (!names.has(name)) names.set(name, run);
    }
    return [...names.values()].slice(0, shown);
  }

  private renderRun(run: Run): TemplateResult {
    const { ctx, words, collection } = this;
    const { description } = ctx;
    return html`<li>
      <a href="#${writeAddress(description, collection.stateOf(description, run))}"
        >${collection.call(ctx, words, run)}</a
      >${ctx.fill(words.sure.rates[collection.view], {
        measured: collection.sayRate(ctx, run, run.measured),
        expected: collection.sayRate(ctx, run, run.expected),
      })}
    </li>`;
  }
}

/** The accuracy of predictions of runs like the present one. */
export function howSurePart(
  ctx: RenderContext,
  words: EvidenceWords,
  collection: Collection,
  traitsOf: HowSure['traitsOf'],
  interval: Interval | undefined,
): TemplateResult {
  define('scaling-how-sure', HowSure);
  return html`<scaling-how-sure
    .ctx=${ctx}
    .words=${words}
    .collection=${collection}
    .traitsOf=${traitsOf}
    .interval=${interval}
  ></scaling-how-sure>`;
}
