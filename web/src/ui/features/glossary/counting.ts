// Asks the engine for the numbers of all concepts, a few behind each frame.

import { Lazy } from '../../../engine/lazy.ts';
import { readAddress, writeAddress } from '../../../link/address.ts';
import { makeFinder, type Finder } from '../../../model/evaluate.ts';
import { inputsOf } from '../../../model/evaluate.ts';
import { withView, type State } from '../../../model/state.ts';
import { scheduled } from '../../../charts/concepts/schedule.ts';
import type { Picture } from '../../../charts/concepts/marks.ts';
import { FrameScheduler } from '../../kit/behind-frames.ts';
import type { RenderContext } from '../../kit/render-context.ts';
import { concepts } from './concepts.ts';
import { asked, Numbers, type Found, type Missing } from './numbers.ts';

/** Milliseconds of work behind a frame. */
const spell = 8;

/** A step in which each stage's passes can be told from each other. */
const drawn =
  'view=plan&chip=h100-sxm&model=llama-3.1-8b&chips=4&batch=32768&sequence=4096' +
  '&layout.tensor=1&layout.context=1&layout.pipeline=4&layout.recompute=none&layout.schedule=';
/** The schedules with a picture, by their concept. */
const schedules: Readonly<Record<string, string>> = {
  bubble: 'oneFOneB',
  gpipe: 'gpipe',
  oneFOneB: 'oneFOneB',
  interleaved: 'interleaved&layout.virtualStages=2',
  zeroBubble: 'zb1p',
  dualPipe: 'dualPipe',
};
export const scheduledConcepts = Object.keys(schedules);

/** The pictures that the engine draws, by their concept. */
export function schedulePictures(engine: RenderContext['engine']): Record<string, Picture> {
  const description = engine.describe();
  const planner = engine.loaded('planner')!;
  return Object.fromEntries(
    Object.entries(schedules).map(([concept, schedule]) => {
      const { state } = readAddress(description, drawn + schedule);
      const reply = planner.timeline(inputsOf(engine, state) as never);
      return [concept, reply.ok ? scheduled(reply, concept === 'bubble') : []];
    }),
  );
}

/** The numbers of a reader's state, as far as they are known. */
export class Counting {
  readonly known = new Map<string, Found | Missing>();
  pictures: Readonly<Record<string, Picture>> | undefined;

  private readonly modules: Lazy<{ onFewestChips: ConstructorParameters<typeof Numbers>[2] }>;
  private finder: Finder | undefined;
  private numbers: Numbers | undefined;
  private of = '';
  private left: readonly string[] = [];
  private readonly frames: FrameScheduler;

  constructor(
    private readonly ctx: () => RenderContext,
    private readonly told: () => void,
  ) {
    const { engine, features } = ctx();
    this.modules = new Lazy(async () => {
      const [serving] = await Promise.all([
        features.views.get('serving')!.get(),
        features.views.get('plan')!.get(),
        engine.planner(),
        engine.serving(),
        engine.operations(),
      ]);
      return { onFewestChips: serving.onFewestChips };
    });
    this.frames = new FrameScheduler({
      more: () => this.left.length > 0,
      work: () => this.work(),
      told,
    });
  }

  /** What can't be loaded can be tried again. */
  get awaited(): Lazy<unknown> {
    return this.modules;
  }

  /** Begins with another state, or goes on with what has loaded since. */
  look(): void {
    const { engine, state, actions } = this.ctx();
    const modules = this.modules.use(actions);
    if (!modules) return;
    const description = engine.describe();
    this.pictures ??= schedulePictures(engine);
    const plan = withView(asked(description, state, 'training'), 'plan');
    const of = writeAddress(description, plan);
    if (of !== this.of) {
      this.stop();
      this.of = of;
      this.known.clear();
    }
    if (this.numbers) return;
    this.finder ??= makeFinder(engine, this.ctx().features.views, () => this.told());
    const complete: State | undefined = this.finder.complete(plan);
    if (!complete) return;
    this.numbers = new Numbers(engine, complete, modules.onFewestChips);
    this.left = concepts.map(({ id }) => id);
    this.frames.next(false);
  }

  private work(): void {
    const start = performance.now();
    while (this.left.length > 0 && performance.now() - start < spell) {
      const [id, ...others] = this.left;
      this.left = others;
      this.known.set(id!, this.numbers!.of(concepts.find((each) => each.id === id)!.number));
    }
    this.frames.next(true);
  }

  stop(): void {
    this.frames.stop();
    this.finder?.stop();
    this.finder = undefined;
    this.numbers = undefined;
    this.left = [];
    this.of = '';
  }
}
