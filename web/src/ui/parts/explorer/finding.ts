import type { Crossing } from '../../../engine/index.ts';
import type { Ranged } from './axis.ts';
import type { ChartQuery } from './chart-query.ts';

/** A place among counts below this is the one after which something holds, not the nearest. */
const few = 100;

/**
 * A place on an axis in words, rounded as answers are: the critical batch of a chart is that of the
 * answer. Among few counts, the one after which something is so.
 */
export function sayPlace({ ctx }: ChartQuery, { info }: Ranged, at: number): string {
  const { format } = ctx;
  if (info.kind === 'count') return format.count(at < few ? Math.floor(at) : at);
  return format.say(at, info.unit);
}

/** A field's name within a sentence. */
export const inSentence = (label: string): string =>
  /^\p{Lu}\p{Ll}/u.test(label) ? label.charAt(0).toLowerCase() + label.slice(1) : label;

/** The nearest change of the bound along an axis: `Compute-bound above batch B = 272`. */
export function finding(query: ChartQuery, axis: Ranged, crossings: readonly Crossing[]): string {
  const { ctx, results, bound } = query;
  const { findings } = ctx.text.charts;
  const name = (choice: string): string => ctx.choiceOfAnswer(bound, choice);
  const before = crossings.filter(({ at }) => at <= axis.own).at(-1);
  const after = crossings.find(({ at }) => at > axis.own);
  const here = results.choice(bound);
  const field = inSentence(ctx.label(axis.field));
  const parts = {
    field,
    // A value with a unit needs no name.
    name: axis.info.unit ? '' : ctx.fill(findings.name, { field }),
    own: sayPlace(query, axis, axis.own),
    from: sayPlace(query, axis, axis.from),
    to: sayPlace(query, axis, axis.to),
    here: name(here),
  };
  if (before) {
    return ctx.fill(findings.reached, {
      ...parts,
      bound: name(before.after),
      at: sayPlace(query, axis, before.at),
    });
  }
  if (after) {
    return ctx.fill(findings.ahead, {
      ...parts,
      bound: inSentence(name(after.after)),
      at: sayPlace(query, axis, after.at),
    });
  }
  return here ? ctx.fill(findings.always, parts) : ctx.label(axis.field);
}
