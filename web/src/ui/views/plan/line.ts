import {
  html,
  nothing,
  type PropertyDeclarations,
  type PropertyValues,
  type TemplateResult,
} from 'lit';
import { define } from '../../../dom/define.ts';
import type { Plan } from '../../../engine/index.ts';
import { evaluate } from '../../../model/evaluate.ts';
import { withLayoutBest, withNothingKept } from '../../../model/state.ts';
import type { RenderContext } from '../../kit/render-context.ts';
import { bestTask, isPending, cachedBest } from './finder.ts';
import { keyOf, reserve, room, searchedInput, withValues, type PlanInput } from './input.ts';
import { callLayout, sayKept } from './layouts.ts';
import { bestChange, changesOf, changeTasks, type Pulled } from './levers.ts';
import { style } from './style.ts';
import { Searching } from './searching.ts';
import { DeferredElement } from '../../kit/light-element.ts';

/** Layouts that differ by less are chosen by other things than time. */
const asFast = 1.01;
/** The most chips that are tried where none fits, as a multiple of the reader's. */
const mostTimes = 2 ** 12;
/** Ratios from here on are said as times, smaller ones in percent. */
const times = 1.5;

/**
 * Sums up a plan in a line: how it is divided, how long that takes, and what would help next;
 * of a layout that the reader fixed, how far it is from the best. Renders into its parent's tree.
 */
class PlanLine extends DeferredElement {
  static override sheets = [style];
  static override properties: PropertyDeclarations = {
    ctx: { attribute: false },
    forRoom: { attribute: false },
  };

