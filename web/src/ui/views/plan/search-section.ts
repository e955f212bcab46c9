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
import type { RenderContext } from '../../kit/render-context.ts';
import { bestTable } from './best.ts';
import { changesTo, sayLayout } from './layouts.ts';
import { PlanSearches } from './plan-searches.ts';
import { sections, titleOf } from './sections.ts';
import { style } from './style.ts';
import { DeferredElement } from '../../kit/light-element.ts';

/** The share of the memory that a search's roomy layout leaves free. */
const room = 0.1;

const order = Object.keys(views.plan.sections!) as Section[];
const partOf = (section: Section): string => `plan ${section}`;

const fastestOf = (best: readonly Plan[]): Plan =>
  best.reduce((least, plan) => (plan.expected < least.expected ? plan : least));

/** Whether a tenth of the memory left free takes another layout than the fastest. */
const needsRoom = (best: readonly Plan[], roomy: Plan | undefined): boolean =>
  roomy !== undefined && best.length > 0 && roomy.expected > fastestOf(best).expected;

/** The search for the best layouts and its sections. Renders into its parent's tree. */
export class PlanSection extends DeferredElement {
  static override sheets = [style];
  static override properties: PropertyDeclarations = {
    ctx: { attribute: false },
    only: { attribute: false },
  };

  declare ctx: RenderContext;
  /** The section that is shown alone, if any. */
  declare only: Section | undefined;
  private readonly searches = new PlanSearches(() => this.requestUpdate());
  /** The answers of the reader's own layout, if it is valid. */
  private answers: Answers | undefined;

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.searches.stop();
  }

  private isOpen(section: Section): boolean {
    return this.only === section || this.ctx.open.has(partOf(section));
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (!changed.has('ctx')) return;
    const { ctx, searches } = this;
    const wants = { levers: this.isOpen('levers'), scaling: this.isOpen('scaling') };
    if (!searches.update(ctx, wants) || changed.get('ctx')?.state === ctx.state) return;
    const reply = evaluate(ctx.engine, ctx.state);
    this.answers = reply.ok ? reply.answers : undefined;
  }

  /** Takes over a layout. The best one stays the best way, any other becomes the reader's own. */
  private use(plan: Plan): void {
    const { actions, description, state } = this.ctx;
    if (plan === this.searches.found?.roomy) {
      // It computes again what leaves that room.
      actions.move([...changesTo(plan.layout), ['assumptions.memoryReserve', room]], true);
    } else if (plan === this.searches.best[0]) actions.go(withLayoutBest(description, state));
    else actions.move(changesTo(plan.layout), true);
  }

  protected override render(): TemplateResult {
    const { ctx } = this;
    const { planner } = ctx.text;
    if (this.only) {
      return html`<section class="plans" aria-labelledby="plans">
        <h2 id="plans">${titleOf(ctx, this.only)}</h2>
        ${this.renderSection(this.only)}
      </section>`;
    }
    return html`<section class="plans" aria-labelledby="plans">
      <h2 id="plans">${planner.title}</h2>
      ${this.renderBest()}
      ${order.map((section) =>
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
      return Number(ctx.value('assumptions.memoryReserve')) >= room
        ? ''
        : ctx.fill(words.none, { room: percent });
    }
    if (!needsRoom(best, roomy)) return ctx.fill(words.free, { room: percent });
    const fastest = fastestOf(best);
    return ctx.fill(words.costs, {
      room: percent,
      time: ctx.format.say(roomy.expected, stepTime),
      more: ctx.format.say(roomy.expected - fastest.expected, stepTime),
      percent: ctx.format.say(roomy.expected / fastest.expected - 1, '%'),
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
    return html`<p
        class="means"
        data-progress=${outdated ? 0 : progress.done ? 'done' : progress.fraction}
      >
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
      </p>
      ${
        best.length > 0
          ? bestTable(ctx, best, needsRoom(best, roomy) ? roomy : undefined, this.answers, (plan) =>
              this.use(plan),
            )
          : nothing
      }`;
  }
}

/** The best layouts, and what is drawn of them; `only` one section. */
export function planSection(ctx: RenderContext, only?: Section): TemplateResult {
  define('scaling-plan', PlanSection);
  return html`<scaling-plan class="beyond" .ctx=${ctx} .only=${only}></scaling-plan>`;
}
