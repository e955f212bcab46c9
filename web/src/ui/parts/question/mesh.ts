import type { FieldId } from '../../../model/fields.ts';
import type { Scope } from '../../kit/scope.ts';

/** Whether the question is about several chips. */
export const spansChips = (scope: Scope): boolean =>
  scope.state.view === 'collective' || scope.value('operation.kind') === 'shardedMatmul';

/** The axes along which chips stand: of a torus those it has, of switches one: they only count. */
export function axesOf(scope: Scope): ('x' | 'y' | 'z')[] {
  const torus = scope.value('chip.network') === 'torus';
  return (['x', 'y', 'z'] as const).filter((axis) => {
    const id: FieldId = `mesh.${axis}`;
    const hasAxis = torus && Number(scope.value(`chip.torus${axis.toUpperCase()}`)) > 1;
    // What counts is never hidden.
    return axis === 'x' || hasAxis || scope.value(id) !== 1 || scope.invalid(id);
  });
}

/** The places of the chips that take part: `{x} × {y} × {z}`. */
export const mesh = (scope: Scope): string =>
  axesOf(scope)
    .map((axis) => `{${axis}}`)
    .join(' × ');
