// The engine's inputs and outputs. The fields and answers themselves are in generated.ts, written
// from the core's own description.

import type {
  Absence,
  AnswersOf,
  BudgetAnswers,
  CollectiveAnswers,
  GroupName,
  InputOf,
  IssueCode,
  LayoutFields,
  OperationAnswers,
  PlanAnswers,
  RewardAnswers,
  RunFields,
  ServerFields,
  ServingAnswers,
  ServingFields,
  Topic,
  TrainingAnswers,
} from './generated.ts';

/** An error in a field, or a note on it. Its sentence is written in the reader's language. */
export interface Issue {
  /** Some are the engine's own. `unknownField`: the input has a key that no field has, or something
   *  that has no fields in the place of a group. `notText`: a text is something else.
   *  `noLayoutFits` and `neverDone`: no plan stands behind what is asked at the MFU of one. */
  code: IssueCode | 'unknownField' | 'notText' | 'noLayoutFits' | 'neverDone';
  /** `group.key`, e.g. `run.chips`; of a group that is none, `group`. */
  field: string;
  /** Numbers that the sentence names, e.g. `minimum` and `maximum`. */
  arguments: Record<string, number>;
}

/** The answers, or why there are none. Notices are findings that do not keep from answering. */
export type Outcome<Answers> =
  { ok: true; answers: Answers; notices: Issue[] } | { ok: false; issues: Issue[] };

export type Operator =
  | 'number'
  | 'input'
  | 'step'
  | 'add'
  | 'subtract'
  | 'multiply'
  | 'divide'
  | 'square'
  | 'sqrt'
  | 'cubeRoot'
  | 'ceil'
  | 'floor'
  | 'min'
  | 'max'
  | 'nearestPowerOfTwo'
  | 'powerOfTwoBelow'
  | 'expMinusOne'
  | 'logarithm'
  | 'power'
  /** A choice: the value is its index where the first argument is below the second, else 0. */
  | 'chooseIfBelow';

/** A part of a formula: a number, an input, another step, or an operation on such parts. */
export interface Expression {
  op: Operator;
  value: number;
  /** Empty for plain numbers and for operations. */
  unit: string;
  /** Left out where it is plain. */
  shown?: Shown;
  /** The symbol in the book's notation, such as `W_hbm`; an underscore starts the subscript. */
  symbol?: string;
  /** `group.key` for inputs, the key of its texts for steps. */
  key?: string;
  /** The name of the choice, for steps such as a bound. */
  choice?: string;
  /** The operands of an operation; sums and products may have more than two. */
  args?: Expression[];
}

/** One named quantity of a derivation. */
export interface Step {
  /** Of a constant `constants.` and the key of its text, with what it holds for behind `#`; behind
   * that also the number of a second quantity of its name. */
  key: string;
  symbol: string;
  unit: string;
  /** Left out where it is plain. */
  shown?: Shown;
  value: number;
  /** The name of the choice, if the quantity is one, such as a bound. */
  choice?: string;
  /** Id of the rule's source in shared/sources.json. */
  source: string;
  /** Its formula, of inputs and later steps of the list. */
  expression: Expression;
}

/** The derivation of an answer: the answer first, then the steps behind it, then the numbers that
 * these take as given: constants, and what was chosen or counted. */
export interface Derivation {
  key: string;
  /** Empty where the answer has no value. */
  steps: Step[];
}

export type Explanation = { ok: true; derivation: Derivation } | { ok: false; issues: Issue[] };

export type FieldValue = number | string | boolean | null;

/** How people say a number: a fraction in percent, a count by doubling it, the time of a step in
 *  seconds, or as its unit has it. */
export type Shown = 'plain' | 'percent' | 'doubling' | 'step';

/** A field of an input group, as the core declares it. */
export interface FieldInfo {
  key: string;
  symbol: string;
  unit: string;
  /** A count is a whole number. */
  kind: 'number' | 'count' | 'choice' | 'flag' | 'text';
  /** How early it is asked for: the question in words names it, it has a sensible value that readers
   *  check, or few inputs change it. */
  rank: 'asked' | 'assumption' | 'rare';
  /** May be null: not known. */
  optional: boolean;
  /** Must be given wherever it matters (see `when`): it has no default. Presets give what chips and
   *  models require. */
  required: boolean;
  min: number;
  /** The largest number, or the greatest length of a text. */
  max: number;
  /** Used where an input leaves the field out; null: it must be given (or is optional). */
  default: FieldValue;
  /** Another default, while one of these fields of its group has one of these choices. */
  instead: { default: number; while: Record<string, string[]> } | null;
  /** The values of a choice, or the letters that a text can have. */
  choices: string[];
  shown: Shown;
  /** Where an input of servers leaves it out, a search chooses it. */
  searched: boolean;
  /** The part of its group that it belongs to. */
  topic: Topic;
  /** The field matters only while another of its group has one of `choices`, or, of a text, one of
   *  these letters; with none, while that other is above 0, or a text empty. */
  when: { field: string; choices: string[] } | null;
}

