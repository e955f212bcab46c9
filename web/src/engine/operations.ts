// Operations and collectives: their answers, many of them at once, and what their charts draw.

import { callOf, makeQuestionCodec, nameOf, questionOf } from './asking.ts';
import { operationsModule, type OperationCalls, type RawRoofs } from './operations-module.ts';
import { answerOf, placeOf, sampleAlong, sampleOver } from './sampling.ts';
import type { Description, MemoryLevel, OperationQuestion, OperationsModule } from './types.ts';

export async function start(description: Description): Promise<OperationsModule> {
  const module = await operationsModule.get();
  const { answer, take } = makeQuestionCodec(description);
  const call = <Verb extends keyof OperationCalls>(verb: Verb, question: OperationQuestion) => {
    questionOf(description, question);
    const found = callOf<OperationCalls[Verb]>(module, verb, question);
    if (!found) throw new RangeError(`no operation answers ${nameOf(question)}`);
    return found;
  };
  const estimate = (question: OperationQuestion, input: unknown): object =>
    answer(module, question, input, call('estimate', question));
  return {
    roofline: (input) => estimate('operation', input) as never,
    collective: (input) => estimate('collective', input) as never,
    sweep: (question, input, axis, answers) => {
      const sampled = call('sweep', question);
      return take(module, question, input, () => ({
        series: sampleAlong(module, description, question, sampled, axis, answers),
      })) as never;
    },
    map: (question, input, x, y, key) => {
      const sampled = call('map', question);
      return take(module, question, input, () =>
        sampleOver(module, description, question, sampled, x, y, key),
      );
    },
    crossings: (question, input, { field: id, from, to }, key) => {
      const { group, field } = placeOf(description, question, id);
      const index = answerOf(description, question, key);
      const names = description.questions[question].answers[index]!.choices;
      const find = call('crossings', question);
      return take(module, question, input, () => ({
        crossings: find(group, field, from, to, index).map(({ at, before, after }) => ({
          at,
          before: names[before]!,
          after: names[after]!,
        })),
      }));
    },
    roofs: (input) =>
      take(module, 'collective', input, () => {
        const reply = module.roofs();
        return reply.issues ? (reply as never) : readRoofs(reply);
      }),
    schedule: (input) =>
      take(module, 'collective', input, () => {
        const reply = module.schedule();
        return reply.issues ? reply : { ...reply, holds: reply.holds.slice() };
      }),
  };
}

function readRoofs({ formats, levels, peaks, slopes, ridges }: RawRoofs): {
  peaks: { format: string; rate: number }[];
  slopes: { level: MemoryLevel; bandwidth: number }[];
  ridges: number[][];
} {
  const listed = (figures: Float64Array): number[] =>
    [...figures.keys()].filter((index) => figures[index]! > 0);
  const rows = listed(peaks);
  const columns = listed(slopes);
  return {
    peaks: rows.map((row) => ({ format: formats[row]!, rate: peaks[row]! })),
    slopes: columns.map((column) => ({ level: levels[column]!, bandwidth: slopes[column]! })),
    ridges: rows.map((row) => columns.map((column) => ridges[row * slopes.length + column]!)),
  };
}
