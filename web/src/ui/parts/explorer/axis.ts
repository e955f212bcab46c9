import type { FieldInfo } from '../../../engine/index.ts';
import type { Axis } from '../../../model/charts.ts';
import { isNumeric, rangeFits, splitId, type FieldId } from '../../../model/fields.ts';
import { axesOf } from '../question/mesh.ts';
import type { RenderContext } from '../../kit/render-context.ts';
import { fieldsOf } from '../view.ts';
import { exploredIn } from './questions.ts';

/** An axis with its ends, and where the reader's own value lies between them. */
export interface Ranged {
  field: FieldId;
  info: FieldInfo;
  from: number;
  to: number;
  own: number;
}

/** The range of an axis unless the reader sets it: as far as people ask. */
const ranges: Record<string, readonly [number, number]> = {
  'operation.length': [1e3, 1e9],
  'operation.inputs': [1, 8],
  'operation.chain': [1, 64],
  'operation.fused': [1, 64],
  'operation.batch': [1, 65536],
  'operation.contraction': [128, 65536],
  'operation.output': [128, 65536],
  'operation.tileRows': [8, 4096],
  'operation.tileContraction': [8, 4096],
  'operation.tileOutput': [8, 4096],
  'operation.sequences': [1, 4096],
  'operation.queries': [1, 131072],
  'operation.keys': [128, 1048576],
  'operation.heads': [1, 256],
  'operation.kvHeads': [1, 256],
  'operation.headDim': [16, 512],
  'mesh.x': [2, 1024],
  'mesh.y': [1, 1024],
  'mesh.z': [1, 1024],
  'collective.bytes': [1e3, 1e10],
};
/** The factor below and above the present value, for other fields. */
const reach = 100;

const networks = [
  'linkBandwidth',
  'scaleUpBandwidth',
  'scaleOutBandwidth',
  'hopLatency',
  'scaleOutLatency',
].map((key): FieldId => `chip.${key}`);

/** Fields that are offered to be varied: others are, if a link says so. */
export function variedFields(ctx: RenderContext): FieldId[] {
  const { group, chipFields } = exploredIn(ctx);
  const ids: FieldId[] = [
    ...fieldsOf(ctx, group),
    ...axesOf(ctx).map((axis): FieldId => `mesh.${axis}`),
    ...chipFields(ctx),
    ...(ctx.asksFor('mesh') ? networks : []),
  ];
  return ids.filter((id) => id !== 'operation.kind' && matters(ctx, id) && ctx.value(id) !== null);
}

/** Fields that are offered for an axis. */
export const axisFields = (ctx: RenderContext): FieldId[] =>
  variedFields(ctx).filter((id) => isNumeric(ctx.info(id)));

/** Whether a field matters to the present question. */
export function matters(ctx: RenderContext, id: FieldId): boolean {
  const [group] = splitId(id);
  return ctx.asksFor(group) && ctx.applies(id);
}

const canBeAxis = (ctx: RenderContext, id: FieldId): boolean =>
  matters(ctx, id) && isNumeric(ctx.info(id)) && ctx.value(id) !== null;

/** The first axis of a chart. */
export const usualAxis = (ctx: RenderContext): FieldId => exploredIn(ctx).axis(ctx);

/** The vertical axis of a map whose horizontal axis is `over`. */
export function usualSecondAxis(ctx: RenderContext, over: FieldId): FieldId {
  const wishes: FieldId[] = [
    'operation.output',
    'operation.keys',
    'operation.sequences',
    'operation.contraction',
    'operation.batch',
    'mesh.x',
    'chip.memoryBandwidth',
    'chip.hopLatency',
  ];
  return wishes.find((id) => id !== over && canBeAxis(ctx, id)) ?? usualAxis(ctx);
}

/** The axis that the reader chose, where it makes sense here, or the usual one. */
export function rangedAxis(ctx: RenderContext, chosen: Axis | undefined, usual: FieldId): Ranged {
  const axis: Axis = chosen && canBeAxis(ctx, chosen.field) ? chosen : { field: usual };
  const info = ctx.info(axis.field);
  const own = Number(ctx.value(axis.field));
  const [from, to] = axis.range ?? usualRange(ctx, axis.field, info, own);
  return { field: axis.field, info, from, to, own };
}

/** The range that people ask for, extended to the reader's own value. */
function usualRange(
  ctx: RenderContext,
  id: FieldId,
  info: FieldInfo,
  own: number,
): readonly [number, number] {
  const around = [own / reach, own * reach] as const;
  const [low, high] = ranges[id] ?? (own > 0 ? around : [info.max / 1e9, info.max]);
  const from = Math.max(info.min, own > 0 ? Math.min(low, own) : low);
  const to = Math.min(info.max, Math.max(longest(ctx, id) ?? high, own));
  return rangeFits(info, from, to) ? [from, to] : [Math.max(info.min, 1), info.max];
}

/** An axis of a torus ends with the torus. */
function longest(ctx: RenderContext, id: FieldId): number | undefined {
  const [group, key] = splitId(id);
  if (group !== 'mesh' || ctx.value('chip.network') !== 'torus') return undefined;
  return Number(ctx.value(`chip.torus${key.toUpperCase()}`));
}

/** The field that the horizontal axis goes along. */
export const fieldAlong = (ctx: RenderContext): FieldId =>
  rangedAxis(ctx, ctx.state.charts.over, usualAxis(ctx)).field;

/** `count` values along an axis, evenly spaced on a logarithmic scale, and those in `also`. */
export function valuesAlong(
  { info, from, to }: Ranged,
  count: number,
  also: readonly number[] = [],
): number[] {
  const values = new Set([from, to, ...also.filter((value) => value >= from && value <= to)]);
  for (let i = 1; i < count - 1; ++i) {
    const value = from * (to / from) ** (i / (count - 1));
    values.add(info.kind === 'count' ? Math.round(value) : value);
  }
  return [...values].sort((a, b) => a - b);
}
