import { isOwned, listedPrice } from '../../../model/state.ts';
import type { RenderContext } from '../../kit/render-context.ts';
import type { Row } from '../view.ts';
import type { Results } from '../../kit/results.ts';

/** The choice of prices in a row of costs, where the calculator has one. */
export function offerPrices({ features, present }: RenderContext): Pick<Row, 'offer' | 'offered'> {
  const { prices } = features;
  return prices ? { offer: prices.offer(present), offered: prices.fields(present) } : {};
}

/** The answers of a cost: with failures, also the one without. */
interface CostAnswers {
  cost: string;
  hours: string;
  without?: string;
}

/** Why a price leaves a number of money unknown: there is none, or it is 0, which limits nothing. */
export const whyUnknown = (
  { text: { says } }: RenderContext,
  results: Results,
  key: string,
): string => (results.absence(key) === 'outOfRange' ? says.moneyUnlimited : says.costUnknown);

/** The cost of a run and the source of its price. */
export function costRow(
  ctx: RenderContext,
  results: Results,
  { cost, hours, without }: CostAnswers = { cost: 'cost', hours: 'chipHours' },
): Row {
  const { says } = ctx.text;
  const { provider = '', date } = listedPrice(ctx.state) ?? {};
  const owned = isOwned(ctx.state);
  const parts = {
    hours: results.say(hours),
    without: without ? results.say(without) : '',
    price: ctx.format.say(
      Number(owned ? results.number('chipHourPrice') : ctx.value('chip.price')),
      'USD',
    ),
    provider,
    date: date ? ctx.format.month(date) : '',
    energy: results.say('energy'),
  };
  const sentences = [
    results.number(cost) === undefined
      ? whyUnknown(ctx, results, cost)
      : date && !ctx.drafts.has('chip.price')
        ? says.costListed
        : says.cost,
    without && results.number(without) !== undefined ? says.costWithout : '',
    results.number('energy') === undefined ? '' : says.energy,
  ];
  return {
    key: cost,
    means: ctx.sentences(sentences.map((sentence) => ctx.fill(sentence, parts))),
    changes: owned ? 'chip.purchase' : 'chip.price',
    ...offerPrices(ctx),
    ...(owned && results.number(cost) !== undefined && { derive: [cost, 'chipHourPrice'] }),
    related: [...(without ? [without] : []), hours, 'chipHourPrice', 'energy'],
  };
}
