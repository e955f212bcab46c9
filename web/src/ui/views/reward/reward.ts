import { html, nothing, type TemplateResult } from 'lit';
import { contestOf } from '../../../compare/contest.ts';
import type { FieldValue } from '../../../engine/types.ts';
import { looks } from '../../../charts/kit/looks.ts';
import { stack } from '../../../charts/stack/stack.ts';
import { costRow } from '../../parts/answers/cost-row.ts';
import type { Results } from '../../kit/results.ts';
import { inProportion } from '../../../model/bounds.ts';
import type { FieldId } from '../../../model/fields.ts';
import { withField, type State } from '../../../model/state.ts';
import { stepTime } from '../../../number/unit.ts';
import type { RenderContext } from '../../kit/render-context.ts';
import { tasks } from './tasks.ts';
import { fieldsOf, type Panel, type Row, type View } from '../../parts/view.ts';

/** A step of training by reward: its time, its chips, its memory. */
export const reward: View = {
  sentence,
  groups: ['reward', 'pools'],
  panels,
  rows,
  summary,
  lead,
};

/** Whether each side has chips of its own. */
export const isApart = (ctx: RenderContext): boolean => ctx.value('pools.sharing') === 'apart';

function sentence(ctx: RenderContext): string {
  const { reward: words, rewardPools: shared, rewardLengths: lengths } = ctx.text.sentence;
  return words
    .replace('{shared}', isApart(ctx) ? shared.apart : shared.turns)
    .replace('{lengths}', ctx.applies('reward.answerTokens') ? lengths.stated : lengths.listed);
}

/** Steps closer than this share are the same. */
const alike = 0.005;

interface Arrangement {
  seconds: number | undefined;
  says: string;
  changes: readonly (readonly [FieldId, FieldValue])[];
}

/** Whether it can be told that a step which is expected to be shorter than another is so. */
function isTold(results: Results, shorter: number, longer: number): boolean {
  const range = results.range('stepExpected');
  const expected = results.number('stepExpected');
  // Each arrangement is as sure as the present one.
  const estimate = (value: number) => ({
    value,
    ...(expected && range && { band: inProportion(value, expected, range) }),
  });
  return contestOf([shorter, longer].map(estimate))?.alike.length === 0;
}

/** Offers the arrangement of the chips that is faster than the present one, or fits where it doesn't. */
function lead(ctx: RenderContext, results?: Results): TemplateResult | typeof nothing {
  if (!results || results.stale) return nothing;
  const { offer: words } = ctx.text.rewarded;
  const best = results.number('bestSplit') ?? 0;
  // Chips that take turns have no weights to be older; apart, they begin a step behind.
  const behind = isApart(ctx) ? Number(ctx.value('pools.behind')) : 1;
  const split: Arrangement = {
    seconds: results.number('apartStep'),
    says: ctx.fill(words.split, {
      generation: ctx.format.count(best),
      training: ctx.format.count(Number(ctx.value('pools.chips')) - best),
      behind: behind > 0 ? words.behind : '',
      step: results.say('apartStep'),
    }),
    changes: [
      ['pools.sharing', 'apart'],
      ['pools.generationChips', null],
      ['pools.behind', behind],
    ],
  };
  const turns: Arrangement = {
    seconds: results.number('turnsStep'),
    says: ctx.fill(words.turns, { step: results.say('turnsStep') }),
    changes: [['pools.sharing', 'turns']],
  };
  const time = (each: Arrangement): number => each.seconds ?? Infinity;
  const [fastest] = [turns, split].sort((one, other) => time(one) - time(other));
  const fits = results.choice('rewardFits') === 'yes';
  const now = fits ? (results.number('stepExpected') ?? 0) : Infinity;
  if (!(time(fastest!) < now * (1 - alike))) return nothing;
  const gain = ctx.format.count(Math.max(1, Math.round(100 * (1 - time(fastest!) / now))));
  const there = fastest!.changes.reduce<State>(
    (state, [field, value]) => withField(ctx.description, state, field, value),
    ctx.state,
  );
  const parts = { offer: fastest!.says, gain, overlap: ctx.text.drawn.overlap };
  const sentence = isTold(results, time(fastest!), now) ? words.faster : words.untold;
  const said = fits ? ctx.fill(sentence, parts) : fastest!.says;
  return html`<p class="line">
    ${said}
    <button type="button" class="arrange" @click=${() => ctx.actions.go(there)}>
      ${words.use}
    </button>
  </p>`;
}

/** Fields of the chips that the software's factors are. */
const factors: readonly string[] = ['generationFactor', 'trainingFactor', 'fixedTime'];

function panels(ctx: RenderContext): Panel[] {
  const pools = fieldsOf(ctx, 'pools');
  const isFactor = (id: string): boolean => factors.some((key) => id === `pools.${key}`);
  return [
    { key: 'reward', group: 'reward', fields: fieldsOf(ctx, 'reward'), gist: '' },
    {
      key: 'pools',
      group: 'pools',
      fields: pools.filter((id) => !isFactor(id)),
      gist: ctx.say('pools.sharing', ctx.value('pools.sharing')),
    },
    { key: 'loop', group: 'pools', fields: pools.filter(isFactor), gist: '' },
    { key: 'chip', group: 'chip', fields: fieldsOf(ctx, 'chip') },
    { key: 'model', group: 'model', fields: fieldsOf(ctx, 'model') },
  ];
}

