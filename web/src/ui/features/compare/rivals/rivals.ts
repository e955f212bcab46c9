// The data of the drawing of one question on several chips.

import type { Axis, Rival, RivalsData, Standing } from '../../../../charts/drawn/rivals/index.ts';
import type { PartTexts } from '../../../../i18n/dictionary.ts';
import { spokenUnit } from '../../../../model/presentation.ts';
import { sayNamed } from '../../../kit/named.ts';
import type { RenderContext } from '../../../kit/render-context.ts';
import type { Asked } from '../asking.ts';
import { contestOf, type Contest, type Estimate } from '../../../../compare/contest.ts';
import { numberOf } from '../sides/facts.ts';
import { infosOf, sayAnswer } from '../table/columns.ts';

export type Words = PartTexts<'sides'>;

/** One of those that are compared. */
export interface Candidate {
  id: string;
  name: string;
  chips: number;
  /** The number of chips, and what else tells it apart. */
  onChips: string;
  priced?: string | undefined;
  /** Once it has answers. */
  asked: Asked | undefined;
  /** Why its answers are none. */
  lacks: string;
  /** The answers that can make it the best are told, and it does what is asked. */
  contends: boolean;
  /** The reader's own, whose amounts say why. */
  own: boolean;
}

/** An answer on an axis of its own. */
export interface Compared {
  key: string;
  /** Names the best; without it, none is. */
  best?: keyof Words['best'] | undefined;
  /** More is better. */
  most?: boolean;
  /** Its name says the unit. */
  namesUnit?: boolean;
  band(asked: Asked): readonly [low: number, high: number] | undefined;
}

interface Contender extends Estimate {
  candidate: Candidate;
}

/** The best by an answer, and those of which nobody can tell whether they are worse. */
export const contestBy = (
  { key, most, band }: Compared,
  candidates: readonly Candidate[],
): Contest<Contender> | undefined =>
  contestOf(
    candidates.flatMap((candidate): Contender[] => {
      const { asked, contends } = candidate;
      const value = asked?.reply?.ok ? numberOf(asked.reply.answers, key) : undefined;
      if (!asked || !contends || value === undefined) return [];
      return [{ candidate, value, band: band(asked) }];
    }),
    most,
  );

/** A row for each candidate and an axis for each answer; `title` says what was found. */
export function rivalsOf(
  ctx: RenderContext,
  words: Words | undefined,
  title: string,
  candidates: readonly Candidate[],
  compared: readonly Compared[],
): RivalsData {
  const contests = compared.map((each) =>
    each.best && candidates.length > 1 ? contestBy(each, candidates) : undefined,
  );
  const axes = compared.map((each, index) => axisOf(ctx, words, each, contests[index]));
  // An axis on which intervals overlap says already what they are.
  const ranged = axes.some(({ zone }) => zone)
    ? -1
    : compared.findIndex(({ band }) => candidates.some(({ asked }) => asked && band(asked)));
  const whiskers = `├─┤ ${ctx.text.drawn.likely}`;
  return {
    title,
    ghostly: false,
    axes: axes.map((axis, index) =>
      index === ranged
        ? { ...axis, told: [axis.told, whiskers].filter(Boolean).join(' · ') }
        : axis,
    ),
    rivals: candidates.map((candidate): Rival => {
      const { name, chips, onChips, priced, own } = candidate;
      const amounts = compared.map((each, index) =>
        amountOf(ctx, candidate, each, contests[index]),
      );
      return { name, chips, onChips, priced, amounts, goes: !own };
    }),
  };
}

function axisOf(
  ctx: RenderContext,
  words: Words | undefined,
  { key, best }: Compared,
  contest: Contest<Contender> | undefined,
): Axis {
  const { label } = ctx.answer(key);
  if (!words || !best || !contest) return { label, told: '' };
  if (contest.alike.length === 0) {
    const { name } = contest.best.candidate;
    const told = sayNamed(ctx, words.best[best], name);
    return { label, told };
  }
  return { label, told: ctx.text.drawn.overlap, zone: contest.best.band };
}

function amountOf(
  ctx: RenderContext,
  { id, name, onChips, asked, lacks, own }: Candidate,
  { key, band, namesUnit }: Compared,
  contest: Contest<Contender> | undefined,
): Rival['amounts'][number] {
  const { price } = ctx.text.drawn;
  const part = own ? key : `${id} ${key}`;
  const called = [name, onChips].filter(Boolean).join(', ');
  const info = infosOf(ctx).get(key)!;
  const answer = asked?.reply?.ok && !lacks ? asked.reply.answers[key] : undefined;
  if (!asked || typeof answer !== 'number') {
    // Only prices are not listed.
    const isPrice = typeof answer === 'object' && answer.absent === 'notListed';
    const why = lacks || (isPrice ? price : sayAnswer(ctx, info, answer));
    return { key: part, lacks: why, says: sayNamed(ctx, called, why) };
  }
  const said = sayAnswer(ctx, info, answer);
  const short = namesUnit ? ctx.format.read(answer, spokenUnit(info)).number : said;
  const likely = band(asked);
  const range = likely ? ctx.format.range(...likely, spokenUnit(info)) : '';
  const value = `${ctx.answer(key).label} ${said}`;
  const says = sayNamed(ctx, called, value, range);
  const standing = standingOf(contest, id);
  return { key: part, value: answer, likely, range, said, short, says, standing };
}

function standingOf(contest: Contest<Contender> | undefined, id: string): Standing {
  if (!contest) return 'other';
  const { best, alike } = contest;
  if (alike.some(({ candidate }) => candidate.id === id)) return 'alike';
  if (best.candidate.id !== id) return 'other';
  return alike.length > 0 ? 'alike' : 'best';
}