  declare ctx: RenderContext;
  /** How much longer the best layout takes that leaves room, where that is another. */
  declare forRoom: number | undefined;
  private readonly searching = new Searching(() => this.requestUpdate());
  private key = '';
  private readonly pulled = new Map<string, Pulled>();
  /** The fewest chips on which a layout fits, by doublings, where none does on the reader's. */
  private fewest: { chips: number; plan: Plan } | undefined;

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.searching.stop();
    this.key = '';
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (!changed.has('ctx')) return;
    const { engine, state } = this.ctx;
    const input = searchedInput(engine, state);
    const key = keyOf(input);
    if (key === this.key) return;
    this.searching.stop();
    // The calculator that waits for the layout searches for it.
    this.key = isPending(state, key) ? '' : key;
    if (!this.key) return;
    this.pulled.clear();
    this.fewest = undefined;
    const planner = engine.loaded('planner')!;
    this.searching.begin([
      ...(cachedBest(key) ? [] : [bestTask(planner, input, key, () => this.seekMore(input, key))]),
      ...changeTasks(changesOf(this.ctx, planner), planner, input, (id, pulled) =>
        this.pulled.set(id, pulled),
      ),
    ]);
    if (cachedBest(key)) this.seekMore(input, key);
  }

  /** Goes on to more chips where no layout fits, after all that was asked for before. */
  private seekMore(input: PlanInput, key: string, times = 2): void {
    const best = cachedBest(key);
    if (!best?.valid || best.plans.length > 0 || times > mostTimes) return;
    const chips = Number(input.run.chips) * times;
    const more = withValues(input, [['run.chips', chips]]);
    const next = keyOf(more);
    const told = (): void => {
      const plan = cachedBest(next)?.plans[0];
      if (plan) this.fewest = { chips, plan };
      else this.seekMore(input, key, 2 * times);
    };
    if (cachedBest(next)) told();
    else this.searching.add([bestTask(this.ctx.engine.loaded('planner')!, more, next, told)]);
  }

  /** Divides the plan the best way again. */
  private follow(): void {
    const { actions, description, state } = this.ctx;
    actions.go(withLayoutBest(description, state));
  }

  protected override render(): TemplateResult | typeof nothing {
    const { ctx } = this;
    const best = cachedBest(this.key);
    if (!best) return nothing;
    if (!best.valid) return nothing;
    const fastest = best.plans[0];
    if (ctx.state.layout === 'fixed') return this.renderFixed(fastest);
    const words = ctx.text.planner.best;
    return html`<p class="line">
      ${fastest ? this.sayBest(fastest) : best.least ? words.none : nothing}
      ${fastest ? this.renderRoom(fastest) : this.renderFewest()} ${this.renderKept()}
    </p>`;
  }

  private daysOf({ wallTime }: Plan): string {
    return this.ctx.format.say(wallTime, 's');
  }

  private sayBest(plan: Plan): string {
    const { ctx } = this;
    const { best: words } = ctx.text.planner;
    const reply = this.searching.busy ? undefined : evaluate(ctx.engine, ctx.state);
    const limit = reply?.ok && reply.answers.memoryLimit;
    const next =
      typeof limit === 'number'
        ? bestChange(changesOf(ctx, ctx.engine.loaded('planner')!), this.pulled, plan, limit)
        : undefined;
    return ctx.sentences([
      // A chip alone is divided no way, and the verdict says how long it takes.
      Number(ctx.value('run.chips')) > 1
        ? ctx.fill(words.layout, { layout: callLayout(ctx, plan), days: this.daysOf(plan) })
        : '',
      next
        ? ctx.fill(words.next, {
            lever: next.change.short,
            gain: ctx.format.exactly(Math.round(100 * next.gain), '%'),
          })
        : '',
    ]);
  }

  /** A layout that leaves room, beside one that may not fit. */
  private renderRoom({ memoryState }: Plan): TemplateResult | typeof nothing {
    const { ctx, forRoom } = this;
    if (forRoom === undefined || memoryState !== 'tight') return nothing;
    const { best: words, use } = ctx.text.planner;
    const percent = ctx.format.say(forRoom, '%');
    return html`${ctx.fill(words.roomy, { room: ctx.format.exactly(100 * room, '%'), percent })}
      <button type="button" data-roomy @click=${() => ctx.actions.set(reserve, room)}>
        ${use}
      </button>`;
  }

  /** Offers the best of all layouts, where the reader keeps something of theirs. */
  private renderKept(): TemplateResult | typeof nothing {
    const { ctx } = this;
    const { actions, description, state } = ctx;
    const kept = sayKept(ctx);
    if (!kept) return nothing;
    return html`<button
      type="button"
      data-unkept
      @click=${() => actions.go(withNothingKept(description, state))}
    >
      ${ctx.fill(ctx.text.planner.best.unkept, { kept })}
    </button>`;
  }

  private renderFewest(): TemplateResult | typeof nothing {
    const { ctx, fewest } = this;
    if (!fewest) return nothing;
    const { best: words } = ctx.text.planner;
    const { chips, plan } = fewest;
    const said = { chips: ctx.format.count(chips) };
    return html`${ctx.fill(words.fewest, {
        ...said,
        layout: callLayout(ctx, plan),
        days: this.daysOf(plan),
      })}
      <button type="button" data-fewest @click=${() => ctx.actions.set('run.chips', chips)}>
        ${ctx.fill(words.useChips, said)}
      </button>`;
  }

  private renderFixed(fastest: Plan | undefined): TemplateResult {
    const { ctx } = this;
    const { best: words } = ctx.text.planner;
    const reply = evaluate(ctx.engine, ctx.state);
    const seconds =
      reply.ok && reply.answers.fits === 'yes' ? reply.answers.stepExpected : undefined;
    const ratio = fastest && typeof seconds === 'number' ? seconds / fastest.expected : undefined;
    const isSame = ratio !== undefined && ratio < asFast;
    const sentence = ((): string => {
      if (ratio === undefined) return words.instead;
      if (isSame) return words.same;
      return ratio < times ? words.longer : words.slower;
    })();
    const said =
      fastest &&
      ctx.fill(sentence, {
        layout: callLayout(ctx, fastest),
        days: this.daysOf(fastest),
        times: ctx.format.number(ratio ?? 1),
        percent: ctx.format.say((ratio ?? 1) - 1, '%'),
      });
    return html`<p class="line">
      ${said ?? nothing}
      <button type="button" data-follow @click=${() => this.follow()}>
        ${fastest && !isSame ? words.use : words.follow}
      </button>
    </p>`;
  }
}

/** The line below the question that says what the search has found. */
export function planLine(ctx: RenderContext, forRoom?: number): TemplateResult {
  define('scaling-plan-line', PlanLine);
  return html`<scaling-plan-line .ctx=${ctx} .forRoom=${forRoom}></scaling-plan-line>`;
}
