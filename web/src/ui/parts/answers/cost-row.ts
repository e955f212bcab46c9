import { chipOf, citedOf } from '../../../model/presets.ts';
import type { Scope } from '../../kit/scope.ts';
import type { Row } from '../view.ts';
import type { Results } from './results.ts';

/** What a run costs, at whose price. */
export function costRow(scope: Scope, results: Results): Row {
  const { says } = scope.text;
  const figure = chipOf(scope.state.chip).figures.price;
  const { provider = '', date } = figure ? citedOf(figure, scope.state.figures) : {};
  const listed = !scope.edited('chip.price');
  const parts = {
    hours: results.say('chipHours'),
    price: scope.format.say(Number(scope.value('chip.price')), 'USD'),
    provider,
    date: date ? scope.format.month(date) : '',
    energy: results.say('energy'),
  };
  const sentences = [
    results.number('cost') === undefined
      ? says.costUnknown
      : listed && date
        ? says.costListed
        : says.cost,
    results.number('energy') === undefined ? '' : says.energy,
  ];
  return {
    key: 'cost',
    means: scope.sentences(sentences.map((sentence) => scope.fill(sentence, parts))),
    changes: 'chip.price',
    related: ['chipHours', 'energy'],
  };
}
