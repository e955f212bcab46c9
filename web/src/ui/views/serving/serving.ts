import { html } from 'lit';
import type { View } from '../../parts/view.ts';
import { servingWithoutCharts } from './without-charts.ts';
import './serving-charts.ts';

/** The question of how to serve a model. */
export const serving: View = {
  ...servingWithoutCharts,
  belowAnswers: (ctx) => html`<scaling-serving class="beyond" .ctx=${ctx}></scaling-serving>`,
};
