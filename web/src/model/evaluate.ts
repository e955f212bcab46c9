import type {
  Derivations,
  Engine,
  Explanation,
  Issue,
  Planner,
  ServingModule,
  Target,
  TargetsModule,
  TurnedQuestion,
  QuestionName,
} from '../engine/index.ts';
import type { InputGroup } from './presets.ts';
import { views, type LazyModule } from './views.ts';
import { inputOf, type FoundLayout, type InputGroups, type State } from './state.ts';

/** An answer has a number, a choice, or a reason why it has neither. */
export type Answer = number | string | { absent: string };
export type Answers = Readonly<Record<string, Answer>>;

export type Reply =
  | { ok: true; answers: Answers; notices: readonly Issue[] }
  | { ok: false; issues: readonly Issue[] };

// The engine checks every value itself; this module only assembles the input.
type Method = (input: InputGroups) => Reply;

/** The modules beside the core. */
interface Modules extends Record<LazyModule, unknown> {
  planner: Planner;
  serving: ServingModule;
  targets: TargetsModule;
}
const modules = Object.create(null) as Partial<Modules>;

/** Loads a module beside the core. */
export async function loadModule<Name extends keyof Modules>(
  engine: Engine,
  name: Name,
): Promise<Modules[Name]> {
  const load = engine[name] as () => Promise<Modules[Name]>;
  return (modules[name] ??= await load());
}

/** A module beside the core; call only after it has loaded. */
export const loadedModule = <Name extends keyof Modules>(name: Name): Modules[Name] =>
  modules[name]!;

type Complete = (engine: Engine, state: State) => State;
const completing = Object.create(null) as Partial<Record<QuestionName, Complete>>;

/** Completes what states of a view leave open; `complete` is given what a state itself says. */
export const provideCompletion = (
  view: QuestionName,
  complete: (state: State, groupsOf: (state: State) => InputGroups) => State,
): void =>
  void (completing[view] = (engine, state) => complete(state, (open) => groupsOf(engine, open)));

/** Searches for what a state leaves open, such as the best layout of a plan. */
export interface Finder {
  /** Adds what the search found; undefined while it runs. */
  complete(state: State): State | undefined;
  /** Stops the search. */
  stop(): void;
}

type MakeFinder = (engine: Engine, told: () => void) => Finder;
const finders = Object.create(null) as Partial<Record<QuestionName, MakeFinder>>;

/** Registers the search of a view, which loads with the view. */
export const provideFinder = (view: QuestionName, make: MakeFinder): void =>
  void (finders[view] = make);

/** Whether what computes the answers of a view has loaded. */
const isLoaded = (view: QuestionName): boolean => {
  const { module } = views[view];
  return !module || modules[module] !== undefined;
};

/** Creates a finder for states of any view, which calls `told` on progress. */
export function makeFinder(engine: Engine, told: () => void): Finder {
  let view: QuestionName | undefined;
  let finder: Finder | undefined;
  return {
    complete(state) {
      if (state.view !== view) {
        finder?.stop();
        finder = undefined;
        view = state.view;
      }
      if (!isLoaded(view)) return undefined;
      if (!views[view].searched) return completing[view]?.(engine, state) ?? state;
      finder ??= finders[view]?.(engine, told);
      return finder?.complete(state);
    },
    stop: () => finder?.stop(),
  };
}

/** Whether `evaluate` can answer at once. */
export const canEvaluate = ({ view, layout, found }: State): boolean =>
  isLoaded(view) && (!views[view].searched || layout === 'fixed' || found !== undefined);

/** Evaluates a state by one call into the core. */
export function evaluate(engine: Engine, state: State): Reply {
  const { module, engine: method } = views[state.view];
  const asked: unknown = module ? loadedModule(module) : engine;
  return (asked as Record<string, Method>)[method]!(inputsOf(engine, state));
}

/** Evaluates a candidate near the present state, without searching its best layout. */
export const evaluateNearby = (engine: Engine, state: State): Reply =>
  evaluate(
    engine,
    views[state.view].searched && state.layout === 'best'
      ? { ...state, found: undivided(engine) }
      : state,
  );

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

/** Explains an answer to `state`; call only after derivations have loaded. */
export const explain = (engine: Engine, state: State, answer: string): Explanation =>
  derivations!.explain(state.view, inputsOf(engine, state) as never, answer as never);

/** The equation of a target's answer, solved for a field; nothing before derivations have loaded. */
export const explainTurn = (
  question: TurnedQuestion,
  input: InputGroups,
  target: Target,
  field: string,
): Explanation | undefined => derivations?.explainTurn(question, input as never, target, field);

/** The groups that the state's question takes, as the engine takes them. */
export const inputsOf = (engine: Engine, state: State): InputGroups =>
  groupsOf(engine, completing[state.view]?.(engine, state) ?? state);

/** The same of what the state itself says. */
function groupsOf(engine: Engine, state: State): InputGroups {
  const description = engine.describe();
  const { groups } = description.questions[state.view];
  return Object.fromEntries(groups.map((group) => [group, inputOf(description, state, group)]));
}
