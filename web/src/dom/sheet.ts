/** A constructed sheet: strict hosts refuse styles written into the page. */
export function sheetOf(text: string): CSSStyleSheet {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(text);
  return sheet;
}

/** Gives a tree a sheet that it does not have yet. */
export function adopt(root: Node, sheet: CSSStyleSheet): void {
  const tree = root as ShadowRoot;
  if (tree.adoptedStyleSheets.includes(sheet)) return;
  tree.adoptedStyleSheets = [...tree.adoptedStyleSheets, sheet];
}
