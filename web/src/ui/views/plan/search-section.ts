import {
  html,
  nothing,
  type PropertyDeclarations,
  type PropertyValues,
  type TemplateResult,
} from 'lit';
import { define } from '../../../dom/define.ts';
import type { Plan } from '../../../engine/index.ts';
import { stepTime } from '../../../number/unit.ts';
import { evaluate, type Answers } from '../../../model/evaluate.ts';
import { views, type PlanSection as Section } from '../../../model/views.ts';
import { withLayoutBest } from '../../../model/state.ts';
import { disclosure } from '../../kit/disclosure.ts';
import type { Actions, RenderContext } from '../../kit/render-context.ts';
import { bestTable } from './best.ts';
import { changesTo, sayLayout } from './layouts.ts';
import { PlanSearches } from './plan-searches.ts';
import { isBest } from './finder.ts';
import { sections, titleOf } from './sections.ts';
import { style } from './style.ts';
import { DeferredElement } from '../../kit/light-element.ts';
import { trains } from '../../kit/trained.ts';
import type { Place } from '../../kit/view.ts';
import { planLine } from './line.ts';
import { reserve, room } from './input.ts';

const order = Object.keys(views.plan.sections!) as Section[];
/** The place of each section. The best layouts are among the tables. */
const placeOf: Readonly<Record<Section, Place>> = {
  memory: 'why',
  timeline: 'why',
  front: 'compare',
  map: 'compare',
  most: 'compare',
  levers: 'compare',
  scaling: 'compare',
};
/** What a card holds at most is asked of each fine-tuning: then it is among the tables. */
const isTable = (ctx: RenderContext, section: Section): boolean =>
  section === 'most' && !trains(ctx, 'all');
const partOf = (section: Section): string => `plan ${section}`;

const fastestOf = (best: readonly Plan[]): Plan =>
  best.reduce((least, plan) => (plan.expected < least.expected ? plan : least));

/** The part of its time that the fastest layout takes longer to leave room, where it leaves none. */
function forRoom(best: readonly Plan[], roomy: Plan | undefined): number | undefined {
  if (!roomy || best.length === 0) return undefined;
  const longer = roomy.expected / fastestOf(best).expected - 1;
  return longer > 0 ? longer : undefined;
}

/** One search for all parts of a calculator that show it. */
class Shared {
  private static readonly all = new WeakMap<Actions, Shared>();
  private readonly parts = new Set<PlanSection>();
  readonly searches = new PlanSearches(() => {
    for (const part of this.parts) part.requestUpdate();
  });

  static of({ actions }: RenderContext): Shared {
    const shared = this.all.get(actions) ?? new Shared();
    this.all.set(actions, shared);
    return shared;
  }

  join(part: PlanSection): void {
    this.parts.add(part);
  }

  leave(part: PlanSection): void {
    this.parts.delete(part);
    if (this.parts.size === 0) this.searches.stop();
  }
}

/** The search for the best layouts and its sections. Renders into its parent's tree. */
export class PlanSection extends DeferredElement {
  static override sheets = [style];
  static override properties: PropertyDeclarations = {
    ctx: { attribute: false },
    places: { attribute: false },
    only: { attribute: false },
  };

