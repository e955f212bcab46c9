// A part of the verdict as a card says it.

import type { Verdict } from '../../../charts/drawn/index.ts';
import type { Slot } from './picture.ts';

export function onCard({ large, sign, bound, isGhost, note = '', range = '' }: Slot): Verdict {
  const look = isGhost ? 'quiet' : bound ? `said ${bound}` : '';
  const notes = [[note, range].filter(Boolean).join(' · '), note || range];
  return { large, look, notes, ...(sign && { sign }) };
}
