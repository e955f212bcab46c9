import type { Bound, HeatMapData } from '../../../charts/index.ts';
import { rangedAxis, usualAxis, usualSecondAxis, valuesAlong, type Ranged } from './axis.ts';
import { finding, inSentence, sayPlace } from './finding.ts';
import type { ChartQuery } from './chart-query.ts';

const cells = 100;

/** What binds over two inputs. */
export function heatMapData(query: ChartQuery): HeatMapData | undefined {
  const { scope, bound } = query;
  const { text } = scope;
  const [x, y] = mapAxes(query);
  const [xs, ys] = [valuesAlong(x, cells), valuesAlong(y, cells)];
  const found = query.map({ field: x.field, values: xs }, { field: y.field, values: ys });
  if (!found) return undefined;
  const choices = query.choices(bound);
  const inside = [x, y].every(({ own, from, to }) => own >= from && own <= to);
  const here = choices.indexOf(query.results.choice(bound));
  return {
    title: finding(query, x, query.crossings(x)),
    description: scope.fill(text.charts.descriptions.heatMap, {
      x: inSentence(scope.label(x.field)),
      y: inSentence(scope.label(y.field)),
      xFrom: sayPlace(query, x, x.from),
      xTo: sayPlace(query, x, x.to),
      yFrom: sayPlace(query, y, y.from),
      yTo: sayPlace(query, y, y.to),
    }),
    file: `${bound}-${x.field}-${y.field}`.replaceAll('.', '-'),
    x: { label: scope.label(x.field), unit: x.info.unit, scale: 'log', values: xs },
    y: { label: scope.label(y.field), unit: y.info.unit, scale: 'log', values: ys },
    cells: found.values,
    absent: found.absent,
    right: found.right,
    up: found.up,
    categories: choices.map((choice) => ({
      label: scope.choiceOfAnswer(bound, choice),
      ...(bound === 'bound' && { bound: choice as Bound }),
    })),
    absences: scope.description.absences.map((reason) => text.absences[reason]),
    ...(inside && { own: { x: x.own, y: y.own, ...(here >= 0 && { category: here }) } }),
  };
}

export function mapAxes({ scope }: ChartQuery): [Ranged, Ranged] {
  const { over, against } = scope.state.charts;
  const x = rangedAxis(scope, over, usualAxis(scope));
  const chosen = against?.field === x.field ? undefined : against;
  return [x, rangedAxis(scope, chosen, usualSecondAxis(scope, x.field))];
}
