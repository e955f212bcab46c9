import type { PlanSearch, SearchProgress } from '../../../engine/index.ts';

/** What of a frame searching may take [ms]. */
const budget = 8;
/** A call into the planner should take about this long: the clock is looked at between calls. */
const slice = 1.5;
const mostAtOnce = 1 << 20;

export interface Task {
  /** Only the best is asked for, which is known before all else. */
  bestOnly?: boolean;
  /** Where none fits, also what needs the least memory, which is known at the end. */
  orLeast?: boolean;
  /** Begins the search; nothing where there is none to begin. */
  start(): PlanSearch | undefined;
  /** What was found so far, once a frame and at the end. */
  found(search: PlanSearch | undefined, progress: SearchProgress, over: boolean): void;
}

const nothing: SearchProgress = {
  done: true,
  bestKnown: true,
  fraction: 1,
  evaluated: 0,
  fitting: 0,
  leftOut: [],
};

function isEnough(task: Task, search: PlanSearch, progress: SearchProgress): boolean {
  if (!task.bestOnly || !progress.bestKnown) return progress.done;
  return progress.done || !task.orLeast || search.best().length > 0;
}

/** Those that share a frame. */
const searchers = new Set<Searching>();

/** Searches one after another, each frame a little: what is asked for first is found first. */
export class Searching {
  private tasks: Task[] = [];
  private search: PlanSearch | undefined;
  private frame = 0;
  private count = 1024;

  /** `told` is called after each frame's work. */
  constructor(private readonly told: () => void) {}

  get busy(): boolean {
    return this.tasks.length > 0;
  }

  /** Takes up other tasks in place of those under way, and does a frame's work at once. */
  begin(tasks: Task[]): void {
    this.stop();
    this.tasks = tasks;
    this.work();
  }

  /** To be done after those under way. */
  add(tasks: Task[]): void {
    this.tasks.push(...tasks);
    if (this.frame === 0) this.next();
  }

  stop(): void {
    cancelAnimationFrame(this.frame);
    this.frame = 0;
    this.tasks = [];
    this.search = undefined;
    searchers.delete(this);
  }

  private next(): void {
    if (!this.busy) return;
    this.frame = requestAnimationFrame(() => {
      this.frame = 0;
      this.work();
      this.told();
    });
  }

  private work(): void {
    if (this.busy) searchers.add(this);
    const end = performance.now() + budget / Math.max(1, searchers.size);
    let progress = nothing;
    while (this.busy && performance.now() < end) {
      const task = this.tasks[0]!;
      this.search ??= task.start();
      progress = this.search ? this.advance(this.search) : nothing;
      if (this.search && !isEnough(task, this.search, progress)) continue;
      task.found(this.search, progress, true);
      this.tasks.shift();
      this.search = undefined;
    }
    if (this.busy && this.search) this.tasks[0]!.found(this.search, progress, false);
    if (!this.busy) searchers.delete(this);
    this.next();
  }

  /** As much as fits a slice, going by how long it took before. */
  private advance(search: PlanSearch): SearchProgress {
    const start = performance.now();
    const progress = search.advance(this.count);
    const took = performance.now() - start;
    if (took > 2 * slice) this.count = Math.max(16, Math.floor(this.count / 2));
    else if (took < slice / 2) this.count = Math.min(mostAtOnce, this.count * 2);
    return progress;
  }
}