export interface AnswerInfo {
  key: string;
  symbol: string;
  unit: string;
  shown: Shown;
  kind: 'number' | 'choice';
  choices: string[];
  source: string;
  /** The answer that this one bounds. 9 of 10 measurements lie between `low` and `high`; the other
   *  answer is never less than `lower` and never more than `upper`. */
  bounds: { answer: string; kind: BoundKind } | null;
}

export type BoundKind = 'low' | 'high' | 'lower' | 'upper';

/** Questions about one operation or collective. */
export type OperationQuestion = 'operation' | 'collective';
/** Questions that are answered without a search, explained, and asked backward. */
export type CoreQuestion = 'training' | OperationQuestion;
export type QuestionName = keyof InputOf;

export interface QuestionInfo {
  groups: GroupName[];
  /** Groups that are asked for only while a field of another group has one of `choices`. */
  when: Partial<Record<GroupName, { group: GroupName; field: string; choices: string[] }>>;
  answers: AnswerInfo[];
  /** The answers that most readers want, in their order. */
  first: string[];
}

export interface Description {
  groups: Record<GroupName, FieldInfo[]>;
  /** The beginning of the words that links have for the fields of each group. */
  prefixes: Record<GroupName, string>;
  questions: Record<QuestionName, QuestionInfo>;
  issueCodes: string[];
  /** The reasons why an answer may have no value. */
  absences: Absence['absent'][];
}

/** An input as a caller may give it: fields left out take their defaults. */
export type Partially<Input> = { [Group in keyof Input]?: Partial<Input[Group]> };

export type Inputs = { [Question in QuestionName]: Partially<InputOf[Question]> };

/** A field, `group.key`, and the values that it takes in turn; a choice's by name. */
export interface Axis {
  field: string;
  values: ArrayLike<number> | readonly string[];
}

/** An answer at many places. `absent` is 0 where there is a value, else 1 more than the reason's
 *  index in the description's `absences`: `notAllowed` where the input is not valid there. Choices
 *  come as their index. */
export interface Samples {
  values: Float64Array;
  absent: Uint8Array;
}

/** An answer over two fields. Where it is a choice that changes between a sample and the next one in
 *  its row, `right` has the place by the first one's index, to a millionth and between whole numbers
 *  too; `up` likewise in its column. Only between numbers above 0 that have values, 4,096 at most. */
export interface MapSamples extends Samples {
  right: ReadonlyMap<number, number>;
  up: ReadonlyMap<number, number>;
}

export interface Crossing {
  at: number;
  before: string;
  after: string;
}

export type MemoryLevel = 'hbm' | 'onChip' | 'host' | 'network';

/** The lines of a roofline chart, as far as the chip lists their rates. `ridges[i][k]` is the
 *  intensity at which the slope k meets the peak i. The network's slope is the rate at which a chip
 *  sends in an AllGather. */
export interface Roofs {
  peaks: { format: string; rate: number }[];
  slopes: { level: MemoryLevel; bandwidth: number }[];
  ridges: number[][];
}

/** The chips' holdings before and after each step: `holds[(step * chips + chip) * chips + part]`
 *  pieces of each part. Complete: 1 of a gather or transfer, `chips` of a reduction or an AllToAll. */
export interface Schedule {
  /** 0 where they are too many to be told. */
  chips: number;
  steps: number;
  holds: Uint8Array;
}

export type Result<T> = ({ ok: true } & T) | { ok: false; issues: Issue[] };

/** The fields of a layout that a search chooses. */
export type ChosenLayout = Pick<
  LayoutFields,
  | 'tensor'
  | 'context'
  | 'pipeline'
  | 'schedule'
  | 'virtualStages'
  | 'stageLayers'
  | 'expert'
  | 'expertTensor'
  | 'microBatch'
  | 'sharding'
  | 'recompute'
>;

