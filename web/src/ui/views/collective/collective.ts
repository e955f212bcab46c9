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

/** Whether the farthest part is counted whole on both ways: all axes are rings of even length. */
function bothWays(ctx: RenderContext, results: Results, kind: string): boolean {
  const gathers = ['allGather', 'reduceScatter', 'allReduce'].includes(kind);
  return (
    gathers &&
    (['x', 'y', 'z'] as const).every((axis) => {
      const chips = Number(ctx.value(`mesh.${axis}`));
      const shape = results.choice(`axisShape${axis.toUpperCase()}`);
      return chips === 1 || (shape === 'ring' && chips % 2 === 0);
    })
  );
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
        bothWays(ctx, results, kind) ? ctx.fill(says.bothWays, { shard: say('shardBytes') }) : '',
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
      means: ctx.fill(says.bytesSent[kind], { shard: say('shardBytes') }),
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
