import file from '../../../shared/sources.json';
import type { Dictionary } from '../i18n/dictionary.ts';

const sources: Record<string, { url?: string }> = file.sources;

/** Where a rule of the core comes from. */
export function sourceOf(
  id: string,
  texts: Dictionary,
): { title: string; url: string | undefined } | undefined {
  const title = (texts.sources as Record<string, string>)[id];
  return title === undefined ? undefined : { title, url: sources[id]?.url };
}
