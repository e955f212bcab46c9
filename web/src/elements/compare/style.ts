import text from './compare.css?inline';

const style = new CSSStyleSheet();
style.replaceSync(text);

/** Gives the tree that an element renders into what comparisons look like. */
export function adoptStyle(element: Element): void {
  const root = element.getRootNode() as ShadowRoot;
  if (root.adoptedStyleSheets.includes(style)) return;
  root.adoptedStyleSheets = [...root.adoptedStyleSheets, style];
}
