import sheet from './plan.css?inline';

/** What only the charts of a plan need. */
export const style = new CSSStyleSheet();
style.replaceSync(sheet);
