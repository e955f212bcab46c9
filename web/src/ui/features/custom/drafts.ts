// What was typed or dropped into the library; closing the dialog does not lose it.

import type { Description } from '../../../engine/index.ts';
import { largestText } from '../../../custom/json.ts';
import { readText, type Found } from '../../../custom/read.ts';
import type { Kind } from '../../../custom/custom-presets.ts';

interface Draft {
  typed: string;
  /** A file that was chosen or dropped, which goes before what was typed. */
  file: { name: string; found: Found } | undefined;
  /** The name for what was read, once the reader has given one. */
  name: string | undefined;
  /** The name under which to keep what is in use. */
  presentName: string | undefined;
}

const empty = (): Draft => ({
  typed: '',
  file: undefined,
  name: undefined,
  presentName: undefined,
});

export const drafts: Record<Kind, Draft> = { model: empty(), chip: empty() };

/** Reads a file, and lays it where its kind belongs. */
export async function takeFile(description: Description, file: File, kind?: Kind): Promise<Kind> {
  const found = await readFile(description, file);
  const place = found.is === 'preset' ? found.preset.kind : (kind ?? 'model');
  drafts[place].file = { name: file.name, found };
  drafts[place].name = undefined;
  return place;
}

async function readFile(description: Description, file: File): Promise<Found> {
  if (file.size > largestText) {
    return { is: 'refused', reason: { code: 'tooLarge', size: file.size } };
  }
  try {
    return readText(description, await file.text());
  } catch {
    return { is: 'refused', reason: { code: 'notReadable' } }; // a folder, or gone
  }
}
