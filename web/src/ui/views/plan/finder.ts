// Finds the layouts of plans that are divided the best way, and keeps what was found.

import type { Engine, Plan, Planner, PlanSearch } from '../../../engine/index.ts';
import { singleChipLayout, type Finder } from '../../../model/evaluate.ts';
import type { FoundLayout, State } from '../../../model/state.ts';
import { keyOf, searchedInput, type PlanInput } from './input.ts';
import { Searching, type Task } from './searching.ts';

/** The result of a search for the best layout. */
interface Best {
  /** The input is one that can be searched. */
  readonly valid: boolean;
  /** The best layouts that fit, the one to choose first. */
  readonly plans: readonly Plan[];
  /** The layout that needs the least memory, if none fits. */
  readonly least: Plan | undefined;
}

/** Recent results by their input. */
export class Memo<T> {
  private readonly items = new Map<string, T>();

  get = (key: string): T | undefined => this.items.get(key);

  set(key: string, item: T): void {
    this.items.delete(key);
    this.items.set(key, item);
    const [oldest] = this.items.keys();
    if (this.items.size > mostKept) this.items.delete(oldest!);
  }
}
/** The number of results that are kept: more than there are chips or models to compare. */
const mostKept = 256;

/** The best layouts: the one to choose, then others by their time, one of each way to divide. */
export function bestOf(search: PlanSearch): Plan[] {
  const chosen = search.chosen();
  return chosen
    ? [chosen, ...search.best().filter((plan) => !sameDegrees(plan, chosen))]
    : search.best();
}

const sameDegrees = ({ layout: one }: Plan, { layout: other }: Plan): boolean =>
  (['tensor', 'context', 'pipeline', 'expert', 'expertTensor'] as const).every(
    (key) => one[key] === other[key],
  );

const bests = new Memo<Best>();

/** The known best layouts of an input, by its key. */
export const cachedBest = (key: string): Best | undefined => bests.get(key);

/** The search for what `cachedBest` then tells of. */
export function bestTask(planner: Planner, input: PlanInput, key: string, told: () => void): Task {
  let valid = true;
  return {
    start: () => {
      const reply = planner.search(input);
      valid = reply.ok;
      return reply.ok ? reply.search : undefined;
    },
    bestOnly: true,
    orLeast: true,
    found: (search, _progress, over) => {
      if (!over) return;
      const plans = search ? bestOf(search) : [];
      const least = plans.length > 0 ? undefined : search?.front()[0];
      bests.set(key, { valid, plans, least });
      told();
    },
  };
}

/** Whether the state's own layout is yet to be found. */
export const isPending = (state: State, key: string): boolean =>
  state.layout === 'best' && state.found?.of !== key && cachedBest(key) === undefined;

/** Whether the state has the best layout, and that one fits. */
export function isBest({ engine, state }: { engine: Engine; state: State }): boolean {
  if (state.layout === 'fixed') return false;
  return (cachedBest(keyOf(searchedInput(engine, state)))?.plans.length ?? 0) > 0;
}

export function makeFinder(engine: Engine, told: () => void): Finder {
  const searching = new Searching(() => {});
  let sought: string | undefined;
  let telling: ReturnType<typeof setTimeout> | undefined;
  return {
    complete(state) {
      if (state.layout === 'fixed') return state;
      const input = searchedInput(engine, state);
      const key = keyOf(input);
      if (state.found?.of === key) return state;
      if (!cachedBest(key) && sought !== key) {
        sought = key;
        let within = true;
        // Most are found at once. Others are told once the search is over: it may begin another.
        const over = (): void => {
          if (!within) telling = setTimeout(told);
        };
        const task = bestTask(engine.loaded('planner')!, input, key, over);
        // Beside others, its own answers are not in view.
        if (state.charts.sides !== undefined) searching.begin([task]);
        else searching.beginAtOnce([task]);
        within = false;
      }
      const best = cachedBest(key);
      return best && withFound(engine, state, key, best);
    },
    stop() {
      searching.stop();
      clearTimeout(telling);
      sought = undefined;
    },
  };
}

function withFound(engine: Engine, state: State, key: string, best: Best): State {
  const plan = best.plans[0] ?? best.least;
  // No layout mends an input that is invalid otherwise.
  if (!best.valid) return state.found ? { ...state, found: undefined } : state;
  const found: FoundLayout = plan
    ? { of: key, fields: { ...plan.layout } }
    : { of: key, fields: singleChipLayout(engine).fields };
  return { ...state, found };
}
