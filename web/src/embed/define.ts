import './element.ts';
import type { Embedded } from './embedded.ts';
import type { Bundle } from '../model/views.ts';

/** What the script of `bundle` shows inside the element; further scripts bring nothing new. */
export function defineInside(bundle: Bundle, inside: new () => Embedded): void {
  const tag = `scaling-calculator-${bundle}`;
  if (!customElements.get(tag)) customElements.define(tag, inside);
}
