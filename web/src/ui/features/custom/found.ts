// The model or chip that was read from a file or a text: its name, and a summary of it.

import type { Reading } from '../../../custom/config.ts';
import { changesOf, normalized, type CustomPreset } from '../../../custom/custom-presets.ts';
import { nominalOf, type Nominal } from '../../../custom/nominal.ts';
import { cleanName } from '../../../link/address.ts';
import { own as ownPreset } from '../../../model/presets.ts';
import type { AnyFound } from './any.ts';
import type { Draft } from './drafts.ts';
import { sayLaunch } from './launch.ts';
import { presetName } from './kept-presets.ts';
import { isRefused, warningOf } from './reading.ts';
import { countedOf, type Says } from './words.ts';

const fileNameOf = ({ file }: Draft): string | undefined =>
  file?.name.replace(/\.[^.]*$/, '').replace(/[_-]?config$/i, '');

/** The size by the model's name, or by that of its file. */
export const nominalOfReading = ({ nominal }: Reading, draft: Draft): Nominal | undefined =>
  nominal ?? nominalOf(cleanName(fileNameOf(draft) ?? ''));

/** A name by what the file says of itself, by the file, or by the architecture and size. */
export function suggestedName(says: Says, draft: Draft, found: AnyFound): string {
  if (found.is === 'preset') return found.preset.name;
  if (found.is !== 'config') return '';
  const { name, architecture, model } = found.reading;
  const { parameters } = countedOf(says, model);
  // Model sizes are written alike in all languages: 8.03B.
  const size = parameters === undefined ? '' : `${Number((parameters / 1e9).toPrecision(3))}B`;
  return (
    name || fileNameOf(draft) || `${architecture || says.ctx.text.ui.own.model} ${size}`.trim()
  );
}

/** The preset that was read, under the name that it will have. */
export function presetOf(says: Says, draft: Draft, found: AnyFound): CustomPreset | undefined {
  if (found.is === 'refused' || found.is === 'launch') return undefined;
  const name = cleanName(draft.name ?? suggestedName(says, draft, found));
  if (found.is === 'preset') return { ...found.preset, name };
  const fields = found.reading.model as CustomPreset['fields'];
  return normalized(says.ctx.description, { kind: 'model', name, base: ownPreset, fields });
}

/** A sentence on what was read; empty for a refusal, which speaks for itself. */
export function sayFound(says: Says, found: AnyFound | undefined): string {
  if (!found || found.is === 'refused') return '';
  if (found.is === 'launch') return sayLaunch(says, found);
  const { own, ctx } = says;
  const [model, problems] =
    found.is === 'config'
      ? [found.reading.model, found.reading.problems.length]
      : [found.preset.fields, found.problems.length];
  const n = Object.keys(model).length;
  const counts = found.is === 'config' ? countedOf(says, model).counts : '';
  return [
    found.is === 'config' && isRefused(found.reading) ? warningOf(says, found.reading) : '',
    ctx.fill(own.said.read, { n: String(n), counts: counts || own.counts.none }, { n }),
    problems > 0 ? ctx.fill(own.said.problems, { n: String(problems) }, { n: problems }) : '',
  ]
    .filter(Boolean)
    .join(' ');
}

/** A preset in a few words. */
export function summaryOf(says: Says, preset: CustomPreset): string {
  const { own, ctx } = says;
  const { kind, base, fields } = preset;
  if (base !== ownPreset) {
    const n = changesOf(ctx.description, ctx.state, preset);
    return ctx.fill(own.changes, { base: presetName(kind, base), n: String(n) }, { n });
  }
  const n = Object.keys(fields).length;
  const { counts } = kind === 'model' ? countedOf(says, fields) : { counts: '' };
  return counts || ctx.fill(own.fields, { n: String(n) }, { n });
}
