// Inputs of searches: the reader's own, or a variation of it.

import type { Engine, FieldValue, GroupName, Inputs } from '../../../engine/index.ts';
import { inputsOf } from '../../../model/evaluate.ts';
import { leftToSearch, type State } from '../../../model/state.ts';
import { fieldInfo, type FieldId } from '../../../model/fields.ts';
import type { RenderContext } from '../../kit/render-context.ts';

export type PlanInput = Record<GroupName, Record<string, FieldValue>>;

/** The input without what a search chooses itself, which would be no reason to search anew. */
export function searchedInput(engine: Engine, state: State): PlanInput {
  const description = engine.describe();
  const input = structuredClone(inputsOf(engine, state)) as PlanInput;
  for (const key of leftToSearch(description, state)) {
    input.layout[key] = fieldInfo(description, `layout.${key}`)!.default;
  }
  return input;
}

/** The share of the memory that a search's roomy layout leaves free, and the field that keeps it. */
export const room = 0.1;
export const reserve = 'assumptions.memoryReserve';

export const ownInput = (ctx: RenderContext): Inputs['plan'] => inputsOf(ctx.engine, ctx.state);

export function withValues(
  input: PlanInput,
  changes: readonly (readonly [FieldId, FieldValue])[],
): PlanInput {
  const result = structuredClone(input);
  for (const [id, value] of changes) {
    const [group = '', key = ''] = id.split('.');
    result[group as GroupName][key] = value;
  }
  return result;
}

/** The key of a search, which changes with everything that it depends on. */
export const keyOf = (...parts: unknown[]): string => JSON.stringify(parts);
