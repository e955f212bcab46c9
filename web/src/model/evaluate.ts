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

// The engine checks every value itself; this module only assembles the input.
type Method = (input: InputGroups) => Reply;

let planner: Planner | undefined;

/** Loads the planner, which evaluating plans needs. */
export async function loadPlanner(engine: Engine): Promise<void> {
  planner ??= await engine.planner();
}

/** Whether the planner has loaded. */
export const hasPlanner = (): boolean => planner !== undefined;

/** The planner; call only after it has loaded. */
export const loadedPlanner = (): Planner => planner!;

/** Searches the best layouts of plans. */
export interface Finder {
  /** Adds the best layout to a plan; undefined while it is being searched. */
  complete(state: State): State | undefined;
  /** Stops the search. */
  stop(): void;
}

type MakeFinder = (engine: Engine, told: () => void) => Finder;
let finders: MakeFinder | undefined;

/** Registers what searches layouts, which loads with the view of plans. */
export const provideFinder = (make: MakeFinder): void => void (finders = make);

/** Creates a finder that calls `told` on progress; undefined until the planner has loaded. */
export const makeFinder: (...how: Parameters<MakeFinder>) => Finder | undefined = (engine, told) =>
  planner && finders?.(engine, told);

/** Whether `evaluate` can answer at once. */
export const canEvaluate = ({ view, layout, found }: State): boolean =>
  view !== 'plan' || (planner !== undefined && (layout === 'fixed' || found !== undefined));

/** Evaluates a state by one call into the core. */
export function evaluate(engine: Engine, state: State): Reply {
  const methods = {
    training: engine.estimate,
    operation: engine.roofline,
    collective: engine.collective,
    plan: planner?.estimate,
  } as Record<QuestionName, unknown> as Record<QuestionName, Method>;
  return methods[state.view](inputsOf(engine, state));
}

/** Evaluates a candidate near the present state, without searching its best layout. */
export const evaluateNearby = (engine: Engine, state: State): Reply =>
  evaluate(engine, state.layout === 'best' ? { ...state, found: undivided(engine) } : state);

/** A layout that divides nothing. */
export function undivided(engine: Engine): FoundLayout {
  const fields = engine.describe().groups.layout.map(({ key, default: usual }) => [key, usual]);
  return { of: '', fields: Object.fromEntries(fields) as InputGroup };
}

let derivations: Derivations | undefined;

/** Loads what explains answers. */
export async function loadDerivations(engine: Engine): Promise<void> {
  derivations ??= await engine.derivations();
}

export const canExplain = (): boolean => derivations !== undefined;

/** Explains an answer to `state`; call only after derivations have loaded. */
export const explain = (engine: Engine, state: State, answer: string): Explanation =>
  derivations!.explain(state.view, inputsOf(engine, state) as never, answer as never);

/** The groups that the state's question takes, as the engine takes them. */
export function inputsOf(engine: Engine, state: State): InputGroups {
  const description = engine.describe();
  const { groups } = description.questions[state.view];
  return Object.fromEntries(groups.map((group) => [group, inputOf(description, state, group)]));
}
