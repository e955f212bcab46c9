import { html } from 'lit';
import { listed } from '../../../i18n/language.ts';
import { chipFields, networkFields } from '../../parts/question/chip-fields.ts';
import { explorer } from '../../parts/explorer/lazy-explorer.ts';
import { axesOf, mesh } from '../../parts/question/mesh.ts';
import type { Results } from '../../parts/answers/results.ts';
import { type Row, fieldsOf, type View } from '../../parts/view.ts';
import type { Scope } from '../../kit/scope.ts';

/** How long a collective takes, and what for. */
export const collective: View = {
  sentence,
  groups: ['collective', 'mesh'],
  panels: (scope) => [
    { key: 'collective', group: 'collective', fields: fieldsOf(scope, 'collective') },
    { key: 'mesh', group: 'mesh', fields: fieldsOf(scope, 'mesh') },
    {
      key: 'network',
      group: 'chip',
      fields: chipFields(scope, (key) => networkFields.includes(key)),
    },
  ],
  large: ['collectiveTime', 'collectiveBound', 'bytesSent', 'collectiveSteps'],
  rows,
  summary,
  figures: (scope, results) =>
    html`<scaling-holdings .scope=${scope}></scaling-holdings> ${explorer(scope, results)}`,
};

function sentence(scope: Scope): string {
  const { among, distant } = scope.text.sentence.collective;
  const distances = axesOf(scope).map((axis) => `{distance${axis.toUpperCase()}}`);
  return (isDistant(scope) ? distant : among)
    .replace('{mesh}', mesh(scope))
    .replace('{distances}', distances.join(', '));
}

/** Switches bring all chips equally near. */
const isDistant = (scope: Scope): boolean =>
  scope.value('collective.kind') === 'pointToPoint' && scope.value('chip.network') === 'torus';

function summary(scope: Scope, results: Results): string {
  const { summary: sentences } = scope.text;
  const known = results.number('collectiveTime') !== undefined;
  const alone = results.number('collectiveChips') === 1;
  const sentence = known ? sentences.collective : sentences.collectiveUnknown;
  return scope.fill(
    alone ? sentences.collectiveAlone : sentence,
    {
      time: results.say('collectiveTime'),
      bound: results.say('collectiveBound'),
      bytes: results.say('bytesSent'),
      steps: results.say('collectiveSteps'),
    },
    { steps: results.number('collectiveSteps') ?? 0 },
  );
}

function rows(scope: Scope, results: Results): Row[] {
  const { says, by } = scope.text;
  const say = (key: string): string => results.say(key);
  const asked = scope.value('collective.kind') as Exclude<keyof typeof says.bytesSent, 'inNetwork'>;
  const inNetwork = asked === 'allReduce' && scope.value('collective.inNetworkReduction') === true;
  const kind = inNetwork ? 'inNetwork' : asked;
  const sends = kind === 'pointToPoint';
  const levels = ['domainTime', 'leafTime', 'spineTime'].filter(
    (key) => results.number(key) !== undefined,
  );
  const parts = {
    bandwidth: say('collectiveBandwidthTime'),
    latency: say('collectiveLatencyTime'),
    expected: say('collectiveExpected'),
    levels: listed(levels.map((key) => `${scope.answer(key).label} ${say(key)}`)),
  };
  if (results.number('collectiveChips') === 1) {
    const { collectiveAlone } = scope.text.summary;
    return [{ key: 'collectiveChips', means: collectiveAlone, related: [] }];
  }
  const known = results.number('collectiveTime') !== undefined;
  const domains = results.number('domains');
  const leaves = domains !== undefined && domains > 1;
  const bound = results.choice('collectiveBound') as keyof typeof says.collectiveBound;
  return [
    {
      key: 'collectiveTime',
      means: scope.sentences([
        known ? scope.fill(sends ? says.collectiveSum : says.collectiveTime, parts) : '',
        known ? '' : says.networkUnknown,
        known && !sends ? scope.fill(says.collectiveExpected, parts) : '',
        levels.length > 1 ? scope.fill(says.levels, parts) : '',
      ]),
      by: sends ? undefined : by.collective,
      related: [
        'collectiveBandwidthTime',
        'collectiveLatencyTime',
        ...(sends ? [] : ['collectiveExpected']),
        ...levels,
      ],
    },
    {
      key: 'collectiveBound',
      large: bound ? html`<span class="bound">${results.say('collectiveBound')}</span>` : undefined,
      means: bound
        ? scope.fill(says.collectiveBound[bound], {
            bytes: scope.say('collective.bytes', scope.value('collective.bytes')),
            least: say('latencyBytes'),
          })
        : says.networkUnknown,
      derive: ['collectiveBound', 'latencyBytes'],
      related: ['latencyBytes'],
    },
    {
      key: 'bytesSent',
      means: scope.fill(says.bytesSent[kind], { shard: say('shardBytes') }),
      related: ['shardBytes', 'collectiveChips'],
    },
    {
      key: 'collectiveSteps',
      means: scope.fill(leaves ? says.collectiveStepsOut : says.collectiveSteps, {
        hop: scope.say('chip.hopLatency', scope.value('chip.hopLatency')),
        out: scope.say('chip.scaleOutLatency', scope.value('chip.scaleOutLatency')),
      }),
      related: [],
    },
    ...(domains === undefined
      ? []
      : [
          {
            key: 'domainUsed',
            means: scope.fill(
              says.domainUsed,
              {
                size: scope.say('chip.scaleUpChips', scope.value('chip.scaleUpChips')),
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
