import file from '../../../shared/sources.json';
import type { Dictionary } from '../i18n/dictionary.ts';

const sources: Record<string, { url?: string }> = file.sources;

/** What a constant of the core is, and what it holds for: `constants.matmul.efficiency#fp8`. */
export function constantLabel(key: string, texts: Dictionary): string {
  const [name = key, of] = key.split('#');
  const [, kind = '', own = ''] = name.split('.');
  const { constants, constantsOf } = texts.sources ?? {};
  const label = (constants as Tree | undefined)?.[kind]?.[own];
  if (label === undefined) return key;
  const place = of && (constantsOf as Record<string, string>)[of];
  return place ? `${label} (${place})` : label;
}

type Tree = Record<string, Record<string, string> | undefined>;

/** The source of a rule of the core. */
export function sourceOf(
  id: string,
  texts: Dictionary,
): { title: string; url: string | undefined } | undefined {
  const title = (texts.sources as Record<string, unknown> | undefined)?.[id] as string | undefined;
  return title === undefined ? undefined : { title, url: sources[id]?.url };
}
