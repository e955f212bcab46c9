import type { Engine, Explanation, Issue, Target, TurnedQuestion } from '../engine/index.ts';
import { withWays } from './divide-servers.ts';
import { ledOn } from './led-on.ts';
import type { InputGroup } from './presets.ts';
import { views, type Question } from './views.ts';
import {
  inputOf,
  isPlanned,
  withView,
  type FoundLayout,
  type InputGroups,
  type State,
} from './state.ts';

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
      const asked = planOf(state) ?? state;
      if (asked.view !== view) {
        finder?.stop();
        finder = undefined;
        view = asked.view;
      }
      if (!answererOf(engine, view)) return undefined;
      if (!views[view].searched) return completed(engine, state);
      finder ??= loaded.get(view)?.value?.finder?.(engine, told);
      const found = finder?.complete(asked);
      if (asked === state || !found) return found;
      return found.found === state.found ? state : { ...state, found: found.found };
    },
    stop: () => finder?.stop(),
  };
}

/** Whether `evaluate` can answer at once. */
export function canEvaluate(engine: Engine, state: State): boolean {
  const { view, layout, found } = planOf(state) ?? state;
  return (
    answererOf(engine, view) !== undefined &&
    (!views[view].searched || layout === 'fixed' || found !== undefined)
  );
}

/** The plan whose MFU a state takes, if it is predicted. */
export const planOf = (state: State): State | undefined =>
  isPlanned(state) ? withView(state, views[state.view].predictedBy!) : undefined;

/** Evaluates a state by one call into the core; of one that is predicted, its plan before. */
export function evaluate(engine: Engine, state: State): Reply {
  const plan = planned(engine, state);
  if (plan && !plan.ok) return plan;
  const asked = answererOf(engine, state.view) as Record<string, Method>;
  const reply = asked[views[state.view].engine]!(inputsAt(engine, state, plan?.answers));
  if (!plan || !reply.ok) return reply;
  const own = new Set(reply.notices.map(({ code }) => code));
  return {
    ...reply,
    notices: [...plan.notices.filter(({ code }) => !own.has(code)), ...reply.notices],
  };
}

/** The answers of a predicted state's plan, or why none can be run. */
export function planned(engine: Engine, state: State): Reply | undefined {
  const known = plans.get(state);
  const plan = known ? undefined : planOf(state);
  if (!plan) return known;
  const reply = runnable(evaluate(engine, plan));
  plans.set(state, reply);
  return reply;
}
const plans = new WeakMap<State, Reply>();

/** The reply, where what it plans fits and comes to an end. */
export function runnable(reply: Reply): Reply {
  if (!reply.ok) return reply;
  const { fits, memoryUsed, memoryLimit, goodput } = reply.answers;
  const refused = (code: Issue['code'], args: Issue['arguments'] = {}): Reply => ({
    ok: false,
    issues: [{ code, field: 'run.chips', arguments: args }],
  });
  if (fits !== 'yes') {
    return refused('noLayoutFits', { bytes: Number(memoryUsed), limit: Number(memoryLimit) });
  }
  return goodput === 0 ? refused('neverDone') : reply;
}

/** The run of a plan's inputs at an MFU: by the peak of the format that it computes in. */
export const runAt = ({ run, layout }: InputGroups, mfu: number): InputGroup => ({
  ...run,
  mfu,
  ...(layout?.['fp8Matmuls'] === true && { computeFormat: 'fp8' }),
});

/** The MFU of a plan with its failures. */
export const mfuWithFailures = ({ mfu, goodput }: Answers): number => Number(mfu) * Number(goodput);

/** Evaluates a candidate near the present state, without searching its best layout. */
export function evaluateNearby(engine: Engine, state: State): Reply {
  const plan = planOf(state);
  if (plan) {
    const nearby = evaluateNearby(engine, plan);
    return nearby.ok ? evaluate(engine, { ...state, counting: 'book' }) : nearby;
  }
  return evaluate(
    engine,
    views[state.view].searched && state.layout === 'best'
      ? { ...state, found: singleChipLayout(engine) }
      : state,
  );
}

/** A layout that divides nothing. */
export function singleChipLayout(engine: Engine): FoundLayout {
  const fields = engine.describe().groups.layout.map(({ key, default: usual }) => [key, usual]);
  return { of: '', fields: Object.fromEntries(fields) as InputGroup };
}

/** Explains an answer to `state`; call only after derivations have loaded. */
export function explain(engine: Engine, state: State, answer: string): Explanation {
  const derivations = engine.loaded('derivations')!;
  const explained = (asked: State, key: string): Explanation =>
    derivations.explain(asked.view, inputsOf(engine, asked) as never, key as never);
  const plan = planOf(state);
  const own = explained(state, answer);
  return plan ? ledOn(own, (key) => explained(plan, key)) : own;
}

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
export function inputsOf(engine: Engine, state: State): InputGroups {
  const plan = planned(engine, state);
  return inputsAt(engine, state, plan?.ok ? plan.answers : undefined);
}

/** The same; `plan`: what its plan says, whose MFU with failures it then has. */
function inputsAt(engine: Engine, state: State, plan?: Answers): InputGroups {
  const groups = groupsOf(engine, completed(engine, state));
  if (!plan) return groups;
  return { ...groups, run: runAt(inputsOf(engine, planOf(state)!), mfuWithFailures(plan)) };
}

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
