import { splitId, type FieldId } from '../../model/fields.ts';
import type { State } from '../../model/state.ts';
import { views } from '../../model/views.ts';
import type { RenderContext } from './render-context.ts';

/** The field that says on how many chips. */
export const chipsOf = ({ view }: State): FieldId => views[view].chips ?? 'run.chips';

/** Model, chips and their number as far as the question has them, by which questions are told apart. */
export function nameOfQuestion(ctx: RenderContext): string {
  const chips = chipsOf(ctx.state);
  const chip = ctx.called('chip');
  return [
    ...(ctx.asksFor('model') ? [ctx.called('model')] : []),
    ctx.asksFor(splitId(chips)[0])
      ? `${ctx.format.count(Number(ctx.value(chips)))} × ${chip}`
      : chip,
  ].join(' · ');
}

/** Whether several questions stand side by side, in place of one. */
export const isBeside = ({ state: { charts, view } }: RenderContext): boolean =>
  charts.sides !== undefined && views[view].sides === view;

/** The title of the document: of what the state asks, in which view. */
export function titleOf(ctx: RenderContext): string {
  const { ui } = ctx.text;
  const { page, view } = ctx.state;
  const subject = page ? [] : [isBeside(ctx) ? ui.sides : nameOfQuestion(ctx)];
  return [...subject, ui.views[page ?? view], ui.title].join(' · ');
}
