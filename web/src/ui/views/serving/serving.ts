import { html, nothing, type TemplateResult } from 'lit';
import type { FieldId } from '../../../model/fields.ts';
import type { Results } from '../../kit/results.ts';
import { expertsApart, isSparse } from '../../kit/model-parts.ts';
import type { RenderContext } from '../../kit/render-context.ts';
import { alongThese, divisorsOf } from '../../../number/along.ts';
import { isUnusual } from '../../parts/question/question.ts';
import { fieldsOf, type Panel, type View } from '../../parts/view.ts';
import { countsOf, placed, servingRows } from './answers.ts';
import { hasFixedWays, withOpenWays } from '../../../model/state.ts';
import { saySoftware, serverChoice } from './software.ts';
import { servingCharts } from './serving-charts.ts';
import { onFewestForLoad } from './fewest-chips.ts';
import { servingForward } from './forward.ts';
import { best, sides } from './sides.ts';
import { sayFree } from './told.ts';

/** The question of how to serve a model. */
export const serving: View = {
  sentence,
  groups: ['serving', 'server'],
  panels,
  rows: servingRows,
  summary,
  along: (ctx, id) =>
    id === 'serving.tensor'
      ? alongThese(() => divisorsOf(Number(ctx.value('model.heads'))))
      : undefined,
  lead,
  sections: servingCharts,
  forward: servingForward,
  onFewestChips: onFewestForLoad,
  ways: 'serving',
  best,
  sides,
};

/** The format of experts, where they have one of their own: most weights are in it. */
function formatOfExperts(ctx: RenderContext): string {
  const field = 'server.expertWeights';
  return expertsApart(ctx) ? ctx.say(field, ctx.value(field)) : '';
}

/** Says that the reader has fixed the division, and offers the best one. */
function lead(ctx: RenderContext): TemplateResult {
  const { text, state, actions, description } = ctx;
  return html`${
    hasFixedWays(description, state)
      ? html`<p class="line">
          ${text.served.fixed}
          <button
            type="button"
            class="best-ways"
            @click=${() => actions.go(withOpenWays(description, state))}
          >
            ${text.offers.bestWays}
          </button>
        </p>`
      : nothing
  }`;
}

/** The sentence with the load in its own words, and the ways of a server. */
function sentence(ctx: RenderContext): string {
  const words = ctx.text.sentence;
  const load = ctx.value('serving.load') as keyof typeof words.servedTo;
  const stages = Number(ctx.value('serving.pipeline')) !== 1;
  const ways = words.servingWays
    .replace('{stages}', stages ? words.servingStages : '')
    .replace('{experts}', isSparse(ctx) ? words.servingExperts : '');
  const format = formatOfExperts(ctx);
  const stated = (key: string): string =>
    ctx.applies(`serving.${key}`) ? `{${key}}` : words.servingListed;
  return words.serving
    .replace('{apart}', format && ctx.fill(words.servingApart, { format }))
    .replace('{served}', words.servedTo[load] ?? words.servedTo.closed)
    .replace(
      '{tokens}',
      isUnusual(ctx, 'serving.imagesPerPrompt', 0) ? words.servingImages : words.servingTokens,
    )
    .replace('{promptTokens}', stated('promptTokens'))
    .replace('{answerTokens}', stated('answerTokens'))
    .replace(
      '{divided}',
      hasFixedWays(ctx.description, ctx.state) ? ways : words.servingBest.replace('{ways}', ways),
    );
}

const formats = [
  'attentionWeights',
  'expertWeights',
  'headWeights',
  'weightBits',
  'expertBits',
  'groupSize',
  'zeroPoints',
  'computeIn',
];
const cache = [
  'cacheFormat',
  'cacheTokens',
  'blockTokens',
  'divideByBatch',
  'allocation',
  'longestSequence',
  'shareOf',
  'memoryShare',
  'reservedMemory',
];
const drafts = ['draftTokens', 'acceptance', 'draftCost'];
const targets = ['firstTarget', 'tokenTarget', 'targetShare', 'budget'];
const energy = ['pue'];
const load = [
  'load',
  'users',
  'requestRate',
  'imagesPerPrompt',
  'promptSpread',
  'answerSpread',
  'promptLengths',
  'answerLengths',
  'prefixShare',
  'together',
];
const conversations = [
  'furtherTurns',
  'turnTokens',
  'turnGaps',
  'thinkTime',
  'hostCache',
  'diskCache',
  'diskBandwidth',
];

