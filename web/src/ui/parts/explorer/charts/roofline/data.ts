import type {
  Bound,
  OtherChip,
  Point,
  RooflineData,
  Track,
  Zone,
} from '../../../../../charts/index.ts';
import type { MemoryLevel, Roofs } from '../../../../../engine/index.ts';
import { chipOf, figuresOf } from '../../../../../model/presets.ts';
import type { RenderContext } from '../../../../kit/render-context.ts';
import { rangedAxis, usualAxis, valuesAlong, type Ranged } from '../../axis.ts';
import { finding } from '../../finding.ts';
import type { ChartQuery } from '../../chart-query.ts';
import { shownKernels } from '../../measured-kernels.ts';

const trackSteps = 160;

/** The performance of the operation under the roofs of the chip. */
export function rooflineData(query: ChartQuery): RooflineData | undefined {
  const { ctx, results } = query;
  const { text } = ctx;
  const roofs = query.roofs();
  if (!roofs.ok) return undefined;
  const own = ownFormat(ctx);
  const level = String(ctx.value('operation.operandsIn'));
  const axis = rangedAxis(ctx, ctx.state.charts.over, usualAxis(ctx));
  const point = ownPoint(query);
  const others = (ctx.state.charts.overlay ?? []).flatMap((id) => other(query, id, own, level));
  return {
    title: finding(query, axis, query.crossings(axis)),
    description: ctx.fill(text.charts.descriptions.roofline, {
      chip: ctx.called('chip'),
      intensity: results.say('intensity'),
      achieved: results.say('achievedFlops'),
      critical: results.say('criticalIntensity'),
    }),
    file: `roofline-${ctx.state.chip}`,
    x: { label: ctx.answer('intensity').label, unit: 'FLOPs/B' },
    y: { label: ctx.answer('achievedFlops').label, unit: 'FLOPs/s' },
    peaks: roofs.peaks.map(({ format: name, rate }) => ({
      label: name === 'vector' ? text.charts.vector : name,
      rate,
      own: name === own,
    })),
    slopes: roofs.slopes.map((slope) => ({
      label: text.charts.levels[slope.level],
      bandwidth: slope.bandwidth,
      bound: slope.level === 'network' ? 'network' : 'memory',
      own: slope.level === level,
    })),
    zones: zones(query, roofs, own, level),
    chip: {
      label: ctx.called('chip'),
      says: sayRidge(ctx, results.number('criticalIntensity'), results.number('achievedFlops')),
    },
    chips: others.map(({ chip }) => chip),
    points: [
      ...(point ? [point] : []),
      ...layerPoints(query),
      ...others.flatMap(({ point: there }, chip) => (there ? [{ ...there, chip }] : [])),
    ],
    ...shownKernels(ctx),
    ...(point && track(query, axis)),
  };
}

/** The roof that the operation runs under. */
const ownFormat = (ctx: RenderContext): string =>
  ctx.applies('operation.computeFormat') ? String(ctx.value('operation.computeFormat')) : 'vector';

/** The zones between the ridges of the memories: all bind, only the slow ones bind, or computing
 * does; each is called by what binds. */
function zones(
  { ctx }: ChartQuery,
  { peaks, slopes, ridges }: Roofs,
  own: string,
  level: string,
): Zone[] {
  const { computing, levels } = ctx.text.charts;
  const peak = peaks.findIndex(({ format }) => format === own);
  const binding = slopes
    .map(({ level: each }, index) => ({ level: each, ridge: ridges[peak]?.[index] ?? 0 }))
    .filter(({ level: each, ridge }) => ridge > 0 && (isNear(each) || each === level))
    .sort((one, next) => one.ridge - next.ridge);
  if (binding.length === 0) return [];
  return [
    ...binding.map(({ ridge }, index): Zone => {
      const names = binding.slice(index).map(({ level: each }) => levels[each]);
      return {
        until: ridge,
        label: names.join(ctx.text.charts.and),
        bound: 'memory',
        partly: index > 0,
      };
    }),
    { label: computing, bound: 'compute' },
  ];
}

const isNear = (level: MemoryLevel): boolean => level === 'hbm' || level === 'onChip';

