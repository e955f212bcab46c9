/**
 * Fills a sentence's places: `{name}` with a value, `{name|one|other}` with the plural form that
 * the language uses for the number; a language with more of them has more here, in this order: zero,
 * one, two, few, many, other. A part may be anything, such as a control.
 */
export function interpolate<T>(
  sentence: string,
  parts: Record<string, T>,
  plural?: (name: string) => number,
): (string | T)[] {
  return sentence.split(/(\{[^{}]+\})/).map((piece) => {
    if (!piece.startsWith('{')) return piece;
    const [name = '', ...forms] = piece.slice(1, -1).split('|');
    if (forms.length > 0) return forms[plural?.(name) ?? Infinity] ?? forms.at(-1)!;
    return parts[name] ?? piece;
  });
}
