// The data of the drawing of a training by reward, which loads behind the answers.

import { html, type TemplateResult } from 'lit';
import {
  PoolsDrawing,
  spansOf,
  type PoolsData,
  type Sharing,
  type SplitsData,
  type StepTimes,
} from '../../../charts/drawn/pools/index.ts';
import type { Entry } from '../../../charts/drawn/index.ts';
import { renderOutline } from '../../../charts/drawn/draw.ts';
import { outlineOfPools } from '../../../charts/drawn/outline.ts';
import type { RewardModule, Split } from '../../../engine/index.ts';
import { inputsOf } from '../../../model/evaluate.ts';
import { define } from '../../../dom/define.ts';
import { stepTime } from '../../../number/unit.ts';
import type { Draws } from '../../parts/picture/picture.ts';
import type { Results } from '../../kit/results.ts';
import { answerNamed } from '../../kit/named.ts';
import type { RenderContext } from '../../kit/render-context.ts';
import { isApart, reward } from './reward.ts';
import { tasks } from './tasks.ts';

/** Draws the answers; `ask` is told of which part the reader wants to know more. */
export function drawn(
  ctx: RenderContext,
  results: Results,
  opened: string | undefined,
  ask: (key: string) => void,
): TemplateResult {
  define('scaling-pools-drawing', PoolsDrawing);
  return html`<scaling-pools-drawing
    .data=${{ ...drawingOf(ctx, results), splits: splitsOf(ctx, results) }}
    .words=${ctx.text.drawn}
    .opened=${opened}
    @why=${({ detail }: CustomEvent<string>) => ask(detail)}
  ></scaling-pools-drawing>`;
}

const sharingOf = (ctx: RenderContext): Sharing => {
  if (!isApart(ctx)) return 'turns';
  return Number(ctx.value('pools.behind')) > 0 ? 'overlapping' : 'apart';
};

export function drawingOf(ctx: RenderContext, results: Results): PoolsData {
  const { drawn: words } = ctx.text.rewarded;
  const number = (key: string): number => results.number(key) ?? 0;
  const times = Object.fromEntries([
    ['step', number('stepExpected')],
    ...Object.entries(tasks).map(([task, { key }]) => [task, number(key)]),
  ]) as unknown as StepTimes;
  const sharing = sharingOf(ctx);
  const pools = spansOf(times, sharing);
  // Each pool has its own chips, which wait where they are idle.
  const idle = ['idleGeneration', 'idleTraining'];
  const all = Number(ctx.value('pools.chips'));
  const chips =
    sharing === 'turns'
      ? [ctx.fill(words.all, { chips: ctx.format.count(all) }, { n: all })]
      : [
          ctx.fill(words.generation, { chips: results.say('generationPool') }),
          ctx.fill(words.training, { chips: results.say('trainingPool') }),
        ];
  const [low, high] = results.range('stepExpected') ?? [];
  return {
    title: reward.summary(ctx, results),
    ghostly: results.choice('rewardFits') !== 'yes',
    pools: pools.map((spans, index) => ({
      titles: [chips[index]!],
      pieces: spans.map(([task, value]): Entry => {
        const { key, look } =
          task === 'waits' ? { key: idle[index]!, look: 'bubble' as const } : tasks[task];
        const [name, said] = [words.tasks[task], ctx.format.say(value, stepTime)];
        const percent = ctx.format.say(value / times.step, '%');
        const says = ctx.fill(ctx.text.drawn.part, { name, value: said, percent });
        return { key, look, label: name, value, said, says };
      }),
    })),
    low,
    high,
    range: low === undefined ? '' : ctx.text.drawn.likely,
    ranged: { key: 'stepExpected', says: answerNamed(ctx, results, 'stepExpected') },
    more: (count) => ctx.fill(ctx.text.drawn.more, { n: String(count) }),
  };
}

/** The splits that were found last, until those of a change are. */
let last: { of: string; splits: readonly Split[] } | undefined;
let isFinding = false;

/** The times of splits; they are found in a task of their own, after the answers are drawn. */
function knownSplits(ctx: RenderContext): readonly Split[] | undefined {
  const { engine, state, actions } = ctx;
  const { chip, model, reward, pools } = inputsOf(engine, state);
  const input = { chip, model, reward, pools } as Parameters<RewardModule['splits']>[0];
  const of = JSON.stringify(input);
  if (last?.of !== of && !isFinding) {
    isFinding = true;
    setTimeout(() => {
      isFinding = false;
      const reply = engine.loaded('reward')!.splits(input);
      last = { of, splits: reply.ok ? reply.splits : [] };
      actions.refresh();
    });
  }
  return last?.splits;
}

/** The curve of splits, once their times are known. */
export function splitsOf(ctx: RenderContext, results: Results): SplitsData | undefined {
  const { splits: words } = ctx.text.rewarded;
  const found = knownSplits(ctx);
  if (!found) return undefined;
  const [best, turns] = [results.number('bestSplit'), results.number('turnsStep')];
  const chips = Number(ctx.value('pools.chips'));
  const sides = (generation: number): Record<string, string> => ({
    generation: ctx.format.count(generation),
    training: ctx.format.count(chips - generation),
  });
  const said = { ...sides(best ?? 0), step: results.say('apartStep') };
  const isFound = best !== undefined && found.length > 0;
  const { noSplit } = ctx.text.rewarded;
  return {
    key: 'bestSplit',
    titles: [isFound ? words.title : noSplit],
    says: isFound ? ctx.fill(words.says, said) : noSplit,
    points: isFound
      ? found.map(({ chips: generation, seconds }) => ({
          chips: generation,
          seconds,
          name: ctx.fill(words.sides, sides(generation)),
          count: ctx.format.count(generation),
          said: ctx.format.say(seconds, stepTime),
        }))
      : [],
    best: best ?? 0,
    own: isApart(ctx) ? results.number('generationPool') : undefined,
    level:
      turns === undefined
        ? undefined
        : {
            key: 'turnsStep',
            seconds: turns,
            says: ctx.fill(words.turns, { step: results.say('turnsStep') }),
          },
  };
}

/** The answers behind each part that a reader can point at; others are answers themselves. */
export const reasons: Readonly<Record<string, readonly string[]>> = {
  generateTime: ['generateTime', 'generateEven', 'busySlots'],
  tailTime: ['tailTime', 'longestOfBatch', 'generateAlone'],
  logProbTime: ['logProbTime', 'forwardPass'],
  updateTime: ['updateTime', 'trainingStep'],
  bestSplit: ['bestSplit', 'splitLow', 'splitHigh', 'apartStep'],
  turnsStep: ['turnsStep', 'gainApart'],
  // The verdict.
  cost: ['cost', 'trainingTime', 'costPerStep'],
  rewardFits: ['rewardFits', 'memoryGenerating', 'memoryTraining'],
  rewardBound: ['rewardBound', 'bestSplit'],
};

/** Data of the drawing where there is no answer. */
export const missing: Draws['missing'] = (ctx, heights) =>
  renderOutline(outlineOfPools(sharingOf(ctx) === 'turns' ? 1 : 2), heights);
