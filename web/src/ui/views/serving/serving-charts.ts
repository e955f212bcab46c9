import {
  html,
  nothing,
  type PropertyDeclarations,
  type PropertyValues,
  type TemplateResult,
} from 'lit';
import { DeferredElement } from '../../kit/light-element.ts';
import { define } from '../../../dom/define.ts';
import { sheetOf } from '../../../dom/sheet.ts';
import { SweepChart } from '../../../charts/sweep/sweep.ts';
import type { SweepData } from '../../../charts/kit/data.ts';
import type { Move } from '../../../charts/index.ts';
import type { PlanWords } from '../../../charts/kit/words.ts';
import { evaluate, inputsOf, type Answers } from '../../../model/evaluate.ts';
import type { FieldId } from '../../../model/fields.ts';
import type { InputGroups } from '../../../model/state.ts';
import { disclosure } from '../../kit/disclosure.ts';
import { Feature } from '../../kit/lazily.ts';
import type { RenderContext } from '../../kit/render-context.ts';
import type { Place } from '../../kit/view.ts';
import { contextCharts } from './context.ts';
import { promptData, stepData } from './drawings.ts';
import text from './serving.css?inline';

const style = sheetOf(text);

const frontiers = new Feature(() => import('./frontiers.ts'), 'frontier');

/** The charts that readers open; the trade-off between speed and cost is always drawn. */
const sections = ['parts', 'prefill', 'cacheOver', 'context'] as const;
type Section = (typeof sections)[number];
const placeOf: Readonly<Record<Section | 'frontier', Place>> = {
  frontier: 'compare',
  parts: 'why',
  prefill: 'why',
  cacheOver: 'why',
  context: 'compare',
};

/** The charts of serving. Renders into its parent's tree. */
class ServingCharts extends DeferredElement {
  static override sheets = [style];
  static override properties: PropertyDeclarations = {
    ctx: { attribute: false },
    places: { attribute: false },
  };

  declare ctx: RenderContext;
  declare places: readonly Place[];
  private inputs: InputGroups = {};
  /** The answers of the present state, if it is valid. */
  private answers: Answers | undefined;

  protected override willUpdate(changed: PropertyValues<this>): void {
    const { ctx } = this;
    if (!changed.has('ctx') || changed.get('ctx')?.state === ctx.state) return;
    this.inputs = inputsOf(ctx.engine, ctx.state);
    const reply = evaluate(ctx.engine, ctx.state);
    this.answers = reply.ok ? reply.answers : undefined;
  }

  protected override render(): TemplateResult {
    const { ctx, places } = this;
    const { served } = ctx.text;
    return html`<div class="served">
      ${
        places.includes(placeOf.frontier)
          ? html`<h3>${served.frontier.title}</h3>
              <div class="inside" data-section="frontier">${this.drawFrontiers()}</div>`
          : nothing
      }
      ${sections
        .filter((section) => places.includes(placeOf[section]))
        .map((section) =>
          disclosure(
            ctx,
            {
              part: `serving ${section}`,
              kind: 'panel',
              summary: html`<h3 class="title">${served[section].title}</h3>`,
            },
            () => html`<div class="inside" data-section=${section}>${this.draw(section)}</div>`,
          ),
        )}
    </div>`;
  }

  private get words(): PlanWords {
    const { charts, bounds, served } = this.ctx.text;
    return { ...charts.words, bounds, ...served.frontier.words };
  }

  private draw(section: Section): unknown {
    const { ctx } = this;
    if (section === 'context') return contextCharts(ctx, this.inputs, this.words);
    if (section === 'parts') return this.lines(stepData(ctx, this.inputs), 'serving.users');
    return this.lines(promptData(ctx, this.inputs, section), 'serving.promptTokens');
  }

  private get noChart(): TemplateResult {
    return html`<p class="means">${this.ctx.text.served.nothing}</p>`;
  }

  private lines(data: SweepData | undefined, id: FieldId): TemplateResult {
    if (!data) return this.noChart;
    const { ctx } = this;
    define('scaling-sweep', SweepChart);
    return html`<scaling-sweep
      .data=${data}
      .format=${ctx.format}
      .words=${this.words}
      @move=${({ detail: { index, done } }: CustomEvent<Move>) =>
        ctx.actions.move([[id, data.x.values[index]!]], done)}
    ></scaling-sweep>`;
  }

  private drawFrontiers(): unknown {
    const { ctx, answers } = this;
    return frontiers.show(ctx, (words, drawn) => drawn.frontiers(ctx, words, answers));
  }
}

/** The charts at these places. */
export function servingCharts(ctx: RenderContext, places: readonly Place[]): TemplateResult {
  define('scaling-serving', ServingCharts);
  return html`<scaling-serving class="beyond" .ctx=${ctx} .places=${places}></scaling-serving>`;
}
