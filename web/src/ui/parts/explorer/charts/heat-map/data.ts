import type { Bound, HeatMapData } from '../../../../../charts/index.ts';
import { rangedAxis, usualAxis, usualSecondAxis, valuesAlong, type Ranged } from '../../axis.ts';
import { finding, inSentence, sayPlace } from '../../finding.ts';
import type { ChartQuery } from '../../chart-query.ts';

const cells = 100;

/** The map of the bound over two inputs. */
export function heatMapData(query: ChartQuery): HeatMapData | undefined {
  const { ctx, bound } = query;
  const { text } = ctx;
  const [x, y] = mapAxes(query);
  const [xs, ys] = [valuesAlong(x, cells), valuesAlong(y, cells)];
  const found = query.map({ field: x.field, values: xs }, { field: y.field, values: ys });
  if (!found) return undefined;
  const choices = query.choices(bound);
  const inside = [x, y].every(({ own, from, to }) => own >= from && own <= to);
  const here = choices.indexOf(query.results.choice(bound));
  return {
    title: finding(query, x, query.crossings(x)),
    description: ctx.fill(text.charts.descriptions.heatMap, {
      x: inSentence(ctx.label(x.field)),
      y: inSentence(ctx.label(y.field)),
      xFrom: sayPlace(query, x, x.from),
      xTo: sayPlace(query, x, x.to),
      yFrom: sayPlace(query, y, y.from),
      yTo: sayPlace(query, y, y.to),
    }),
    file: `${bound}-${x.field}-${y.field}`.replaceAll('.', '-'),
    x: { label: ctx.label(x.field), unit: x.info.unit, scale: 'log', values: xs },
    y: { label: ctx.label(y.field), unit: y.info.unit, scale: 'log', values: ys },
    cells: found.values,
    absent: found.absent,
    right: found.right,
    up: found.up,
    categories: choices.map((choice) => ({
      label: ctx.choiceOfAnswer(bound, choice),
      ...(bound === 'bound' && { bound: choice as Bound }),
    })),
    absences: ctx.description.absences.map((reason) => text.absences[reason]),
    ...(inside && { own: { x: x.own, y: y.own, ...(here >= 0 && { category: here }) } }),
  };
}

export function mapAxes({ ctx }: ChartQuery): [Ranged, Ranged] {
  const { over, against } = ctx.state.charts;
  const x = rangedAxis(ctx, over, usualAxis(ctx));
  const chosen = against?.field === x.field ? undefined : against;
  return [x, rangedAxis(ctx, chosen, usualSecondAxis(ctx, x.field))];
}
