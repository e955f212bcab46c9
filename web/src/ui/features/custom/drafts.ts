// Text typed or dropped into the library. It survives closing the dialog.

import { ggufBytes, isGguf } from '../../../custom/gguf-file.ts';
import { largestText } from '../../../custom/json.ts';
import { readBytes } from '../../../custom/read.ts';
import { readAny, type AnyFound, type Place } from './any.ts';
import type { Actions, RenderContext } from '../../kit/render-context.ts';

export interface Draft {
  typed: string;
  /** A file that was chosen or dropped, which goes before what was typed. */
  file: { name: string; found: AnyFound } | undefined;
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

/** The drafts of each calculator, for as long as it exists. */
const drafts = new WeakMap<Actions, Record<Place, Draft>>();

export function draftOf({ actions }: RenderContext, kind: Place): Draft {
  let found = drafts.get(actions);
  if (!found) drafts.set(actions, (found = { model: empty(), chip: empty(), launch: empty() }));
  return found[kind];
}

/** Reads a file, and lays it where its kind belongs. */
export async function takeFile(ctx: RenderContext, file: File, kind?: Place): Promise<Place> {
  const found = await readFile(ctx, file);
  const place =
    found.is === 'preset'
      ? found.preset.kind
      : found.is === 'launch'
        ? 'launch'
        : (kind ?? 'model');
  const draft = draftOf(ctx, place);
  draft.file = { name: file.name, found };
  draft.name = undefined;
  return place;
}

async function readFile(ctx: RenderContext, file: File): Promise<AnyFound> {
  try {
    // Of a file of weights, only the beginning is read.
    if (isGguf(await file.slice(0, 4).arrayBuffer())) {
      const found = readBytes(ctx.description, await file.slice(0, ggufBytes).arrayBuffer());
      if (found) return found;
    }
    if (file.size > largestText) {
      return { is: 'refused', reason: { code: 'tooLarge', size: file.size } };
    }
    return await readAny(ctx, await file.text());
  } catch {
    return { is: 'refused', reason: { code: 'notReadable' } }; // a folder, or gone
  }
}
