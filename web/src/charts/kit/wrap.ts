/**
 * Wraps text into lines of at most `most` pixels, broken at spaces and, where there are none,
 * between Chinese characters, but not before a stop or a closing bracket.
 */
export function wrapBy(widthOf: (text: string) => number, text: string, most: number): string[] {
  const pieces = text.match(
    /(?:[\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef]|[^\s\u2e80-\u9fff\uf900-\uffef]+)[、。，：；！？）】》」』]*\s*|\s+/g,
  );
  const lines: string[] = [];
  let line = '';
  for (const piece of pieces ?? []) {
    if (line && widthOf((line + piece).trimEnd()) > most) {
      lines.push(line.trimEnd());
      line = piece;
    } else line += piece;
  }
  return [...lines, line.trimEnd()].filter(Boolean);
}

/** Cuts text to `most` pixels, with an ellipsis where some of it is left out. */
export function cutBy(widthOf: (text: string) => number, text: string, most: number): string {
  if (widthOf(text) <= most) return text;
  let kept = text.slice(0, -1);
  while (kept.length > 1 && widthOf(`${kept}…`) > most) kept = kept.slice(0, -1);
  return `${kept}…`;
}
