// The points of frontiers, found once for all that draw them.

import type { ServingModule, ServingPoint } from '../../../engine/index.ts';
import { mostOverlays } from '../../../model/charts.ts';
import { inputsOf } from '../../../model/evaluate.ts';
import { withOpenWays, type State } from '../../../model/state.ts';
import type { RenderContext } from '../../kit/render-context.ts';

/** The last ones by what was asked: as many as are drawn at a time, and some to come back to. */
const found = new Map<string, readonly ServingPoint[]>();
const most = 4 * (1 + mostOverlays);

const keyOf = ({ chip, prices, figures, model, edits }: State): string =>
  JSON.stringify([
    [chip, prices, figures, model, edits.chip, edits.model, edits.serving, edits.server],
  ]);

export const pointsOf = (state: State): readonly ServingPoint[] | undefined =>
  found.get(keyOf(state));

interface Place {
  /** Seconds of a token, and tokens a second of a chip. */
  x: number;
  y: number;
}

/** Points with the reader's own servers, whose load lies between those that were gone through: they
 * are a point of the frontier, too, where no other is both faster and fuller. */
export function withOwn(points: readonly Place[], own: Place): Place[] {
  if (points.some(({ x, y }) => x <= own.x && y >= own.y)) return [...points];
  const others = points.filter(({ x, y }) => x < own.x || y > own.y);
  return [...others, own].sort((one, other) => one.x - other.x);
}

/** Goes through all divisions and loads. */
export function findPoints(
  { engine, description }: RenderContext,
  state: State,
): readonly ServingPoint[] {
  const known = pointsOf(state);
  if (known) return known;
  const { chip, model, serving, server } = inputsOf(engine, withOpenWays(description, state));
  const input = { chip, model, serving, server } as Parameters<ServingModule['frontier']>[0];
  const reply = engine.loaded('serving')!.frontier(input);
  const points = reply.ok ? reply.points : [];
  found.set(keyOf(state), points);
  const [oldest] = found.keys();
  if (found.size > most) found.delete(oldest!);
  return points;
}
