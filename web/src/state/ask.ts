import type {
  Derivations,
  Engine,
  Explanation,
  Issue,
  Planner,
  QuestionName,
} from '../engine/index.ts';
import { inputOf, type InputGroups, type State } from './state.ts';

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
export async function bringPlanner(engine: Engine): Promise<void> {
  planner ??= await engine.planner();
}

/** The planner, once it has been brought. */
export const thePlanner = (): Planner => planner!;

/** Whether `ask` can tell at once. */
export const canAsk = ({ view }: State): boolean => view !== 'plan' || planner !== undefined;

/** One crossing into the core: what `state` asks, answered or refused. */
export function ask(engine: Engine, state: State): Reply {
  const methods = {
    training: engine.estimate,
    operation: engine.roofline,
    collective: engine.collective,
    plan: planner?.estimate,
  } as Record<QuestionName, unknown> as Record<QuestionName, Method>;
  return methods[state.view](inputsOf(engine, state));
}

let derivations: Derivations | undefined;

/** Brings what explains answers. */
export async function bringDerivations(engine: Engine): Promise<void> {
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
