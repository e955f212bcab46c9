// The style of calculators. Later files override earlier ones.

import { sheetOf } from '../../dom/sheet.ts';
import tokens from './style/tokens.css?inline';
import base from './style/base.css?inline';
import loading from './style/loading.css?inline';
import question from './style/question.css?inline';
import assumptions from './style/assumptions.css?inline';
import answers from './style/answers.css?inline';
import figures from './style/figures.css?inline';
import charts from './style/charts.css?inline';
import picture from './style/picture.css?inline';
import derivations from './style/derivations.css?inline';
import wide from './style/wide.css?inline';
import forcedColors from './style/forced-colors.css?inline';
import print from './style/print.css?inline';

export const style = sheetOf(
  [
    tokens,
    base,
    loading,
    question,
    assumptions,
    answers,
    figures,
    charts,
    picture,
    derivations,
    wide,
    forcedColors,
    print,
  ].join(''),
);
