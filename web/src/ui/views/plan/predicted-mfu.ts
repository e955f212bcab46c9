import { html, nothing, type PropertyDeclarations, type TemplateResult } from 'lit';
import { define } from '../../../dom/define.ts';
import type { PartTexts } from '../../../i18n/dictionary.ts';
import { withLayoutBest, type State } from '../../../model/state.ts';
import type { RenderContext } from '../../kit/render-context.ts';
import { bestTask, cachedBest } from './finder.ts';
import { keyOf, searchedInput } from './input.ts';
import { Searching } from './searching.ts';
import { LightElement } from '../../kit/light-element.ts';

/** Digits that a prediction is good for. */
const digits = 3;

/** The MFU of the best plan of a training, to be used in it. Renders into its parent's tree. */
class PredictedMfu extends LightElement {
  static override properties: PropertyDeclarations = {
    ctx: { attribute: false },
    words: { attribute: false },
  };

  /** The context of the training. */
  declare ctx: RenderContext;
  declare words: PartTexts<'plan'>['planner']['predictedMfu'];
  private readonly searching = new Searching(() => this.requestUpdate());
  private key = '';

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.searching.stop();
    this.key = '';
  }

  protected override willUpdate(): void {
    const { description, engine, state } = this.ctx;
    const plan: State = withLayoutBest(description, { ...state, view: 'plan' });
    const input = searchedInput(engine, plan);
    const key = keyOf(input);
    if (key === this.key) return;
    this.key = key;
    this.searching.stop();
    if (!cachedBest(key))
      this.searching.beginAtOnce([bestTask(engine.loaded('planner')!, input, key, () => {})]);
  }

  protected override render(): TemplateResult {
    return html`<p class="offers" role="status">${this.renderFound()}</p>`;
  }

  private renderFound(): TemplateResult | string {
    const { ctx, words } = this;
    const best = cachedBest(this.key);
    if (!best) return ctx.text.ui.seeking;
    if (!best.valid) return words.invalid;
    const [plan] = best.plans;
    if (!plan) return words.none;
    // A training has no failures: its MFU is the one at which it takes as long.
    const mfu = Math.min(1, Number(plan.mfuWithFailures.toPrecision(digits)));
    const said = ctx.say('run.mfu', mfu);
    return html`${ctx.fill(words.found, { plan: ctx.format.say(plan.mfu, '%'), mfu: said })}
    ${
      mfu === ctx.value('run.mfu')
        ? nothing
        : html`<button type="button" @click=${() => ctx.actions.set('run.mfu', mfu)}>
            ${ctx.fill(words.use, { mfu: said })}
          </button>`
    }`;
  }
}

/** The MFU of a training's best plan. */
export function predictedMfu(
  ctx: RenderContext,
  words: PartTexts<'plan'>['planner']['predictedMfu'],
): TemplateResult {
  define('scaling-predicted-mfu', PredictedMfu);
  return html`<scaling-predicted-mfu .ctx=${ctx} .words=${words}></scaling-predicted-mfu>`;
}