/** A layout that a search found: the fields to put into an input, and what it comes to. */
export interface Plan {
  layout: ChosenLayout;
  dataWays: number;
  microBatches: number;
  /** Seconds of a step. */
  expected: number;
  lower: number;
  upper: number;
  /** Bytes on the fullest chip, and their likely range. */
  memory: number;
  memoryLow: number;
  memoryHigh: number;
  fits: boolean;
  /** Whether the limit lies below the memory, within its likely range, or above that. */
  memoryState: MemoryState;
  /** MFU by the FLOPs that the run's rule counts: above 1 if it counts more than are computed. */
  mfu: number;
  /** MFU by the exact FLOPs of each matmul with attention: never above 1. */
  mfuExact: number;
  tokensPerSecond: number;
  /** Seconds of the training, with failures. */
  wallTime: number;
  /** The MFU that takes as long without failures. */
  mfuWithFailures: number;
  bound: StepBound;
  nextBound: StepBound;
  /** Seconds of a step in which the chips wait for each, or do its work. */
  parts: Record<StepPart, number>;
  /** The tensors that are computed again, each in a share of the layers. */
  again: Partial<Record<RecomputedPart, number>>;
  /** The layers of the fullest stage. */
  fullestLayers: number;
}

export type MemoryState = Extract<PlanAnswers['memoryState'], string>;

/** Tensors of a layer that may be computed again: results of the norms, of the activation function,
 *  of the projections to queries, keys and values, of attention, of the first feed-forward matmul, of
 *  the projection behind attention, and of the experts. */
export type RecomputedPart =
  'norms' | 'product' | 'qkv' | 'attention' | 'hidden' | 'middle' | 'results';

export type StepBound = Extract<PlanAnswers['planBound'], string>;

export type StepPart =
  | 'computing'
  | 'recompute'
  | 'tensor'
  | 'context'
  | 'expert'
  | 'data'
  | 'pipeline'
  | 'bubble'
  | 'optimizer'
  | 'host'
  | 'launch'
  | 'overhead';

export interface SearchProgress {
  done: boolean;
  /** The best are final; the map, the front and the lower bound are when all is done. */
  bestKnown: boolean;
  /** Whether `roomy` is known. */
  roomyKnown: boolean;
  /** The share of the work that is done, from 0 to 1. */
  fraction: number;
  /** Layouts that are settled, costed or ruled out by bounds; at the end all that are searched. */
  grid: number;
  /** Layouts costed, and those of them that fit. */
  evaluated: number;
  fitting: number;
  /** The candidates dropped for lack of room: none on machines that exist. */
  leftOut: readonly SearchLimit[];
}

/** Divisors of very large numbers; ways to place a layout on very large tori; plans beyond 128 on the
 *  front; values beyond 48 on an axis of the map. */
export type SearchLimit = 'degrees' | 'placements' | 'front' | 'map';

/** Cells of the best step over two fields of the layout. */
export interface PlanMap {
  x: number[];
  y: number[];
  /** A row for each value of y; 0 where nothing fits. */
  seconds: Float64Array;
}

/** A search under way. Any number can be, each on its own. */
export interface PlanSearch {
  /** Works as long as costing about `count` layouts takes, at most 65,536: no call takes much longer
   *  than another with the same count. */
  advance(count: number): SearchProgress;
  /** The fastest that fit, the best first, one for each way to split; at most 16. */
  best(): Plan[];
  /** The layout with the fewest kinds of ways among those within 1 % of the fastest and of the least
   * memory of these. */
  chosen(): Plan | undefined;
  /** The fastest layout that leaves 10 % of the usable memory free: that of an input whose
   * `assumptions.memoryReserve` is 0.1. */
  roomy(): Plan | undefined;
  /** The fastest layout for each memory: the Pareto front, by memory. Layouts that don't fit are
   * told too. */
  front(): Plan[];
  map(): PlanMap;
  /** Bytes of a chip that may be used. */
  limit(): number;
  /** No layout that fits can be faster: the least lower bound of all [s]; 0 until all is done. */
  lower(): number;
  /** Lets go of the search, which then answers no more. The next one starts sooner: it need not keep
   * a copy of this one. */
  end(): void;
}

export type MapField = 'tensor' | 'context' | 'pipeline' | 'expert' | 'microBatch' | 'data';

export type MemoryKind =
  | 'parameters'
  | 'gradients'
  | 'optimizer'
  | 'activations'
  | 'working'
  | 'logits'
  | 'buffers'
  | 'overhead'
  | 'allocator';

