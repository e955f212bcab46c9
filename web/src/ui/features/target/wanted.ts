// The reader's target of an answer, read from typed text.

import type { AnswerInfo } from '../../../engine/index.ts';
import { wordsTyped } from '../../../i18n/language.ts';
import { notationOf, spokenUnit } from '../../../model/presentation.ts';
import { secondsIn, timeUnitOf } from '../../../number/format.ts';
import { parseNumber, type Parsed } from '../../../number/parse.ts';
import { stepTime } from '../../../number/unit.ts';

/** Units of which more is worse. */
const costly: readonly string[] = ['s', 's/token', 'USD', 'B', 'B/chip', 'J', 'chips', 'chip·h'];

/** The usual direction of a target: short times, but many tokens. */
export const usual = ({ key, unit }: AnswerInfo): 'atMost' | 'atLeast' =>
  costly.includes(unit) || key === 'memoryFraction' ? 'atMost' : 'atLeast';

const escaped = (word: string): string => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
const longUnits = (['years', 'days', 'hours', 'minutes'] as const).map((unit) => {
  const words = wordsTyped(({ times }) => times[unit]).map(escaped);
  return [secondsIn(unit), new RegExp(`^(.*?)\\s*(?:${words.join('|')})$`, 'i')] as const;
});
const day = secondsIn('days');
const weeks = /^(.*?)\s*(?:w|weeks?|周|星期)$/i;

/** The parts of a time such as `2 weeks`: its number, and the seconds of its unit. */
function partsOfTime(text: string): readonly [string, number] | undefined {
  const inWeeks = weeks.exec(text);
  if (inWeeks) return [inWeeks[1]!, 7 * day];
  for (const [seconds, pattern] of longUnits) {
    const found = pattern.exec(text);
    if (found) return [found[1]!, seconds];
  }
  return undefined;
}

/** The number that a reader types for an answer, in the answer's own unit; without a unit, in the one
 * in which the page says the answer: 50 beside 38.0 ms are 50 ms. */
export function readValue(info: AnswerInfo, text: string, answered?: number): Parsed {
  const { unit } = info;
  const typed = text.normalize('NFKC').replace(/\s+/g, ' ').trim();
  const times = (bare: string, factor: number): Parsed => {
    const parsed = parseNumber(bare, { unit: '', percent: false });
    return parsed.ok ? { ok: true, value: parsed.value * factor } : parsed;
  };
  if (unit === 's' || unit === 's/token') {
    const parts = partsOfTime(typed);
    const bare = parseNumber(typed, { unit: '', percent: false });
    if (answered !== undefined && bare.ok) {
      const said = timeUnitOf(answered, spokenUnit(info) === stepTime ? stepTime : 's');
      return { ok: true, value: bare.value * said.size };
    }
    return parts ? times(...parts) : parseNumber(typed, { unit: 's', percent: false });
  }
  const energy = unit === 'J' ? /^(.*?)\s*Wh$/i.exec(typed) : null;
  if (energy) return times(energy[1]!, 3600);
  return parseNumber(typed, notationOf(info));
}

/** `≤ 14 days`: what is wanted, if the text says so, and the rest. */
export function readWanted(text: string): ['atMost' | 'atLeast' | undefined, string] {
  const found = /^\s*([<≤>≥]=?)\s*(.*)$/.exec(text.normalize('NFKC'));
  if (!found) return [undefined, text];
  return [/[<≤]/.test(found[1]!) ? 'atMost' : 'atLeast', found[2]!];
}
