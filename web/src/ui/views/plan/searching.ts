import type { PlanSearch, SearchProgress } from '../../../engine/index.ts';
import { FrameScheduler } from '../../kit/behind-frames.ts';
import { SearchPace } from './search-pace.ts';

/** Search time in each frame [ms]. */
const budget = 8;

export interface Task {
  /** Whether only the best is needed, which is known first. */
  bestOnly?: boolean;
  /** Whether the layout with the least memory is needed if none fits; it is known at the end. */
  orLeast?: boolean;
  /** Begins the search; nothing where there is none to begin. */
  start(): PlanSearch | undefined;
  /** Takes the results so far, once a frame and at the end. */
  found(search: PlanSearch | undefined, progress: SearchProgress, over: boolean): void;
}

const nothing: SearchProgress = {
  done: true,
  bestKnown: true,
  roomyKnown: true,
  fraction: 1,
  grid: 0,
  evaluated: 0,
  fitting: 0,
  leftOut: [],
};

function isEnough(task: Task, search: PlanSearch, progress: SearchProgress): boolean {
  if (!task.bestOnly || !progress.bestKnown) return progress.done;
  return progress.done || !task.orLeast || search.best().length > 0;
}

/** The one whose search is under way. The planner has room for one search, and to put another in its
 * place takes longer than a part of the work. */
let working: Searching | undefined;

/** Searches one after another, a little behind each frame: what is asked for first is found first. */
export class Searching {
  private tasks: Task[] = [];
  private search: PlanSearch | undefined;
  private readonly frames: FrameScheduler;
  private readonly pace = new SearchPace();

  /** `told` is called after each part of the work. */
  constructor(told: () => void) {
    this.frames = new FrameScheduler({ more: () => this.busy, work: () => this.work(), told });
  }

  get busy(): boolean {
    return this.tasks.length > 0;
  }

  /** Takes up other tasks in place of those under way. */
  begin(tasks: Task[]): void {
    this.stop();
    this.add(tasks);
  }

  /** The same, and does a part of the work at once. */
  beginAtOnce(tasks: Task[]): void {
    this.stop();
    this.tasks = tasks;
    working = this;
    this.work();
  }

  /** Does tasks after those under way. */
  add(tasks: Task[]): void {
    this.tasks.push(...tasks);
    this.frames.next(false);
  }

  stop(): void {
    this.frames.stop();
    this.tasks = [];
    this.endSearch();
  }

  private endSearch(): void {
    this.search?.end();
    this.search = undefined;
  }

  private work(): void {
    if (working?.search && working !== this) return this.frames.next(false);
    working = this;
    const end = performance.now() + budget;
    let progress = nothing;
    while (this.busy && performance.now() < end) {
      const task = this.tasks[0]!;
      this.search ??= task.start();
      progress = this.search ? this.pace.advance(this.search) : nothing;
      if (this.search && !isEnough(task, this.search, progress)) continue;
      task.found(this.search, progress, true);
      this.tasks.shift();
      this.endSearch();
    }
    if (this.busy && this.search) this.tasks[0]!.found(this.search, progress, false);
    this.frames.next(true);
  }
}
