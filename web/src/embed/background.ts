// Whether the page around an element is dark, which no property tells.

const dark = 0.2;

/** Judges by the first background behind `element` that is opaque; a page without one is white. */
export function hasDarkBackground(element: Element): boolean {
  for (let each: Element | null = element; each; each = parentOf(each)) {
    const ground = getComputedStyle(each).backgroundColor;
    const [red = 0, green = 0, blue = 0, alpha = 1] = (ground.match(/[\d.]+/g) ?? []).map(Number);
    if (!ground.startsWith('rgb') || alpha < 0.5) continue;
    return luminance(red, green, blue) < dark;
  }
  const { colorScheme } = getComputedStyle(document.documentElement);
  return colorScheme.includes('dark') && matchMedia('(prefers-color-scheme: dark)').matches;
}

const parentOf = (element: Element): Element | null => {
  const root = element.getRootNode();
  return element.parentElement ?? (root instanceof ShadowRoot ? root.host : null);
};

/** Relative, of sRGB (WCAG 2.2). */
function luminance(...channels: [red: number, green: number, blue: number]): number {
  const [red, green, blue] = channels.map((channel) => {
    const share = channel / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!;
}
