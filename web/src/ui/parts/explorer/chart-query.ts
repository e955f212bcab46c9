import type {
  Crossing,
  FieldValue,
  Inputs,
  MapSamples,
  OperationsModule,
  QuestionName,
  Samples,
} from '../../../engine/index.ts';
import type { Bound } from '../../../charts/kit/data.ts';
import { inputsOf } from '../../../model/evaluate.ts';
import type { InputGroups } from '../../../model/state.ts';
import { splitId, type FieldId } from '../../../model/fields.ts';
import type { Results } from '../../kit/results.ts';
import type { RenderContext } from '../../kit/render-context.ts';
import type { Ranged } from './axis.ts';
import { exploredIn } from './questions.ts';

/** Values of fields in place of the reader's own. */
export type Changes = readonly (readonly [FieldId, FieldValue])[];

type Sampled = { ok: true; series: Record<string, Samples> } | { ok: false };
type Mapped = ({ ok: true } & MapSamples) | { ok: false };
type Crossed = { ok: true; crossings: Crossing[] } | { ok: false };

// The types cannot know which answers go with which question.
interface AnyOperations {
  sweep(
    question: QuestionName,
    input: InputGroups,
    axis: { field: string; values: ArrayLike<number> | readonly string[] },
    answers: readonly string[],
  ): Sampled;
  map(
    question: QuestionName,
    input: InputGroups,
    x: { field: string; values: ArrayLike<number> },
    y: { field: string; values: ArrayLike<number> },
    answer: string,
  ): Mapped;
  crossings(
    question: QuestionName,
    input: InputGroups,
    range: { field: string; from: number; to: number },
    answer: string,
  ): Crossed;
}

/** The question that charts are about, which the engine answers again for other values. */
export class ChartQuery {
  readonly question: QuestionName;
  /** The answer that says what binds. */
  readonly bound: 'bound' | 'collectiveBound';
  private readonly operations: OperationsModule & AnyOperations;
  private readonly input: InputGroups;

  constructor(
    readonly ctx: RenderContext,
    readonly results: Results,
  ) {
    this.question = ctx.state.view;
    this.bound = exploredIn(ctx).bound;
    this.operations = ctx.engine.loaded('operations') as OperationsModule & AnyOperations;
    this.input = inputsOf(ctx.engine, ctx.state);
  }

  /** The roofs of the reader's chip, or of another. */
  roofs(chip?: InputGroups['chip']): ReturnType<OperationsModule['roofs']> {
    return this.operations.roofs({ ...this.input, ...(chip && { chip }) });
  }

  /** The point of the operation on another chip in `format`; undefined if it can't run there. */
  elsewhere(
    chip: InputGroups['chip'],
    format: string,
  ): { intensity: number; achieved: number; bound: Bound } | undefined {
    const operation = {
      ...this.input.operation,
      ...(format !== 'vector' && { computeFormat: format }),
    };
    const reply = this.operations.roofline({
      ...this.input,
      chip,
      operation,
    } as Inputs['operation']);
    if (!reply.ok) return undefined;
    const { intensity, achievedFlops: achieved, bound } = reply.answers;
    if (typeof intensity !== 'number' || typeof achieved !== 'number') return undefined;
    return { intensity, achieved, bound: bound as Bound };
  }

  sweep(
    field: FieldId,
    values: ArrayLike<number> | readonly string[],
    answers: readonly string[],
    changes: Changes = [],
  ): Record<string, Samples> | undefined {
    const input = this.changed(changes);
    const swept = this.operations.sweep(this.question, input, { field, values }, answers);
    return swept.ok ? swept.series : undefined;
  }

  map(
    x: { field: FieldId; values: number[] },
    y: { field: FieldId; values: number[] },
  ): MapSamples | undefined {
    const mapped = this.operations.map(this.question, this.input, x, y, this.bound);
    return mapped.ok ? mapped : undefined;
  }

  /** The places along an axis at which the bound changes. */
  crossings({ field, from, to }: Ranged, changes: Changes = []): Crossing[] {
    const input = this.changed(changes);
    const crossed = this.operations.crossings(
      this.question,
      input,
      { field, from, to },
      this.bound,
    );
    return crossed.ok ? crossed.crossings : [];
  }

  /** The choices of an answer, by their index in samples. */
  choices(answer: string): string[] {
    const { answers } = this.ctx.description.questions[this.question];
    return answers.find(({ key }) => key === answer)?.choices ?? [];
  }

  private changed(changes: Changes): InputGroups {
    const input: Record<string, object> = { ...this.input };
    for (const [id, value] of changes) {
      const [group, key] = splitId(id);
      input[group] = { ...input[group], [key]: value };
    }
    return input;
  }
}
