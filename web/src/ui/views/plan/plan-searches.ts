// The searches behind the section of plans: the best layouts, changes that would help, other numbers
// of chips. Results hold until the question changes.

import type {
  MapField,
  Plan,
  PlanMap,
  Planner,
  PlanSearch,
  ScaledRun,
  SearchProgress,
} from '../../../engine/index.ts';
import type { RenderContext } from '../../kit/render-context.ts';
import { bestOf, isPending, cachedBest } from './finder.ts';
import { keyOf, searchedInput, withValues, type PlanInput } from './input.ts';
import { changesTo, type Changes } from './layouts.ts';
import { changesOf, changeTasks, type Pulled } from './levers.ts';
import { mostTasks, type Most, type MostOf } from './most.ts';
import { fixedInput, sizesOf, type Found as Sized } from './scaling.ts';
import { Searching, type Task } from './searching.ts';

/** The results of the main search so far. */
interface Found {
  best: Plan[];
  roomy: Plan | undefined;
  front: Plan[];
  map: PlanMap;
  lower: number;
  limit: number;
  progress: SearchProgress;
}

/** The time for which the previous results stay in view [ms]; most searches know their best by
 * then. */
const patience = 120;

const usualMap: readonly [MapField, MapField] = ['tensor', 'pipeline'];

/** The sections that are searched for, besides the best layouts. */
type Wants = Readonly<Record<'levers' | 'scaling' | 'most', boolean>>;

export class PlanSearches {
  private readonly searching: Searching;
  private key = '';
  found: Found | undefined;
  /** Whether `found` belongs to the previous question. */
  outdated = false;
  /** Whether the input is valid but for its layout, so that it can be searched. */
  valid = true;
  readonly pulled = new Map<string, Pulled>();
  readonly sizes = new Map<number, Sized>();
  readonly most = new Map<MostOf, Most>();
  /** The best layouts that were known before the search. */
  private known: readonly Plan[] = [];
  private leversKey = '';
  private scalingKey = '';
  private mostKey = '';
  /** Numbers of chips that were searched, or will be. */
  private readonly asked = new Set<number>();
  /** Identifies the cell of the map that the reader chose last. */
  private cell: object | undefined;

  /** `told` is called after each part of the work. */
  constructor(told: () => void) {
    this.searching = new Searching(told);
  }

  get busy(): boolean {
    return this.searching.busy;
  }

  /** The best layouts, as far as they are known. */
  get best(): readonly Plan[] {
    const { found, known, outdated } = this;
    const first = outdated || !found?.progress.bestKnown;
    return first && known.length > 0 ? known : (found?.best ?? []);
  }

  stop(): void {
    this.searching.stop();
    this.key = this.leversKey = this.mostKey = '';
    this.asked.clear();
  }

  /** Searches what the present state asks for; returns whether answers may wait for nothing else. */
  update(ctx: RenderContext, wants: Wants): boolean {
    const input = searchedInput(ctx.engine, ctx.state);
    const asked = keyOf(input);
    if (isPending(ctx.state, asked)) {
      // The answers wait for the best layout, so another search must not delay it.
      this.searching.stop();
      this.key = '';
      this.outdated = true;
      return false;
    }
    const planner = ctx.engine.loaded('planner')!;
    const axes = mapAxes(ctx);
    const key = keyOf(asked, axes);
    const others = (): Task[] => [
      ...(wants.levers ? this.leverTasks(ctx, planner, input) : []),
      ...(wants.scaling ? this.scalingTasks(ctx, planner, input) : []),
      ...(wants.most ? this.mostTasks(ctx, planner, input) : []),
    ];
    if (key === this.key) {
      this.searching.add(others());
      return true;
    }
    this.key = key;
    // The searches under way are dropped, so their results are missing again.
    this.leversKey = this.mostKey = '';
    this.asked.clear();
    this.known = cachedBest(asked)?.plans ?? [];
    this.searching.begin([this.mainTask(planner, input, axes), ...others()]);
    return true;
  }

