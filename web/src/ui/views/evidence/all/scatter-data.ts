// Measured against predicted, as the chart draws it.

import type { ScatterData, ScatterPoint } from '../../../../charts/evidence.ts';
import type { Collected } from '../runs/collection.ts';
import { sayError } from '../runs/words.ts';
import type { OwnRun } from '../runs/kept.ts';
import type { Kind, Pair, Run } from '../runs/run.ts';
import { errorOf, errorsOf, quantile } from '../runs/statistics.ts';
import { sayErrors } from './summary.ts';

const kinds: readonly Kind[] = ['dense', 'moe'];

/** `runs` in the order in which the keys go through them, from the least to the greatest. */
export const inOrder = (runs: readonly Run[]): Run[] =>
  [...runs].sort((a, b) => a.expected - b.expected);

/** Points of `runs`, which are in order, and of the reader's own. */
export function scatterData(
  { ctx, words, collection }: Collected,
  runs: readonly Run[],
  chosen: Run | undefined,
  own: readonly OwnRun[],
): ScatterData {
  const { unit, measure } = collection;
  const said = words.measures[measure];
  const present = kinds.filter((kind) => [...runs, ...own].some((run) => run.kind === kind));
  const errors = errorsOf(runs);
  const point = (run: Pair & { kind: Kind }, label: string): ScatterPoint => ({
    label,
    x: run.expected,
    y: run.measured,
    kind: present.indexOf(run.kind),
    likely: [run.low, run.high],
    bounds: [run.lower, run.upper],
    says: sayError(ctx, errorOf(run)),
  });
  const middle = (share: (run: Run) => number): number => quantile(runs.map(share), 0.5);
  const at = chosen ? runs.indexOf(chosen) : -1;
  return {
    title: sayErrors(ctx, collection, errors, words.chart.title),
    description: sayErrors(ctx, collection, errors, said.description),
    file: `evidence-${measure}`,
    x: { label: said.x, unit },
    y: { label: said.y, unit },
    kinds: present.map((kind) => words.kinds[kind]),
    points: runs.map((run) => point(run, collection.call(ctx, words, run))),
    ...(at >= 0 && { chosen: at }),
    own: own.map((run) => point(run, ctx.fill(words.ownLabel, { run: run.name }))),
    band: {
      from: middle(({ low, expected }) => low / expected),
      to: middle(({ high, expected }) => high / expected),
    },
    diagonal: words.chart.diagonal,
  };
}
