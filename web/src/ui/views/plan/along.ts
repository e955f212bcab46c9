// The steps of a layout's ways.

import { alongThese, divisorsOf } from '../../../number/along.ts';
import { step, type Along } from '../../../number/step.ts';
import { evaluate } from '../../../model/evaluate.ts';
import type { FieldId } from '../../../model/fields.ts';
import { withField } from '../../../model/state.ts';
import { ruleOf } from '../../parts/question/field.ts';
import type { RenderContext } from '../../kit/render-context.ts';

export const valueOf = (ctx: RenderContext, id: FieldId): number => Number(ctx.value(id));

/** Valid values of the field: ways divide a slice's chips, chunks the layers. */
export function divisors(ctx: RenderContext, id: FieldId): number[] {
  const whole =
    id === 'layout.virtualStages'
      ? Math.ceil(valueOf(ctx, 'model.layers') / valueOf(ctx, 'layout.pipeline'))
      : valueOf(ctx, 'run.chips') / valueOf(ctx, 'run.slices');
  return divisorsOf(whole);
}

const chipWays: readonly FieldId[] = ['layout.tensor', 'layout.context', 'layout.pipeline'];

/** The steps of a layout's ways: divisors of the number that they divide. */
export function layoutSteps(ctx: RenderContext, id: FieldId): Along | undefined {
  if (id === 'layout.expert') return alongThese(() => divisorsOf(valueOf(ctx, 'model.experts')));
  if (id === 'layout.virtualStages') return alongThese(() => divisors(ctx, id));
  if (!chipWays.includes(id)) return undefined;
  const others = chipWays.filter((other) => other !== id).map((other) => valueOf(ctx, other));
  const left = others.reduce(
    (chips, ways) => chips / ways,
    valueOf(ctx, 'run.chips') / valueOf(ctx, 'run.slices'),
  );
  const divides: Partial<Record<FieldId, (ways: number) => boolean>> = {
    'layout.tensor': (ways) => valueOf(ctx, 'model.heads') % ways === 0,
    'layout.context': (ways) => valueOf(ctx, 'run.sequenceLength') % ways === 0,
    'layout.pipeline': (ways) => ways <= valueOf(ctx, 'model.layers'),
  };
  // Steps cannot mend a quotient that is not whole to begin with.
  return Number.isInteger(left)
    ? alongThese(() => divisorsOf(left).filter(divides[id]!))
    : undefined;
}

/** The next degree up or down with which there are answers, if there is one. */
export function allowedStep(
  ctx: RenderContext,
  id: FieldId,
  direction: 1 | -1,
): number | undefined {
  const { description, engine, state } = ctx;
  const rule = { ...ruleOf(ctx.info(id)), along: layoutSteps(ctx, id) };
  let value = valueOf(ctx, id);
  for (;;) {
    const next = step(value, direction, false, rule);
    if (next === value) return undefined;
    if (evaluate(engine, withField(description, state, id, next)).ok) return next;
    value = next;
  }
}