  declare ctx: RenderContext;
  declare places: readonly Place[];
  /** The section that is shown alone, if any. */
  declare only: Section | undefined;
  private shared: Shared | undefined;
  /** The answers of the reader's own layout, if it is valid. */
  private answers: Answers | undefined;

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.shared?.leave(this);
    this.shared = undefined;
  }

  private get searches(): PlanSearches {
    return this.shared!.searches;
  }

  private isOpen(section: Section): boolean {
    const { ctx } = this;
    return this.only === section || isTable(ctx, section) || ctx.open.has(partOf(section));
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    const { ctx } = this;
    if (!this.shared) (this.shared = Shared.of(ctx)).join(this);
    if (!changed.has('ctx')) return;
    const { searches } = this;
    const wants = {
      levers: this.isOpen('levers'),
      scaling: this.isOpen('scaling'),
      most: this.isOpen('most'),
    };
    if (!searches.update(ctx, wants) || changed.get('ctx')?.state === ctx.state) return;
    const reply = evaluate(ctx.engine, ctx.state);
    this.answers = reply.ok ? reply.answers : undefined;
  }

  /** Takes over a layout. The best one stays the best way, any other becomes the reader's own. */
  private use(plan: Plan): void {
    const { actions, description, state } = this.ctx;
    if (plan === this.searches.found?.roomy) {
      // It computes again what leaves that room.
      actions.move([...changesTo(plan.layout), [reserve, room]], true);
    } else if (plan === this.searches.best[0]) actions.go(withLayoutBest(description, state));
    else actions.move(changesTo(plan.layout), true);
  }

  protected override render(): TemplateResult {
    const { ctx } = this;
    if (this.only) {
      return html`<section class="plans" aria-labelledby="plans">
        <h2 id="plans">${titleOf(ctx, this.only)}</h2>
        ${this.renderSection(this.only)}
      </section>`;
    }
    return html`${this.places.includes('tables') ? this.renderTables() : nothing}
      <div class="plans">
        ${order
          .filter((section) => this.places.includes(placeOf[section]) && !isTable(ctx, section))
          .map((section) =>
            disclosure(
              ctx,
              {
                part: partOf(section),
                kind: 'panel',
                summary: html`<h3 class="title">${titleOf(ctx, section)}</h3>`,
              },
              () => this.renderSection(section),
            ),
          )}
      </div>`;
  }

  private renderTables(): TemplateResult {
    const { ctx } = this;
    const { found, best, outdated } = this.searches;
    const longer = outdated ? undefined : forRoom(best, found?.roomy);
    return html`<section class="plans" aria-labelledby="plans">
      <h2 id="plans">${ctx.text.planner.title}</h2>
      ${isBest(ctx) ? planLine(ctx, longer) : nothing} ${this.renderBest()}
      ${
        isTable(ctx, 'most')
          ? html`<h3 class="title">${titleOf(ctx, 'most')}</h3>
              ${this.renderSection('most')}`
          : nothing
      }
    </section>`;
  }

  private renderSection(section: Section): TemplateResult {
    const { ctx, searches, answers } = this;
    const drawn = { ctx, searches, answers, use: (plan: Plan) => this.use(plan) };
    return html`<div class="inside" data-section=${section}>${sections[section](drawn)}</div>`;
  }

  /** Says what it costs to leave a tenth of the memory free. */
  private sayRoom(best: readonly Plan[], roomy: Plan | undefined): string {
    const { ctx } = this;
    const { room: words } = ctx.text.planner;
    const percent = ctx.format.exactly(100 * room, '%');
    if (!roomy) {
      return Number(ctx.value(reserve)) >= room ? '' : ctx.fill(words.none, { room: percent });
    }
    const longer = forRoom(best, roomy);
    if (longer === undefined) return ctx.fill(words.free, { room: percent });
    const fastest = fastestOf(best);
    return ctx.fill(words.costs, {
      room: percent,
      time: ctx.format.say(roomy.expected, stepTime),
      more: ctx.format.say(roomy.expected - fastest.expected, stepTime),
      percent: ctx.format.say(longer, '%'),
      layout: sayLayout(ctx, roomy),
    });
  }

  private renderBest(): TemplateResult {
    const { ctx } = this;
    const { found, best, valid, outdated } = this.searches;
    const { text, format } = ctx;
    const { planner } = text;
    if (!valid) return html`<p class="means">${planner.noSearch}</p>`;
    if (!found) return html`<p class="means"></p>`;
    const { lower, progress, roomy } = found;
    const counts = {
      evaluated: format.count(progress.evaluated),
      grid: format.count(progress.grid),
      percent: format.say(Math.floor(100 * progress.fraction) / 100, '%'),
    };
    const fastest = best[0];
    return html`${
        best.length > 0
          ? bestTable(
              ctx,
              best,
              forRoom(best, roomy) === undefined ? undefined : roomy,
              this.answers,
              (plan) => this.use(plan),
            )
          : nothing
      }
      <p class="means" data-progress=${outdated ? 0 : progress.done ? 'done' : progress.fraction}>
        ${ctx.sentences([
          ctx.fill(progress.done ? planner.searched : planner.searching, counts),
          progress.done && fastest
            ? ctx.fill(planner.distance, {
                lower: format.say(lower, stepTime),
                times: format.number(fastest.expected / lower),
              })
            : '',
          progress.done && !fastest ? planner.nothingFits : '',
          progress.roomyKnown && fastest ? this.sayRoom(best, roomy) : '',
          ...progress.leftOut.map((what) => planner.leftOut[what]),
        ])}
      </p>`;
  }
}

/** The best layouts, and what is drawn of them; `only` one section. */
export function planSections(
  ctx: RenderContext,
  places: readonly Place[],
  only?: Section,
): TemplateResult {
  define('scaling-plan', PlanSection);
  return html`<scaling-plan
    class="beyond"
    .ctx=${ctx}
    .places=${places}
    .only=${only}
  ></scaling-plan>`;
}
