// The part above the fields of a model. Only the page provides it; elements in posts have none.

import { nothing, type TemplateResult } from 'lit';
import type { RenderContext } from '../../kit/render-context.ts';

type Lead = (ctx: RenderContext) => TemplateResult | typeof nothing;

let lead: Lead = () => nothing;

export const provideModelLead = (given: Lead): void => void (lead = given);

export const modelLead: Lead = (ctx) => lead(ctx);