/** Memory of the chips of each pipeline stage: `bytes[stage * kinds.length + kind]`. */
export interface StageMemories {
  /** Stages told: all of them, or, of more than 256, the first ones and the last. */
  stages: number;
  all: number;
  kinds: MemoryKind[];
  bytes: Float64Array;
  /** Activations that one layer keeps of one micro-batch, by kind of tensor [B]. */
  tensors: Record<string, number>;
  /** Bytes of a chip, and what may be used of them. */
  capacity: number;
  limit: number;
}

export type TimelineKind =
  'forward' | 'backward' | 'weights' | Exclude<StepPart, 'computing' | 'recompute'>;

export interface TimelineEvent {
  lane: number;
  kind: TimelineKind;
  /** Seconds. */
  start: number;
  end: number;
  /** The index from 0; -1: the event belongs to the whole step. */
  microBatch: number;
}

/** One training step. */
export interface Timeline {
  /** Lanes are pipeline stages, by number; else what works at once: `computing`, `tensor`, ... */
  byStage: boolean;
  lanes: string[];
  /** Times are those of the whole step, which ends at `end` [s]. */
  events: TimelineEvent[];
  end: number;
  /** `drawn` of the step's `microBatches`: those in the middle, all alike, are cut out. */
  drawn: number;
  microBatches: number;
  /** Times of which nothing is drawn, with the number of micro-batches that they leave out. */
  cuts: { start: number; end: number; microBatches: number }[];
  /** The time in which all stages alternate; absent if there is none. */
  steady?: { start: number; end: number };
}

/** Changes to a plan's input whose gain is worth knowing. */
export type Lever =
  | 'moreChips'
  | 'largerBatch'
  | 'fp8'
  | 'fasterNetwork'
  | 'moreMemory'
  | 'fasterMemory'
  | 'moreOverlap'
  | 'lessRecompute';

/** Fields of a run that change with the number of chips. */
export type ScaledRun = Pick<RunFields, 'chips' | 'slices' | 'batchTokens'>;

/** The planner: synchronous too. A search goes on in steps, so that a page stays responsive. */
export interface Planner {
  /** Answers for one layout. */
  estimate(input: Inputs['plan']): Outcome<PlanAnswers>;
  stages(input: Inputs['plan']): Result<StageMemories>;
  timeline(input: Inputs['plan']): Result<Timeline>;
  /** Searches all layouts that the input's `search` leaves open. */
  search(input: Inputs['plan'], map?: { x: MapField; y: MapField }): Result<{ search: PlanSearch }>;
  /** The same with a lever pulled; null where it cannot be (no fp8 peak, no network of so
   *  many chips, a batch above the whole training). */
  pull(input: Inputs['plan'], lever: Lever): Result<{ search: PlanSearch | null }>;
  levers: readonly Lever[];
  /** The same on another number of chips, in as few pods as have room for them; `weak`: the batch
   *  grows with them. Also what goes with so many. Absent where the network has no slice of so
   *  many. */
  scaled(
    input: Inputs['plan'],
    chips: number,
    weak?: boolean,
  ): Result<{ search: PlanSearch; run: ScaledRun } | { search: null }>;
}

/** Serving that no other is both faster and cheaper than. */
export interface ServingPoint {
  /** Seconds from a request to its last token, for each token of its answer. */
  timePerToken: number;
  /** Tokens of answers a second, of one chip. */
  tokensPerSecondPerChip: number;
  /** Sequences of a server at a time. */
  sequences: number;
  chips: number;
  tensor: number;
  attentionData: number;
  expert: number;
  pipeline: number;
  /** Whether tensor ways beyond key heads divide the sequences. */
  divideByBatch: boolean;
  /** Dollars for a million tokens of answers, where the price of the chip is known. */
  costAll?: number;
}

/** The ways in which a server's chips are divided; apart, also those that prefill. */
export type ServingWays = Pick<ServingFields, 'tensor' | 'attentionData' | 'expert' | 'pipeline'> &
  Partial<Pick<ServingFields, 'prefillChips' | 'prefillTensor' | 'prefillData' | 'prefillExpert'>>;

/** A division of servers, by the groups of its fields. */
export interface ServingDivision {
  serving: ServingWays;
  server: Pick<ServerFields, 'divideByBatch'>;
}