  private mainTask(
    planner: Planner,
    input: PlanInput,
    [x, y]: readonly [MapField, MapField],
  ): Task {
    const begun = performance.now();
    this.outdated = true;
    return {
      start: () => {
        const reply = planner.search(input, { x, y });
        this.valid = reply.ok;
        return reply.ok ? reply.search : undefined;
      },
      found: (search, progress) => {
        const soon = !progress.bestKnown && performance.now() - begun < patience;
        if (soon && this.found) return;
        this.found = search && read(search, progress);
        this.outdated = false;
      },
    };
  }

  private leverTasks(ctx: RenderContext, planner: Planner, input: PlanInput): Task[] {
    const key = keyOf(input);
    if (key === this.leversKey) return [];
    this.leversKey = key;
    this.pulled.clear();
    return changeTasks(changesOf(ctx, planner), planner, input, (id, pulled) =>
      this.pulled.set(id, pulled),
    );
  }

  private mostTasks(ctx: RenderContext, planner: Planner, input: PlanInput): Task[] {
    const key = keyOf(input);
    // The smallest chip is one of all.
    if (key === this.mostKey || !ctx.features.presets.more.use(ctx.actions)) return [];
    this.mostKey = key;
    this.most.clear();
    return mostTasks(
      ctx,
      planner,
      input,
      (what, most) => this.most.set(what, most),
      (task) => this.searching.add([task]),
    );
  }

  private scalingTasks(ctx: RenderContext, planner: Planner, input: PlanInput): Task[] {
    const weak = isWeak(ctx);
    const key = keyOf(fixedInput(input, weak), weak);
    if (key !== this.scalingKey) {
      this.sizes.clear();
      this.asked.clear();
    }
    this.scalingKey = key;
    const missing = sizesOf(ctx).filter(
      (chips) => !this.sizes.has(chips) && !this.asked.has(chips),
    );
    for (const chips of missing) this.asked.add(chips);
    return missing.map((chips) => {
      let run: ScaledRun | undefined;
      return {
        start: () => {
          const reply = planner.scaled(input, chips, weak);
          if (!reply.ok || !reply.search) return undefined;
          ({ run } = reply);
          return reply.search;
        },
        bestOnly: true,
        found: (search, _progress, over) => {
          // Numbers of chips that no slice has are left out.
          if (over && search && run) this.sizes.set(chips, { run, plan: search.chosen() });
        },
      };
    });
  }

  /**
   * Searches the best layout in a cell of the map, with both of its fields held; `take` gets the
   * fields to set, unless the reader has chosen another cell by then.
   */
  searchCell(ctx: RenderContext, [x, y]: readonly [number, number], take: (to: Changes) => void) {
    const axes = mapAxes(ctx);
    const { found } = this;
    // The data ways are the chips that remain, so they cannot be held.
    if (axes.includes('data') || !found) return;
    const place = [found.map.x[x]!, found.map.y[y]!];
    const fields = axes.map((axis, index) => [`layout.${axis}`, place[index]!] as const);
    const held = axes.map((axis) => [`search.${axis}`, false] as const);
    const input = withValues(searchedInput(ctx.engine, ctx.state), [...fields, ...held]);
    const cell = (this.cell = {});
    this.searching.add([
      {
        start: () => {
          const reply = ctx.engine.loaded('planner')!.search(input);
          return reply.ok ? reply.search : undefined;
        },
        bestOnly: true,
        found: (search, _progress, over) => {
          if (!over || cell !== this.cell) return;
          const best = search?.chosen();
          // The reader can choose a cell in which nothing fits.
          take(best ? changesTo(best.layout) : fields);
        },
      },
    ]);
  }
}

/** The fields along the axes of the map. */
export const mapAxes = ({ state }: RenderContext): readonly [MapField, MapField] =>
  state.charts.map ?? usualMap;

/** Whether the batch grows with the chips. */
export const isWeak = ({ state }: RenderContext): boolean => state.charts.scaling === 'weak';

const read = (search: PlanSearch, progress: SearchProgress): Found => ({
  best: bestOf(search),
  roomy: search.roomy(),
  front: search.front(),
  map: search.map(),
  lower: search.lower(),
  limit: search.limit(),
  progress,
});