function panels(ctx: RenderContext): Panel[] {
  const { text } = ctx;
  const say = (id: FieldId): string => ctx.say(id, ctx.value(id));
  const these = (group: 'serving' | 'server', keys: readonly string[]): FieldId[] => {
    const all = new Set(fieldsOf(ctx, group));
    return keys
      .map((key): FieldId => `${group}.${key}`)
      .filter((id) => all.has(id) && !isIdle(ctx, id));
  };
  const others = (group: 'serving' | 'server', ...parts: readonly (readonly string[])[]) =>
    fieldsOf(ctx, group).filter(
      (id) => !parts.flat().some((key) => id === `${group}.${key}`) && !isIdle(ctx, id),
    );
  const tokens = Number(ctx.value('serving.draftTokens'));
  const turns = Number(ctx.value('serving.furtherTurns'));
  return [
    { key: 'load', group: 'serving', fields: these('serving', load), gist: say('serving.load') },
    {
      key: 'conversations',
      group: 'serving',
      fields: these('serving', conversations),
      gist:
        turns > 0
          ? ctx.fill(
              text.panels.conversations.gist,
              { turns: ctx.format.count(turns + 1) },
              { turns: turns + 1 },
            )
          : text.panels.conversations.none,
    },
    {
      key: 'division',
      group: 'serving',
      fields: others('serving', load, conversations, drafts, targets, energy),
      gist: '',
    },
    { key: 'targets', group: 'serving', fields: these('serving', targets), gist: '' },
    {
      key: 'weights',
      group: 'server',
      fields: these('server', formats),
      gist: [say('server.weights'), formatOfExperts(ctx)].filter(Boolean).join(' · '),
    },
    {
      key: 'cache',
      group: 'server',
      fields: these('server', cache),
      gist: `${say('server.cacheFormat')} · ${say('server.allocation')}`,
    },
    {
      key: 'drafts',
      group: 'serving',
      fields: these('serving', drafts),
      gist:
        tokens > 0
          ? ctx.fill(text.panels.drafts.gist, { tokens: ctx.format.count(tokens) })
          : text.panels.drafts.none,
    },
    {
      key: 'software',
      group: 'server',
      fields: others('server', ['weights'], formats, cache),
      gist: saySoftware(ctx),
      lead: () => serverChoice(ctx),
    },
    {
      key: 'energy',
      group: 'serving',
      fields: these('serving', energy),
      gist: `PUE ${say('serving.pue')}`,
    },
    { key: 'chip', group: 'chip', fields: fieldsOf(ctx, 'chip') },
    { key: 'model', group: 'model', fields: fieldsOf(ctx, 'model') },
  ];
}

/** Fields that change nothing for this model or these formats. */
function isIdle(ctx: RenderContext, id: FieldId): boolean {
  if (ctx.invalid(id)) return false;
  const int4 = ['weights', 'attentionWeights', 'expertWeights', 'headWeights'].some(
    (key) => ctx.value(`server.${key}`) === 'int4',
  );
  switch (id) {
    case 'serving.promptSpread':
    case 'serving.answerSpread':
      return ctx.value('serving.load') === 'static';
    case 'server.groupSize':
    case 'server.zeroPoints':
      return !int4;
    default:
      return false;
  }
}

function summary(ctx: RenderContext, results: Results): string {
  const { summary: words } = ctx.text;
  if (results.choice('servingFits') !== 'yes') {
    return ctx.fill(words.servingOver, { chips: results.say('fewestBought') });
  }
  const [counts, numbers] = countsOf(ctx, results);
  const parts = {
    fit: placed(ctx, results) || ctx.fill(words.servingFits, { left: sayFree(ctx, results) }),
    first: results.say('firstToken'),
    token: results.say('tokenTime'),
    speed: results.say('outputSpeed'),
    cost: results.say('costAll'),
  };
  return ctx.sentences([
    ctx.fill(words.serving, parts),
    results.number('costAll') === undefined ? '' : ctx.fill(words.servingCost, parts),
    ctx.fill(words.servingServers, { ...counts, chip: ctx.called('chip') }, numbers),
  ]);
}
