import type { Bound, HeatMapData } from '../../../charts/index.ts';
import { rangedAxis, usualAxis, usualSecondAxis, valuesAlong, type Ranged } from './axis.ts';
import { finding, inSentence, sayPlace } from './finding.ts';
import type { Subject } from './subject.ts';

const cells = 100;

/** What binds over two inputs. */
export function heatMapData(subject: Subject): HeatMapData | undefined {
  const { scope, bound } = subject;
  const { text } = scope;
  const [x, y] = mapAxes(subject);
  const [xs, ys] = [valuesAlong(x, cells), valuesAlong(y, cells)];
  const found = subject.map({ field: x.field, values: xs }, { field: y.field, values: ys });
  if (!found) return undefined;
  const choices = subject.choices(bound);
  const inside = [x, y].every(({ own, from, to }) => own >= from && own <= to);
  const here = choices.indexOf(subject.results.choice(bound));
  return {
    title: finding(subject, x, subject.crossings(x)),
    description: scope.fill(text.charts.descriptions.heatMap, {
      x: inSentence(scope.label(x.field)),
      y: inSentence(scope.label(y.field)),
      xFrom: sayPlace(subject, x, x.from),
      xTo: sayPlace(subject, x, x.to),
      yFrom: sayPlace(subject, y, y.from),
      yTo: sayPlace(subject, y, y.to),
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

export function mapAxes({ scope }: Subject): [Ranged, Ranged] {
  const { over, against } = scope.state.charts;
  const x = rangedAxis(scope, over, usualAxis(scope));
  const chosen = against?.field === x.field ? undefined : against;
  return [x, rangedAxis(scope, chosen, usualSecondAxis(scope, x.field))];
}
