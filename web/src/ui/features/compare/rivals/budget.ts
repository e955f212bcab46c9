// The drawing of what a budget buys on several chips, which loads behind the answers.

import { html, type PropertyDeclarations, type TemplateResult } from 'lit';
import { RivalsDrawing, type RivalsData } from '../../../../charts/drawn/rivals/index.ts';
import { renderOutline } from '../../../../charts/drawn/draw.ts';
import { outlineOfRivals } from '../../../../charts/drawn/outline.ts';
import { define } from '../../../../dom/define.ts';
import { sheetOf } from '../../../../dom/sheet.ts';
import { partOf } from '../../../../i18n/dictionary.ts';
import { LightElement } from '../../../kit/light-element.ts';
import type { RenderContext } from '../../../kit/render-context.ts';
import type { Results } from '../../../kit/results.ts';
import type { Draws } from '../../../parts/picture/picture.ts';
import { viewOf } from '../../../parts/view.ts';
import { chipsIn } from '../sides/facts.ts';
import type { Side } from '../sides/rows.ts';
import { infosOf, sayAnswer } from '../table/columns.ts';
import { chipsBeside } from '../usual-chips.ts';
import { budgetSides } from './budget-sides.ts';
import style from './rivals.css?inline';
import { contestBy, rivalsOf, type Candidate, type Compared, type Words } from './rivals.ts';

/** Draws the answers; `ask` is told of which part the reader wants to know more. */
export function drawn(
  ctx: RenderContext,
  _: Results,
  opened: string | undefined,
  ask: (key: string) => void,
): TemplateResult {
  define('scaling-rivals-drawing', RivalsDrawing);
  define('scaling-budget-rivals', BudgetRivals);
  return html`<scaling-budget-rivals
    .ctx=${ctx}
    .opened=${opened}
    .ask=${ask}
  ></scaling-budget-rivals>`;
}

/** Draws itself anew as other chips are answered. Renders into its parent's tree. */
class BudgetRivals extends LightElement {
  static override sheets = [sheetOf(style)];
  static override properties: PropertyDeclarations = {
    ctx: { attribute: false },
    opened: { attribute: false },
    ask: { attribute: false },
  };

  declare ctx: RenderContext;
  declare opened: string | undefined;
  declare ask: (key: string) => void;

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    budgetSides(this.ctx).stop();
  }

  protected override render(): TemplateResult {
    const { ctx, opened } = this;
    budgetSides(ctx).told = () => this.requestUpdate();
    const data = drawingOf(ctx);
    return html`<scaling-rivals-drawing
      .data=${data}
      .words=${ctx.text.drawn}
      .opened=${opened}
      @why=${({ detail }: CustomEvent<string>) => this.follow(data, detail)}
    ></scaling-rivals-drawing>`;
  }

  /** The reason, of the reader's own chip; others are gone to. */
  private follow({ rivals }: RivalsData, key: string): void {
    const { ctx } = this;
    const at = rivals.findIndex(({ amounts }) => amounts.some((each) => each.key === key));
    if (at === 0) this.ask(key);
    else if (at > 0) ctx.actions.go(budgetSides(ctx).sides[at]!.state());
  }
}

export function drawingOf(ctx: RenderContext): RivalsData {
  const words = partOf(ctx.language, 'sides').use(ctx.actions);
  const all = budgetSides(ctx);
  const candidates = all.sides.map((side, index) => candidateOf(ctx, words, side, index === 0));
  const [tokens, ...others] = comparedOf(ctx, all.left === 0);
  const title = words ? sayMost(ctx, words, tokens!, candidates) : ctx.text.ui.sides;
  return rivalsOf(ctx, words, title, candidates, [tokens!, ...others]);
}

function candidateOf(
  ctx: RenderContext,
  words: Words | undefined,
  side: Side,
  own: boolean,
): Candidate {
  const { id, name } = side;
  const asked = budgetSides(ctx).of(ctx, side);
  const n = chipsIn(ctx, asked?.state ?? side.state());
  const issues = asked?.reply?.ok === false ? asked.reply.issues : [];
  const there = asked ? ctx.at(asked.state) : ctx;
  return {
    id,
    name,
    chips: n,
    onChips: words ? ctx.fill(words.chips, { n: ctx.format.count(n) }, { n }) : '',
    asked,
    lacks: asked ? issues.map((issue) => there.issueMessage(issue)).join(' ') : '…',
    contends: asked?.reply?.ok === true,
    own,
  };
}

/** The tokens; and how long money lasts, or what the days cost. */
function comparedOf(ctx: RenderContext, isKnown: boolean): Compared[] {
  const { best } = viewOf(ctx);
  return [
    {
      key: best!.key,
      most: true,
      namesUnit: true,
      best: isKnown ? 'tokens' : undefined,
      band: ({ state, reply }) => (reply?.ok ? best!.band?.(ctx, state, reply.answers) : undefined),
    },
    {
      key: ctx.value('budget.kind') === 'time' ? 'cost' : 'trainingTime',
      // Both follow from the budget and a price.
      band: () => undefined,
    },
  ];
}

/** What buys the most tokens, or that it can't be told. */
function sayMost(
  ctx: RenderContext,
  words: Words,
  tokens: Compared,
  candidates: readonly Candidate[],
): string {
  const contest = tokens.best && contestBy(tokens, candidates);
  if (!contest) return words.title;
  const { best, alike } = contest;
  const info = infosOf(ctx).get(tokens.key)!;
  const { name } = best.candidate;
  return alike.length > 0
    ? ctx.fill(words.said.alike.tokens, {
        names: [best, ...alike].map(({ candidate }) => candidate.name).join(words.comma),
      })
    : ctx.fill(words.said.tokens, { name, value: sayAnswer(ctx, info, best.value) });
}

/** What stays of it where there is no answer. */
export const missing: Draws['missing'] = ({ state }, heights) =>
  renderOutline(outlineOfRivals(chipsBeside(state).length), heights);

/** Each amount is an answer itself. */
export const reasons: Draws['reasons'] = {};
