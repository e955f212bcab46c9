import file from '../../../shared/sources.json';
import type { Dictionary } from '../i18n/dictionary.ts';

const sources: Record<string, { url?: string }> = file.sources;

/** The source of a rule of the core. */
export function sourceOf(
  id: string,
  texts: Dictionary,
): { title: string; url: string | undefined } | undefined {
  const title = (texts.sources as Record<string, string> | undefined)?.[id];
  return title === undefined ? undefined : { title, url: sources[id]?.url };
}
