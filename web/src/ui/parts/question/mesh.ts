import type { FieldId } from '../../../model/fields.ts';
import type { RenderContext } from '../../kit/render-context.ts';

/** The axes along which chips stand: of a torus those it has, of switches one: they only count. */
export function axesOf(ctx: RenderContext): ('x' | 'y' | 'z')[] {
  const torus = ctx.value('chip.network') === 'torus';
  return (['x', 'y', 'z'] as const).filter((axis) => {
    const id: FieldId = `mesh.${axis}`;
    const hasAxis = torus && Number(ctx.value(`chip.torus${axis.toUpperCase()}`)) > 1;
    // An axis that has an effect is never hidden.
    return axis === 'x' || hasAxis || ctx.value(id) !== 1 || ctx.invalid(id);
  });
}

/** The places of the chips that take part: `{x} × {y} × {z}`. */
export const mesh = (ctx: RenderContext): string =>
  axesOf(ctx)
    .map((axis) => `{${axis}}`)
    .join(' × ');
