// Targets for the answers of plans. Tokens and prices change no layout, so they follow from the step
// as in any training of its MFU; other numbers of chips are searched for their best layout, in slices
// of time. Both are asked forward before they are told.

import type { Inputs, Plan, ScaledRun, Target, Turn } from '../../engine/index.ts';
import {
  canEvaluate,
  inputsOf,
  loadedPlanner,
  loadedTargets,
  type Answers,
} from '../../model/evaluate.ts';
import { withLayoutBest, type State } from '../../model/state.ts';
import type { InputGroup } from '../../model/presets.ts';
import type { RenderContext } from '../kit/render-context.ts';
import { meets, open } from '../features/target/goals.ts';
import { isAlike, isSame, solvers, type Found, type Solver } from '../features/target/turns.ts';

type PlanView = typeof import('./plan-page.ts');
type Groups = Record<'chip' | 'model' | 'run' | 'layout', InputGroup>;

/** Answers that are those of a training at the plan's MFU. */
const asTraining: readonly string[] = ['trainingTime', 'cost', 'energy', 'chipHours'];
/** Fields of such a training that change no layout, and the MFU, which is none of a plan's. */
const steady: readonly string[] = ['run.tokens', 'run.pue', 'run.mfu', 'chip.price', 'chip.power'];
/** Answers that are better on fewer chips. */
const betterOnFewer: readonly string[] = ['cost', 'energy', 'chipHours', 'mfu', 'goodput'];

/** Doublings, or halvings, of the chips that are looked at. */
const mostDoublings = 5;
/** Chips are found to a part of this. */
const resolution = 16;

class PlanTarget implements Solver {
  private searching: InstanceType<PlanView['Searching']> | undefined;
  private asked: { state: State; target: Target } | undefined;
  private found: Found | undefined;

  solve(ctx: RenderContext, target: Target, told: () => void): Found {
    const { state } = ctx;
    const { asked, found } = this;
    if (asked && found && isAlike(asked.state, state) && isSame(asked.target, target)) return found;
    this.searching?.stop();
    if (!canEvaluate(state)) return { reply: open([]), busy: true };
    this.asked = { state, target };
    return (this.found = this.begin(ctx, target, told));
  }

  stop(): void {
    this.searching?.stop();
    this.asked = undefined;
  }

  private begin(ctx: RenderContext, target: Target, told: () => void): Found {
    const input = inputsOf(ctx.engine, ctx.state) as Groups;
    const outcome = loadedPlanner().estimate(input as never);
    if (!outcome.ok) return { reply: outcome, busy: false };
    const answers = outcome.answers as unknown as Answers;
    const now = answers[target.answer];
    if (typeof now === 'object') {
      return { reply: { ...open([]), absent: now.absent as never }, busy: false };
    }
    if (meets(target, now)) return { reply: { ...open([]), met: true }, busy: false };
    const training = trainingOf(input, answers);
    const turns = asTraining.includes(target.answer) ? steadyTurns(input, training, target) : [];
    const found: Found = {
      reply: open(turns),
      busy: true,
      turned: (state, { field }) =>
        field === 'run.mfu'
          ? ctx.state
          : field === 'run.chips'
            ? withLayoutBest(ctx.description, state)
            : state,
      before: { 'run.mfu': Number(answers['mfu']) },
      explains: ({ field, value }) =>
        field === 'run.chips' ? null : ['training', withValue(training, field, value), target],
    };
    void import('./plan-page.ts').then((view) => this.search(view, ctx, target, told));
    return found;
  }