/** The serving question: synchronous too. */
export interface ServingModule {
  estimate(input: Inputs['serving']): Outcome<ServingAnswers>;
  /** Answers along a field, at most 4,096 values; the ways that the input leaves out stay at one. */
  sweep<Key extends keyof ServingAnswers & string>(
    input: Inputs['serving'],
    axis: Axis,
    answers: readonly Key[],
  ): Result<{ series: Record<Key, Samples> }>;
  /** Divides the chips the best way: ways that the input leaves out are chosen, the others stay. The
   *  best way holds the load, keeps up with it, keeps to targets, gives the most tokens a second, and
   *  of as many the whole answer soonest; where none holds it, it leaves the least on a chip. Exact
   *  over the tensor, data and expert ways that the software runs and 1 to 16 stages, of servers of
   *  up to 256 chips that leave none of a node idle (chips that nobody sells so may be one server);
   *  apart, chips that prefill are all numbers of up to 64 chips, and of more chips 63 of them.
   *  Where the input is not valid, or the given ways are none that run, there are issues, and the
   *  ways are those given, else one of each. */
  divide(input: Inputs['serving']): Result<unknown> & ServingDivision;
  /** The fewest chips that can be bought and are no fewer than `chips`, or the most that are no more:
   *  whole nodes, such as 8 H100 or a rack of 72, and on a torus slices of powers of two. Undefined
   *  where there are none, or where the chip is not valid. */
  bought(input: Inputs['serving'], chips: number, within?: boolean): number | undefined;
  /** The time of a request for each token of its answer against tokens a second of a chip, as
   *  `estimate` answers for as many users: over batches of 1 to 4,096 sequences, servers of 1 to 256
   *  chips that leave none of a node idle and all divisions, the points that no other beats in both,
   *  fastest first. Exact over divisions as `divide` has them and batches that are powers of two on
   *  each rank of attention. */
  frontier(input: Inputs['serving']): Result<{ points: ServingPoint[] }>;
}

/** A way to share out chips between generation and training. */
export interface Split {
  /** That generate. */
  chips: number;
  /** Of a step. */
  seconds: number;
}

/** The question of training by reward: synchronous too. */
export interface RewardModule {
  /** Splits, ways and layouts that the input leaves out are chosen. */
  estimate(input: Inputs['reward']): Outcome<RewardAnswers>;
  /** Answers along a field, at most 4,096 values. */
  sweep<Key extends keyof RewardAnswers & string>(
    input: Inputs['reward'],
    axis: Axis,
    answers: readonly Key[],
  ): Result<{ series: Record<Key, Samples> }>;
  /** All splits that were tried and fit; of chips that take turns, one step off-policy. */
  splits(input: Inputs['reward']): Result<{ splits: Split[] }>;
}

/** Questions that can be asked backward at once. */
export type TargetQuestion = CoreQuestion | 'budget';
/** The questions whose equations are solved for a field. */
export type TurnedQuestion = TargetQuestion | 'serving';

/** The wanted value of an answer: a number in the answer's own unit, or one of its choices. */
export type Target = { answer: string } & (
  { wanted: 'atMost' | 'atLeast'; value: number } | { wanted: 'is'; value: string }
);

/** The effect that one field alone can have on a target. */
export interface Turn {
  /** `group.key` */
  field: string;
  /** `none`: the answer does not depend on the field, or never leaves a target that is met; `keeps`:
   *  a target that is met stays so up to the value. */
  effect: 'meets' | 'fallsShort' | 'none' | 'keeps';
  /** The value nearest to the present one that meets the target, or else the one that comes nearest
   *  to it; of a target that is met, the last one that keeps it. It is whole where a count is meant,
   *  of three digits where that meets the target too, and always one with which the input is valid. */
  value: FieldValue;
  /** Slices that go with so many chips. */
  slices?: number;
  /** Fields that the input leaves out and whose default the field decides: as they are without it. */
  also?: Record<string, FieldValue>;
  /** The answer with that value. */
  reached: number | string;
  /** Another layout of a plan may be the best with that value. */
  divides?: true;
}

export interface Solution {
  /** The reason why the answer has no value, so that no target can be set for it. */
  absent: Absence['absent'] | null;
  /** Whether the input meets the target as it is; then turns tell how far it stays so. */
  met: boolean;
  /** One for each field that a reader may choose, in the order of the description; one for each
   *  choice that meets a target that is not met. */
  turns: Turn[];
}

/** The questions whose answers take a search each. */
export type SearchedQuestion = 'plan' | 'serving';

/** Turns the fields of such a question one after the other, in the same way in which `solve` looks for
 *  crossings: it asks for one answer at a time. */