/** Parts of a step, in their order. */
const stepParts = [
  'generateTime',
  'restTime',
  'logProbTime',
  'updateTime',
  'criticTime',
  'handOverTime',
] as const;

const layoutParts = [
  'generationPool',
  'trainingPool',
  'replicaTensor',
  'replicas',
  'slots',
  'samplesOfReplica',
  'chosenTensor',
  'chosenContext',
  'chosenPipeline',
  'chosenExpert',
] as const;

function rows(ctx: RenderContext, results: Results): Row[] {
  return [
    memoryRow(ctx, results),
    stepRow(ctx, results),
    boundRow(ctx, results),
    splitRow(ctx, results),
    speedRow(ctx, results),
    costRow(ctx, results),
  ];
}

function memoryRow(ctx: RenderContext, results: Results): Row {
  const { rewarded: words } = ctx.text;
  const host = results.number('hostUsed') !== undefined;
  return {
    key: 'rewardFits',
    means: ctx.sentences([
      ctx.fill(words.memory, {
        generating: results.say('memoryGenerating'),
        share: results.say('generatingLimit'),
        training: results.say('memoryTraining'),
        limit: results.say('memoryLimit'),
      }),
      host ? ctx.fill(words.host, { host: results.say('hostUsed') }) : '',
    ]),
    derive: ['rewardFits', 'memoryGenerating', 'memoryTraining'],
    related: ['memoryGenerating', 'generatingLimit', 'memoryTraining', 'memoryLimit', 'hostUsed'],
  };
}

function stepRow(ctx: RenderContext, results: Results): Row {
  const { rewarded: words } = ctx.text;
  const tail = results.number('tailTime') ?? 0;
  const parts = (Object.keys(tasks) as (keyof typeof tasks)[])
    .map((task) => {
      const value = results.number(tasks[task].key) ?? 0;
      return { task, value: task === 'generate' ? value - tail : value };
    })
    .filter(({ value }) => value > 0);
  return {
    key: 'stepExpected',
    figure: stack({
      name: 'step',
      title: words.parts,
      parts: parts.map(({ task, value }) => ({
        look: looks[tasks[task].look],
        value,
        label: `${words.drawn.tasks[task]} ${ctx.format.say(value, stepTime)}`,
      })),
    }),
    means: ctx.sentences([
      ctx.fill(words.likely, {
        range: results.sayRange('stepExpected'),
        lower: results.sayBound('stepExpected', 'lower'),
      }),
      isApart(ctx)
        ? ctx.fill(words.idle, {
            generation: results.say('idleGeneration'),
            training: results.say('idleTraining'),
          })
        : words.turns,
    ]),
    parts: stepParts,
    related: [...stepParts, 'idleGeneration', 'idleTraining', 'trainingStep', 'forwardPass'],
  };
}

function boundRow(ctx: RenderContext, results: Results): Row {
  const { rewarded: words } = ctx.text;
  const tail = results.number('tailTime') !== undefined;
  return {
    key: 'rewardBound',
    means: ctx.sentences([
      ctx.fill(words.even, {
        even: results.say('generateEven'),
        time: results.say('generateTime'),
        busy: results.say('busySlots'),
      }),
      ctx.fill(words.longest, {
        longest: results.say('longestOfBatch'),
        alone: results.say('generateAlone'),
      }),
      tail ? ctx.fill(words.tail, { tail: results.say('tailTime') }) : '',
    ]),
    related: ['tailTime', 'generateEven', 'generateAlone', 'longestOfBatch', 'busySlots'],
  };
}

function splitRow(ctx: RenderContext, results: Results): Row {
  const { rewarded: words } = ctx.text;
  const found = results.number('bestSplit') !== undefined;
  const times = ['apartStep', 'turnsStep'].map((key) => results.number(key) ?? Infinity);
  const gain = results.number('gainApart') !== undefined;
  return {
    key: 'bestSplit',
    means: ctx.sentences([
      found
        ? ctx.fill(words.split, {
            low: results.say('splitLow'),
            high: results.say('splitHigh'),
            apart: results.say('apartStep'),
          })
        : words.noSplit,
      gain
        ? ctx.fill(words.gain, {
            turns: results.say('turnsStep'),
            gain: results.say('gainApart'),
          })
        : '',
      gain && !isTold(results, Math.min(...times), Math.max(...times))
        ? ctx.fill(words.untold, { overlap: ctx.text.drawn.overlap })
        : '',
    ]),
    related: ['splitLow', 'splitHigh', 'apartStep', 'turnsStep', 'gainApart', ...layoutParts],
  };
}

function speedRow(ctx: RenderContext, results: Results): Row {
  return {
    key: 'tokensPerSecond',
    means: ctx.fill(ctx.text.rewarded.speed, {
      tokens: results.say('stepTokens'),
      each: results.say('rewardSpeedPerChip'),
      answers: results.say('answersPerHour'),
      time: results.say('trainingTime'),
    }),
    related: ['stepTokens', 'rewardSpeedPerChip', 'answersPerHour', 'trainingTime', 'costPerStep'],
  };
}

function summary(ctx: RenderContext, results: Results): string {
  const { summary: words } = ctx.text;
  const fits = results.choice('rewardFits') === 'yes';
  return ctx.fill(fits ? words.reward : words.rewardOver, {
    step: results.say('stepExpected'),
    time: results.say('trainingTime'),
    cost: results.say('cost'),
    bound: results.say('rewardBound'),
    memory: results.say('memoryTraining'),
  });
}