  /** Looks at more chips and at fewer, doubling, then between the last that fail and the first that do
   *  not. */
  private search(view: PlanView, ctx: RenderContext, target: Target, told: () => void): void {
    const { asked, found } = this;
    if (!found || asked?.state !== ctx.state || asked.target !== target) return;
    const searching = (this.searching = new view.Searching(told));
    const best: State = withLayoutBest(ctx.description, ctx.state);
    const input = view.searchedInput(ctx.engine, best) as Inputs['plan'];
    const own = Number(ctx.value('run.chips'));
    const grain = grainOf(ctx);
    const ways = [2, 0.5];
    if (betterOnFewer.includes(target.answer)) ways.reverse();
    let near = own;
    let nearest: Turn | undefined;

    const finish = (turn: Turn | undefined): void => {
      const turns = found.reply.ok ? found.reply.turns : [];
      this.found = { ...found, busy: false, reply: open(turn ? [turn, ...turns] : turns) };
      told();
    };
    /** Searches so many chips, and goes on with what they come to. */
    const look = (chips: number, next: (turn: Turn | undefined) => void): void => {
      let run: ScaledRun | undefined;
      searching.add([
        {
          bestOnly: true,
          start: () => {
            const reply = loadedPlanner().scaled(input, chips);
            if (!reply.ok || !reply.search) return undefined;
            ({ run } = reply);
            return reply.search;
          },
          found: (search, _progress, over) => {
            if (!over) return;
            const plan = search?.chosen();
            next(run && plan && turnOf(input, run, plan, target));
          },
        },
      ]);
    };
    const narrow = (fails: number, turn: Turn): void => {
      const holds = Number(turn.value);
      const middle = Math.round((fails + holds) / 2 / grain) * grain;
      const far = Math.abs(holds - fails) > Math.max(grain, holds / resolution);
      if (!far || middle === fails || middle === holds) return finish(turn);
      look(middle, (tried) =>
        tried?.effect === 'meets' ? narrow(fails, tried) : narrow(middle, turn),
      );
    };
    const double = (way: number, times: number): void => {
      const chips = own * ways[way]! ** times;
      if (times > mostDoublings || chips < 1 || !Number.isInteger(chips)) {
        near = own;
        if (way + 1 < ways.length) double(way + 1, 1);
        else finish(nearest);
        return;
      }
      look(chips, (turn) => {
        if (turn?.effect === 'meets') return narrow(near, turn);
        if (turn) near = chips;
        if (turn && isNearer(target, turn, nearest)) nearest = turn;
        double(way, times + 1);
      });
    };
    double(0, 1);
  }
}

const isNearer = ({ wanted }: Target, one: Turn, other: Turn | undefined): boolean =>
  other === undefined || (wanted === 'atMost') === Number(one.reached) < Number(other.reached);

/** The training that the plan is: it has its MFU, by the peak of the format that it computes in. */
const trainingOf = ({ chip, model, run, layout }: Groups, answers: Answers) => ({
  chip,
  model,
  run: {
    ...run,
    mfu: Number(answers['mfu']),
    computeFormat: layout['fp8Matmuls'] === true ? 'fp8' : run['computeFormat']!,
  },
});

type Training = ReturnType<typeof trainingOf>;

function withValue<T extends object>(input: T, field: string, value: Turn['value']): T {
  const [group, key] = field.split('.') as [keyof T, string];
  return { ...input, [group]: { ...input[group], [key]: value } };
}

/** What meets the target without another layout, and the MFU that would. */
function steadyTurns(input: Groups, training: Training, target: Target): Turn[] {
  const told = loadedTargets().solve('training', training as never, target);
  if (!told.ok) return [];
  return told.turns.filter((turn) => {
    if (!steady.includes(turn.field)) return false;
    if (turn.effect !== 'meets' || turn.field === 'run.mfu') return true;
    const outcome = loadedPlanner().estimate(withValue(input, turn.field, turn.value) as never);
    return outcome.ok && meets(target, outcome.answers[target.answer as 'cost']);
  });
}

/** The number of chips, where its best layout fits. */
function turnOf(
  input: Inputs['plan'],
  run: ScaledRun,
  plan: Plan,
  target: Target,
): Turn | undefined {
  const outcome = loadedPlanner().estimate({
    ...input,
    run: { ...input.run, ...run },
    layout: { ...input.layout, ...plan.layout },
  });
  if (!outcome.ok || !plan.fits) return undefined;
  const reached = outcome.answers[target.answer as 'cost'] as number | string | object;
  if (typeof reached === 'object') return undefined;
  const effect = meets(target, reached) ? 'meets' : 'fallsShort';
  return { field: 'run.chips', effect, value: run.chips, slices: run.slices, reached };
}

/** Chips come in whole domains, or cubes of a torus. */
function grainOf(ctx: RenderContext): number {
  const network = ctx.value('chip.network');
  if (network === 'switched') return Number(ctx.value('chip.scaleUpChips'));
  return network === 'torus' ? 64 : 1;
}

solvers.plan = () => new PlanTarget();
