import type {
  Derivations,
  Engine,
  Explanation,
  Issue,
  Planner,
  QuestionName,
} from '../engine/index.ts';
import type { InputGroup } from './presets.ts';
import { inputOf, type FoundLayout, type InputGroups, type State } from './state.ts';

/** An answer has a number, a choice, or a reason why it has neither. */
export type Answer = number | string | { absent: string };
export type Answers = Readonly<Record<string, Answer>>;

export type Reply =
  | { ok: true; answers: Answers; notices: readonly Issue[] }
  | { ok: false; issues: readonly Issue[] };

// The engine checks every value itself: here they are only put together.
type Method = (input: InputGroups) => Reply;

let planner: Planner | undefined;

/** Brings the planner, before which no plan can be asked for. */
export async function loadPlanner(engine: Engine): Promise<void> {
  planner ??= await engine.planner();
}

/** Whether the planner has been brought. */
export const hasPlanner = (): boolean => planner !== undefined;

/** The planner, once it has been brought. */
export const loadedPlanner = (): Planner => planner!;

/** What finds the layouts of plans that are divided the best way. */
export interface Finder {
  /** The state with its best layout; nothing while that is being found. Others are as they are. */
  complete(state: State): State | undefined;
  /** Gives up what is being found. */
  stop(): void;
}

type MakeFinder = (engine: Engine, told: () => void) => Finder;
let finders: MakeFinder | undefined;

/** Tells what finds layouts; it comes with the view of plans. */
export const provideFinder = (make: MakeFinder): void => void (finders = make);

/** A finder that calls `told` when there is more to tell; nothing before there can be one. */
export const makeFinder: (...how: Parameters<MakeFinder>) => Finder | undefined = (engine, told) =>
  planner && finders?.(engine, told);

/** Whether `ask` can tell at once. */
export const canEvaluate = ({ view, layout, found }: State): boolean =>
  view !== 'plan' || (planner !== undefined && (layout === 'fixed' || found !== undefined));

/** One crossing into the core: what `state` asks, answered or refused. */
export function evaluate(engine: Engine, state: State): Reply {
  const methods = {
    training: engine.estimate,
    operation: engine.roofline,
    collective: engine.collective,
    plan: planner?.estimate,
  } as Record<QuestionName, unknown> as Record<QuestionName, Method>;
  return methods[state.view](inputsOf(engine, state));
}

/** The same of a state near one that is asked: of the best way, the layout matters not. */
export const evaluateNearby = (engine: Engine, state: State): Reply =>
  evaluate(engine, state.layout === 'best' ? { ...state, found: undivided(engine) } : state);

/** A layout that divides nothing. */
export function undivided(engine: Engine): FoundLayout {
  const fields = engine.describe().groups.layout.map(({ key, default: usual }) => [key, usual]);
  return { of: '', fields: Object.fromEntries(fields) as InputGroup };
}

let derivations: Derivations | undefined;

/** Brings what explains answers. */
export async function loadDerivations(engine: Engine): Promise<void> {
  derivations ??= await engine.derivations();
}

export const canExplain = (): boolean => derivations !== undefined;

/** How an answer to `state` came about, once derivations have been brought. */
export const explain = (engine: Engine, state: State, answer: string): Explanation =>
  derivations!.explain(state.view, inputsOf(engine, state) as never, answer as never);

/** The groups that the state's question takes, as the engine takes them. */
export function inputsOf(engine: Engine, state: State): InputGroups {
  const description = engine.describe();
  const { groups } = description.questions[state.view];
  return Object.fromEntries(groups.map((group) => [group, inputOf(description, state, group)]));
}
