import type { Engine, Explanation, Issue, Target, TurnedQuestion } from '../engine/index.ts';
import { withWays } from './divide-servers.ts';
import type { InputGroup } from './presets.ts';
import { views, type Question } from './views.ts';
import { inputOf, type FoundLayout, type InputGroups, type State } from './state.ts';

/** An answer has a number, a choice, or a reason why it has neither. */
export type Answer = number | string | { absent: string };
export type Answers = Readonly<Record<string, Answer>>;

export type Reply =
  | { ok: true; answers: Answers; notices: readonly Issue[] }
  | { ok: false; issues: readonly Issue[] };

// The engine checks every value itself; this module only assembles the input.
type Method = (input: InputGroups) => Reply;

/** Searches for what a state leaves open, such as the best layout of a plan. */
export interface Finder {
  /** Adds what the search found; undefined while it runs. */
  complete(state: State): State | undefined;
  /** Stops the search. */
  stop(): void;
}

/** Makes the finder of a view, which calls `told` on progress. */
export type MakeFinder = (engine: Engine, told: () => void) => Finder;

/** The views with those that have loaded; one that is searched has a finder. */
export interface Finders {
  get(view: Question): { value: { finder?: MakeFinder } | undefined } | undefined;
}

/** The module that answers a view; undefined until it has loaded. */
const answererOf = (engine: Engine, view: Question): unknown => {
  const { module } = views[view];
  return module ? engine.loaded(module) : engine;
};

/** Creates a finder for states of any view, which calls `told` on progress. */
export function makeFinder(engine: Engine, loaded: Finders, told: () => void): Finder {
  let view: Question | undefined;
  let finder: Finder | undefined;
  return {
    complete(state) {
      if (state.view !== view) {
        finder?.stop();
        finder = undefined;
        view = state.view;
      }
      if (!answererOf(engine, view)) return undefined;
      if (!views[view].searched) return completed(engine, state);
      finder ??= loaded.get(view)?.value?.finder?.(engine, told);
      return finder?.complete(state);
    },
    stop: () => finder?.stop(),
  };
}

/** Whether `evaluate` can answer at once. */
export const canEvaluate = (engine: Engine, { view, layout, found }: State): boolean =>
  answererOf(engine, view) !== undefined &&
  (!views[view].searched || layout === 'fixed' || found !== undefined);

/** Evaluates a state by one call into the core. */
export function evaluate(engine: Engine, state: State): Reply {
  const asked = answererOf(engine, state.view) as Record<string, Method>;
  return asked[views[state.view].engine]!(inputsOf(engine, state));
}

/** Evaluates a candidate near the present state, without searching its best layout. */
export const evaluateNearby = (engine: Engine, state: State): Reply =>
  evaluate(
    engine,
    views[state.view].searched && state.layout === 'best'
      ? { ...state, found: singleChipLayout(engine) }
      : state,
  );

/** A layout that divides nothing. */
export function singleChipLayout(engine: Engine): FoundLayout {
  const fields = engine.describe().groups.layout.map(({ key, default: usual }) => [key, usual]);
  return { of: '', fields: Object.fromEntries(fields) as InputGroup };
}

/** Explains an answer to `state`; call only after derivations have loaded. */
export const explain = (engine: Engine, state: State, answer: string): Explanation =>
  engine
    .loaded('derivations')!
    .explain(state.view, inputsOf(engine, state) as never, answer as never);

/** The equation of a target's answer, solved for a field; nothing before derivations have loaded. */
export const explainTurn = (
  engine: Engine,
  question: TurnedQuestion,
  input: InputGroups,
  target: Target,
  field: string,
): Explanation | undefined =>
  engine.loaded('derivations')?.explainTurn(question, input as never, target, field);

/** The groups that the state's question takes, as the engine takes them. */
export const inputsOf = (engine: Engine, state: State): InputGroups =>
  groupsOf(engine, completed(engine, state));

/** The state with the best ways of its servers, where it leaves them open. */
function completed(engine: Engine, state: State): State {
  const serving = views[state.view].divided && engine.loaded('serving');
  return serving
    ? withWays(serving, engine.describe(), state, (open) => groupsOf(engine, open))
    : state;
}

/** The same of what the state itself says. */
function groupsOf(engine: Engine, state: State): InputGroups {
  const description = engine.describe();
  const { groups } = description.questions[state.view];
  return Object.fromEntries(groups.map((group) => [group, inputOf(description, state, group)]));
}
