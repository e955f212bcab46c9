import { LitElement, html, nothing, type PropertyDeclarations, type TemplateResult } from 'lit';
import { adopt } from '../../../dom/sheet.ts';
import { define } from '../../../dom/define.ts';
import { writeAddress } from '../../../link/address.ts';
import { withView } from '../../../model/state.ts';
import type { RenderContext } from '../../kit/render-context.ts';
import { runs, type Run } from './data.ts';
import { fewest, likeRuns, within } from './likeness.ts';
import { stateOf } from './open.ts';
import { writeFilter } from './settings.ts';
import { errorsOf } from './statistics.ts';
import { style } from './style.ts';
import { filterOf, traitsOf } from './traits.ts';
import { callRun, sayChoice, sayRate, type EvidenceWords } from './evidence-words.ts';

/** As many of the nearest as help to judge. */
const shown = 3;

/** The measured runs most like a plan, and how near their predictions came. Renders into its
 * parent's tree. */
export class HowSure extends LitElement {
  static override properties: PropertyDeclarations = {
    ctx: { attribute: false },
    words: { attribute: false },
  };

  declare ctx: RenderContext;
  declare words: EvidenceWords;

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    adopt(this.getRootNode(), style);
  }

  protected override render(): TemplateResult | typeof nothing {
    const { ctx, words } = this;
    const traits = traitsOf(ctx);
    if (!traits) return nothing;
    const like = likeRuns(runs, traits);
    const { format } = ctx;
    const alike = {
      generation: sayChoice(ctx, words, 'generation', traits.generation),
      kind: words.kinds[traits.kind],
      format: words.formats[traits.format],
      chips: format.count(within.chips),
      parameters: format.count(within.parameters),
    };
    const { description, state } = ctx;
    const link = writeAddress(description, {
      ...withView(state, 'evidence'),
      charts: { runs: writeFilter(filterOf(traits)) },
    });
    if (like.length === 0) {
      const everything = writeAddress(description, {
        ...withView(state, 'evidence'),
        charts: {},
      });
      return html`<div class="how-sure inside">
        <p>${ctx.fill(words.sure.none, alike)}</p>
        <p><a href="#${everything}">${words.sure.all}</a></p>
      </div>`;
    }
    const errors = errorsOf(like);
    const n = like.length;
    const parts = {
      n: format.count(n),
      ninth: format.say(errors.ninth, '%'),
      median: format.say(errors.median, '%'),
      covered: format.say(errors.covered, '%'),
    };
    return html`<div class="how-sure inside">
      <p class="finding">
        ${ctx.fill(n < fewest ? words.sure.few : words.sure.found, { ...parts, ...alike }, { n })}
      </p>
      <p>${ctx.fill(words.sure.rule, alike)}</p>
      <ul>
        ${this.nearest(like).map((run) => this.renderRun(run))}
      </ul>
      <p><a href="#${link}">${ctx.fill(words.sure.see, parts, { n })}</a></p>
    </div>`;
  }

  /** Of runs that are called the same, the first. */
  private nearest(like: readonly Run[]): Run[] {
    const { ctx, words } = this;
    const names = new Map<string, Run>();
    for (const run of like) {
      const name = callRun(ctx, words, run);
      if (!names.has(name)) names.set(name, run);
    }
    return [...names.values()].slice(0, shown);
  }

  private renderRun(run: Run): TemplateResult {
    const { ctx, words } = this;
    const { description } = ctx;
    return html`<li>
      <a href="#${writeAddress(description, stateOf(description, run))}"
        >${callRun(ctx, words, run)}</a
      >${ctx.fill(words.sure.rates, {
        measured: sayRate(ctx, run, run.measured),
        expected: sayRate(ctx, run, run.expected),
      })}
    </li>`;
  }
}

define('scaling-how-sure', HowSure);