export interface TargetSearch {
  /** The input whose answer it needs: a field at another value, with the slices that go with so many
   *  chips; `divides`: the best layout has to be searched anew. Undefined once it is done. */
  readonly asks:
    { field: string; value: FieldValue; slices?: number; divides: boolean } | undefined;
  /** Tells that answer; nothing where the input is not valid or has none. */
  tell(answer: number | string | undefined): void;
  /** The turns that were found so far. */
  readonly turns: readonly Turn[];
}

/** Questions asked backward: synchronous too. */
export interface TargetsModule {
  /** The inputs that could bring an answer to a target, each alone. An answer that rises or falls
   *  along a field is solved for its crossing, to the last bit before rounding; of one that comes
   *  and goes within a few percent, a way back may go unseen. */
  solve<Q extends TargetQuestion>(question: Q, input: Inputs[Q], target: Target): Result<Solution>;
  /** Begins to turn the fields of a question whose answers the caller finds; `now`: the present
   *  answer. */
  search<Q extends SearchedQuestion>(
    question: Q,
    input: Inputs[Q],
    target: Target,
    now: number | string,
  ): TargetSearch;
  /** Whether an answer of a question is what is wanted of it. */
  isMet(question: QuestionName, target: Target, answer: number | string | undefined): boolean;
}

/** Derivations of answers: synchronous too. */
export interface Derivations {
  /** Derives the answer `key` of a question. */
  explain<Q extends QuestionName>(
    question: Q,
    input: Inputs[Q],
    key: keyof AnswersOf[Q] & string,
  ): Explanation;
  /** The equation of the target's answer, solved for a field: of an input in which a turn of that
   *  field has been made. Without steps where the equation cannot be solved for it. */
  explainTurn<Q extends TurnedQuestion>(
    question: Q,
    input: Inputs[Q],
    target: Target,
    field: string,
  ): Explanation;
}

/** Operations and collectives: synchronous too. */
export interface OperationsModule {
  /** The bound of one operation on a chip, or on several. */
  roofline(input: Inputs['operation']): Outcome<OperationAnswers>;
  /** The time of a collective. */
  collective(input: Inputs['collective']): Outcome<CollectiveAnswers>;
  /** Answers along a field, at most 4,096 values. */
  sweep<Q extends OperationQuestion, Key extends keyof AnswersOf[Q] & string>(
    question: Q,
    input: Inputs[Q],
    axis: Axis,
    answers: readonly Key[],
  ): Result<{ series: Record<Key, Samples> }>;
  /** An answer over two fields, a row for each value of `y`; at most 65,536 samples. */
  map<Q extends OperationQuestion>(
    question: Q,
    input: Inputs[Q],
    x: Axis,
    y: Axis,
    answer: keyof AnswersOf[Q] & string,
  ): Result<MapSamples>;
  /** The values between `from` and `to` (both above 0) at which `answer`, a choice such as the
   *  bound, changes: exactly, and between whole numbers too; the first 64 places. */
  crossings<Q extends OperationQuestion>(
    question: Q,
    input: Inputs[Q],
    range: { field: string; from: number; to: number },
    answer: keyof AnswersOf[Q] & string,
  ): Result<{ crossings: Crossing[] }>;
  /** The roofs of a chip, and of the network that a mesh of it has. */
  roofs(input: Pick<Inputs['collective'], 'chip'> & Partial<Inputs['collective']>): Result<Roofs>;
  /** The holders of each part, step by step, in a collective among at most 16 chips. */
  schedule(input: Inputs['collective']): Result<Schedule>;
}

/** What loads when it is first asked for. */
export interface LaterModules {
  derivations: Derivations;
  operations: OperationsModule;
  planner: Planner;
  reward: RewardModule;
  serving: ServingModule;
  targets: TargetsModule;
}

/** Loads each module when it is first asked for. */
type LoadModules = { [Name in keyof LaterModules]: () => Promise<LaterModules[Name]> };

/** The estimator. Every method is synchronous and keeps nothing between calls. A field or answer
 *  that the question does not have is the caller's mistake and throws a RangeError. */
export interface Engine extends LoadModules {
  /** All fields, answers and codes. */
  describe(): Description;
  /** The view of trainings: time, memory and cost. */
  estimate(input: Inputs['training']): Outcome<TrainingAnswers>;
  /** The training that a sum of money, or days on the run's chips, can pay for. */
  budget(input: Inputs['budget']): Outcome<BudgetAnswers>;
  /** A module of these, where it has loaded already. */
  loaded<Name extends keyof LaterModules>(name: Name): LaterModules[Name] | undefined;
}
