// The division of a state's chips, in few words.

import type { Answers } from '../../../model/evaluate.ts';
import { inputOf, type State } from '../../../model/state.ts';
import type { RenderContext } from '../../kit/render-context.ts';
import { viewOf } from '../../parts/view.ts';
import type { Words } from './words.ts';

/** The ways of a plan or of a server that are more than one; empty for questions without. */
export function sayDivision(
  ctx: RenderContext,
  { table: { ways: words }, between }: Pick<Words, 'table' | 'between'>,
  state: State,
  answers: Answers,
): string {
  const { description, format } = ctx;
  const { ways: group } = viewOf(ctx);
  if (!group) return '';
  const input = inputOf(description, state, group);
  const { data, ...ways } = words;
  const count = (key: string): number => Number(input[key] ?? 1);
  const said = Object.entries(ways)
    .filter(([key]) => count(key) > 1)
    .map(([key, word]) => ctx.fill(word, { n: format.count(count(key)) }));
  const dataWays = answers['dataWays'];
  if (typeof dataWays === 'number' && dataWays > 1) {
    said.push(ctx.fill(data, { n: format.count(dataWays) }));
  }
  return said.join(between);
}
