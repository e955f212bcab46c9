// The choice of the basis of all chips' prices, beside costs. Only the page offers it; elements in
// posts have the price that their state says.

import type { TemplateResult } from 'lit';
import type { RenderContext } from '../../kit/render-context.ts';

type Offer = (ctx: RenderContext) => TemplateResult;
let offer: Offer | undefined;

export const providePriceOffer = (given: Offer): void => void (offer = given);

/** The controls in a row of costs. */
export const offerPrices = (ctx: RenderContext): { offer?: TemplateResult } =>
  offer ? { offer: offer(ctx.present) } : {};