function ownPoint({ ctx, results }: ChartQuery): Point | undefined {
  const intensity = results.number('intensity');
  const achieved = results.number('achievedFlops');
  if (intensity === undefined || achieved === undefined) return undefined;
  const bound = results.choice('bound') as Bound;
  return { label: ctx.text.charts.own, intensity, achieved, bound, own: true };
}

/** The operations of a layer of the model, for as many tokens as the reader says. */
function layerPoints(query: ChartQuery): Point[] {
  const { ctx } = query;
  const ofModel = ctx.description.questions.operation.when.model?.choices ?? [];
  const kinds = ofModel.filter((kind) => kind !== ctx.value('operation.kind'));
  const series = query.sweep('operation.kind', kinds, ['intensity', 'achievedFlops', 'bound']);
  if (!series) return [];
  const { intensity, achievedFlops, bound } = series;
  const bounds = query.choices('bound');
  return kinds.flatMap((kind, index) => {
    if (!intensity || !achievedFlops || !bound) return [];
    if (intensity.absent[index] || achievedFlops.absent[index] || bound.absent[index]) return [];
    return {
      label: ctx.text.charts.points[kind as keyof typeof ctx.text.charts.points],
      intensity: intensity.values[index]!,
      achieved: achievedFlops.values[index]!,
      bound: bounds[bound.values[index]!] as Bound,
    };
  });
}

/** The track of the reader's own point along the axis; undefined if the point stays. */
function track(query: ChartQuery, axis: Ranged): { track: Track } | undefined {
  const values = valuesAlong(axis, trackSteps, [axis.own]);
  const series = query.sweep(axis.field, values, ['intensity', 'achievedFlops']);
  const { intensity, achievedFlops } = series ?? {};
  if (!intensity || !achievedFlops) return undefined;
  const steps = values.flatMap((value, index) =>
    intensity.absent[index] || achievedFlops.absent[index]
      ? []
      : { value, intensity: intensity.values[index]!, achieved: achievedFlops.values[index]! },
  );
  const rises = steps.every((step, index) => step.intensity >= (steps[index - 1]?.intensity ?? 0));
  const moves = (steps.at(-1)?.intensity ?? 0) > (steps[0]?.intensity ?? 0);
  if (!rises || !moves) return undefined;
  const { ctx } = query;
  const label = ctx.label(axis.field);
  return { track: { label, unit: axis.info.unit, steps, value: axis.own } };
}

interface Other {
  chip: OtherChip;
  /** The point of the reader's operation on that chip, if it can run there. */
  point: Point | undefined;
}

/** The roof of another chip, in the same format or the nearest that it has. */
function other(query: ChartQuery, id: string, own: string, level: string): Other[] {
  const { ctx } = query;
  const chip = chipOf(id);
  const figures = figuresOf(chip, ctx.state.figures);
  const roofs = query.roofs(figures);
  if (!roofs.ok) return [];
  const peak = [own, 'bf16', 'fp16', 'fp32']
    .map((name) => roofs.peaks.findIndex(({ format }) => format === name))
    .find((found) => found >= 0);
  const slope = [level, 'hbm']
    .map((name) => roofs.slopes.findIndex((each) => each.level === name))
    .find((found) => found >= 0);
  if (peak === undefined || slope === undefined) return [];
  const { format, rate } = roofs.peaks[peak]!;
  const reached = query.elsewhere(figures, format);
  const point: Point | undefined = reached && {
    ...reached,
    label: ctx.fill(ctx.text.charts.ownOn, { chip: chip.name }),
  };
  return [
    {
      chip: {
        label: chip.name,
        rate,
        bandwidth: roofs.slopes[slope]!.bandwidth,
        says: sayRidge(ctx, roofs.ridges[peak]![slope]!, point?.achieved),
      },
      point,
    },
  ];
}

/** A chip's line in the legend: its critical intensity, and the performance of the operation. */
function sayRidge(
  ctx: RenderContext,
  ridge: number | undefined,
  achieved: number | undefined,
): string {
  const { legend } = ctx.text.charts;
  const said = achieved !== undefined ? legend.both : legend.ridge;
  if (ridge === undefined) return '';
  return ctx.fill(said, {
    ridge: ctx.format.say(ridge, 'FLOPs/B'),
    achieved: achieved === undefined ? '' : ctx.format.say(achieved, 'FLOPs/s'),
  });
}
