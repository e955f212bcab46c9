import { html, nothing } from 'lit';
import { hasParts } from '../../../i18n/dictionary.ts';
import { listed } from '../../../i18n/language.ts';
import { explorer } from '../../parts/explorer/lazy-explorer.ts';
import { expectedRow } from '../../parts/answers/expected.ts';
import { axesOf, mesh } from '../../parts/question/mesh.ts';
import type { Results } from '../../kit/results.ts';
import { type Row, fieldsOf, type View } from '../../parts/view.ts';
import type { RenderContext } from '../../kit/render-context.ts';

/** The view of collectives: time, bytes and steps. */
export const collective: View = {
  sentence,
  groups: ['collective', 'mesh'],
  panels: (ctx) => [
    { key: 'collective', group: 'collective', fields: fieldsOf(ctx, 'collective') },
    { key: 'mesh', group: 'mesh', fields: fieldsOf(ctx, 'mesh') },
    { key: 'network', group: 'chip', fields: fieldsOf(ctx, 'chip') },
  ],
  rows,
  summary,
  figures: (ctx, results) =>
    html`${
      hasParts(ctx.text, ['explorer'])
        ? html`<scaling-collective-picture .ctx=${ctx}></scaling-collective-picture>`
        : nothing
    }
    ${explorer(ctx, results)}`,
};

function sentence(ctx: RenderContext): string {
  const { among, distant } = ctx.text.sentence.collective;
  const distances = axesOf(ctx).map((axis) => `{distance${axis.toUpperCase()}}`);
  return (isDistant(ctx) ? distant : among)
    .replace('{mesh}', mesh(ctx))
    .replace('{distances}', distances.join(', '));
}

/** Switches bring all chips equally near. */
const isDistant = (ctx: RenderContext): boolean =>
  ctx.value('collective.kind') === 'pointToPoint' && ctx.value('chip.network') === 'torus';

function summary(ctx: RenderContext, results: Results): string {
  const { summary: sentences } = ctx.text;
  const known = results.number('collectiveTime') !== undefined;
  const alone = results.number('collectiveChips') === 1;
  const sentence = known ? sentences.collective : sentences.collectiveUnknown;
  return ctx.fill(
    alone ? sentences.collectiveAlone : sentence,
    {
      time: results.say(
        results.number('timeExpected') === undefined ? 'collectiveTime' : 'timeExpected',
      ),
      bound: results.say('collectiveBound'),
      bytes: results.say('bytesSent'),
      steps: results.say('collectiveSteps'),
    },
    { steps: results.number('collectiveSteps') ?? 0 },
  );
}

/** How often a collective brings all parts to a chip. */
const passes: Partial<Record<string, number>> = { allGather: 1, reduceScatter: 1, allReduce: 2 };

/** Whether the farthest part is sent twice: all but a chip's own would be one part less. */
function bothWays(results: Results, kind: string): boolean {
  const all = (results.number('shardBytes') ?? 0) * (results.number('collectiveChips') ?? 0);
  return (results.number('bytesSent') ?? 0) >= (passes[kind] ?? Infinity) * all;
}

function rows(ctx: RenderContext, results: Results): Row[] {
  const { says, by } = ctx.text;
  const say = (key: string): string => results.say(key);
  const asked = ctx.value('collective.kind') as Exclude<keyof typeof says.bytesSent, 'inNetwork'>;
  const inNetwork = asked === 'allReduce' && ctx.value('collective.inNetworkReduction') === true;
  const kind = inNetwork ? 'inNetwork' : asked;
  const sends = kind === 'pointToPoint';
  const levels = ['domainTime', 'leafTime', 'spineTime'].filter(
    (key) => results.number(key) !== undefined,
  );
  const parts = {
    bandwidth: say('collectiveBandwidthTime'),
    latency: say('collectiveLatencyTime'),
    expected: say('collectiveExpected'),
    levels: listed(levels.map((key) => `${ctx.answer(key).label} ${say(key)}`)),
  };
  if (results.number('collectiveChips') === 1) {
    const { collectiveAlone } = ctx.text.summary;
    return [{ key: 'collectiveChips', means: collectiveAlone, related: [] }];
  }
  const known = results.number('collectiveTime') !== undefined;
  const domains = results.number('domains');
  const leaves = domains !== undefined && domains > 1;
  const bound = results.choice('collectiveBound') as keyof typeof says.collectiveBound;
  return [
    {
      key: 'collectiveTime',
      means: ctx.sentences([
        known ? ctx.fill(sends ? says.collectiveSum : says.collectiveTime, parts) : '',
        known ? '' : says.networkUnknown,
        known && !sends ? ctx.fill(says.collectiveExpected, parts) : '',
        levels.length > 1 ? ctx.fill(says.levels, parts) : '',
      ]),
      by: sends ? undefined : by.collective,
      related: [
        'collectiveBandwidthTime',
        'collectiveLatencyTime',
        ...(sends ? [] : ['collectiveExpected']),
        ...levels,
      ],
    },
    ...expectedRow(ctx, results, 'collectiveTime', says.expectedCollective),
    {
      key: 'collectiveBound',
      large: bound ? html`<span class="bound">${results.say('collectiveBound')}</span>` : undefined,
      means: bound
        ? ctx.fill(says.collectiveBound[bound], {
            bytes: ctx.say('collective.bytes', ctx.value('collective.bytes')),
            least: say('latencyBytes'),
          })
        : says.networkUnknown,
      derive: ['collectiveBound', 'latencyBytes'],
      related: ['latencyBytes'],
    },
    {
      key: 'bytesSent',
      means: ctx.sentences([
        ctx.fill(says.bytesSent[kind], { shard: say('shardBytes') }),
        bothWays(results, kind) ? ctx.fill(says.bothWays, { shard: say('shardBytes') }) : '',
      ]),
      related: ['shardBytes', 'collectiveChips'],
    },
    {
      key: 'collectiveSteps',
      means: ctx.fill(leaves ? says.collectiveStepsOut : says.collectiveSteps, {
        hop: ctx.say('chip.hopLatency', ctx.value('chip.hopLatency')),
        out: ctx.say('chip.scaleOutLatency', ctx.value('chip.scaleOutLatency')),
      }),
      related: [],
    },
    ...(domains === undefined
      ? []
      : [
          {
            key: 'domainUsed',
            means: ctx.fill(
              says.domainUsed,
              {
                size: ctx.say('chip.scaleUpChips', ctx.value('chip.scaleUpChips')),
                domains: say('domains'),
                idle: say('domainIdle'),
              },
              { domains, idle: results.number('domainIdle') ?? 0 },
            ),
            related: ['domains', 'domainIdle'],
          },
        ]),
    { key: 'effectiveBandwidth', means: says.effectiveBandwidth, related: [] },
  ];
}
