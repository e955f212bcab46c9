import { html } from 'lit';
import { provideFinder } from '../../../model/evaluate.ts';
import type { FieldId } from '../../../model/fields.ts';
import { chipFields } from '../../parts/question/chip-fields.ts';
import type { Results } from '../../parts/answers/results.ts';
import type { Scope } from '../../kit/scope.ts';
import { runAlong } from '../../parts/question/machines.ts';
import { withSlices } from '../../parts/question/question.ts';
import { fieldsOf, type Panel, type View } from '../../parts/view.ts';
import { planRows } from './answers.ts';
import { fits, layoutAlong, fixesToFit, fixesOf } from './fixes.ts';
import { makeFinder } from './finder.ts';
import './line.ts';
import './search-section.ts';

/** How to divide a training among chips. */
export const plan: View = {
  sentence,
  groups: ['run', 'layout'],
  along: (scope, id) => runAlong(scope, id) ?? layoutAlong(scope, id),
  panels,
  large: ['memoryUsed', 'stepExpected', 'planBound', 'mfu', 'trainingTime', 'cost', 'goodput'],
  rows: planRows,
  summary,
  fixes(scope, ask, issues, reply) {
    if (!reply.ok) return fixesOf(scope, ask, issues);
    // Where nothing fits the best way, no layout does.
    return fits(reply) || scope.state.layout === 'best' ? [] : fixesToFit(scope, ask);
  },
  lead: (scope) => html`<scaling-plan-line .scope=${scope}></scaling-plan-line>`,
  beyond: (scope) => html`<scaling-plan class="beyond" .scope=${scope}></scaling-plan>`,
};

provideFinder(makeFinder);

/** Whether there is a layout: the reader's, or one that was found. */
const isKnown = ({ state: { layout, found } }: Scope): boolean =>
  layout === 'fixed' || found !== undefined;

const ways = ['tensor', 'context', 'pipeline'] as const;

/** With the layout: that of the best way, once it is found. */
function sentence(scope: Scope): string {
  const words = scope.text.sentence;
  const { layout } = scope.state;
  const [sentence, ways] = [withSlices(scope, words.plan), waysOf(scope)];
  if (layout === 'fixed') return sentence.replace('{layout}', ways);
  const best = isKnown(scope) ? words.planFound.replace('{layout}', ways) : words.planBest;
  return sentence.replace('{layout}', best);
}

/** With the ways that are left for data, where they come out whole. */
function waysOf(scope: Scope): string {
  const words = scope.text.sentence;
  const chips = Number(scope.value('run.chips'));
  const data = ways.reduce((left, key) => left / Number(scope.value(`layout.${key}`)), chips);
  const whole = Number.isInteger(data) && data >= 1;
  return words.planLayout
    .replace('{rest}', whole ? words.planData : words.planRest)
    .replace('{data}', scope.format.count(data))
    .replace('{experts}', isSparse(scope) ? words.planExperts : '');
}

const isSparse = (scope: Scope): boolean => Number(scope.value('model.experts')) > 0;

const inPanel = {
  layout: [
    'expert',
    'expertTensor',
    'sequenceParallel',
    'contextKind',
    'schedule',
    'virtualStages',
    'microBatch',
    'sharding',
    'shardGroup',
  ],
  states: [
    'recompute',
    'recomputeLayers',
    'savedCopies',
    'attentionKernel',
    'dropout',
    'optimizer',
    'masterFormat',
    'gradientFormat',
    'offload',
  ],
  run: [
    'slices',
    'computeFormat',
    'weightFormat',
    'activationFormat',
    'flopsRule',
    'attentionMask',
    'countLmHead',
    'pue',
  ],
  reliability: ['chipMttf', 'restartTime', 'storageBandwidth'],
};

function panels(scope: Scope): Panel[] {
  const { text } = scope;
  const say = (id: FieldId): string => scope.say(id, scope.value(id));
  const layout = (keys: string[]): FieldId[] =>
    keys.map((key): FieldId => `layout.${key}`).filter((id) => !isIdle(scope, id));
  const reliability = inPanel.reliability.map((key): FieldId => `assumptions.${key}`);
  const searched = fieldsOf(scope, 'search').filter(
    (id) => isSparse(scope) || !id.startsWith('search.expert'),
  );
  const pinned = searched
    .filter((id) => scope.value(id) === false)
    .map((id) => scope.label(id.replace('search.', 'layout.') as FieldId));
  return [
    {
      key: 'layout',
      group: 'layout',
      fields: layout(inPanel.layout),
      // What is not found yet is not said.
      gist: isKnown(scope) ? say('layout.sharding') : '',
    },
    {
      key: 'states',
      group: 'layout',
      fields: layout(inPanel.states),
      gist: `${say('layout.recompute')} · ${say('layout.optimizer')}`,
    },
    {
      key: 'search',
      group: 'search',
      fields: searched,
      gist:
        pinned.length > 0
          ? scope.fill(text.panels.search.gist, { pinned: pinned.join(text.planner.comma) })
          : '',
    },
    {
      key: 'efficiency',
      group: 'assumptions',
      fields: fieldsOf(scope, 'assumptions').filter((id) => !reliability.includes(id)),
      gist: (['compute', 'memory', 'network'] as const)
        .map((key) => say(`assumptions.${key}Efficiency`))
        .join(' · '),
    },
    {
      key: 'run',
      group: 'run',
      fields: [...inPanel.run.map((key): FieldId => `run.${key}`), 'layout.fp8Matmuls'],
    },
    {
      key: 'reliability',
      group: 'assumptions',
      fields: reliability,
      gist: scope.fill(text.panels.reliability.gist, { hours: say('assumptions.chipMttf') }),
    },
    {
      key: 'chip',
      group: 'chip',
      fields: chipFields(scope, (key) => !['onChipBandwidth', 'tileMemory'].includes(key)),
    },
    { key: 'model', group: 'model', fields: fieldsOf(scope, 'model') },
  ];
}

/** Fields that matter only with other ways than one. */
const needs: Partial<Record<FieldId, (typeof ways)[number]>> = {
  'layout.sequenceParallel': 'tensor',
  'layout.contextKind': 'context',
  'layout.schedule': 'pipeline',
  'layout.virtualStages': 'pipeline',
};

function isIdle(scope: Scope, id: FieldId): boolean {
  if (scope.invalid(id)) return false;
  const other = needs[id];
  if (id === 'layout.shardGroup') return scope.value('layout.sharding') === 'none';
  if (id.startsWith('layout.expert')) return !isSparse(scope);
  return other !== undefined && scope.value(`layout.${other}`) === 1;
}

function summary(scope: Scope, results: Results): string {
  const { summary: words } = scope.text;
  const fits = results.choice('fits') === 'yes';
  const parts = {
    time: results.say('stepExpected'),
    bound: results.say('planBound'),
    memory: results.say('memoryUsed'),
    limit: results.say('memoryLimit'),
    mfu: results.say('mfu'),
    days: results.say('trainingTime'),
    cost: results.say('cost'),
  };
  return [
    fits ? words.plan : words.planOver,
    results.number('cost') === undefined ? '' : words.cost,
  ]
    .filter(Boolean)
    .map((each) => scope.fill(each, parts))
    .join(words.between);
}
