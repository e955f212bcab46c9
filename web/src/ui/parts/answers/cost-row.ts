import { chipOf, citedOf } from '../../../model/presets.ts';
import type { RenderContext } from '../../kit/render-context.ts';
import type { Row } from '../view.ts';
import type { Results } from './results.ts';

/** The cost of a run and the source of its price. */
export function costRow(ctx: RenderContext, results: Results): Row {
  const { says } = ctx.text;
  const figure = chipOf(ctx.state.chip).figures.price;
  const { provider = '', date } = figure ? citedOf(figure, ctx.state.figures) : {};
  const listed = !ctx.edited('chip.price');
  const parts = {
    hours: results.say('chipHours'),
    price: ctx.format.say(Number(ctx.value('chip.price')), 'USD'),
    provider,
    date: date ? ctx.format.month(date) : '',
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
    means: ctx.sentences(sentences.map((sentence) => ctx.fill(sentence, parts))),
    changes: 'chip.price',
    related: ['chipHours', 'energy'],
  };
}
