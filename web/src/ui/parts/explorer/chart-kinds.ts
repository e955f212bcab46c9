import { charts, type Chart } from '../../../model/views.ts';
import type { ChartKind } from './chart-kind.ts';

const folders = import.meta.glob<ChartKind>('./charts/*/chart.ts', {
  eager: true,
  import: 'default',
});

/** The kinds of charts, by their folders: that of `heatMap` is `charts/heat-map/`. */
export const chartKinds = Object.fromEntries(
  charts.map((chart) => {
    const folder = chart.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    return [chart, folders[`./charts/${folder}/chart.ts`]];
  }),
) as Readonly<Record<Chart, ChartKind>>;
