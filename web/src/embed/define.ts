import './element.ts';
import type { Embedded } from './embedded.ts';
import type { Bundle } from '../model/views.ts';

/** Defines the calculator of a bundle; a second script of the bundle changes nothing. */
export function defineInside(bundle: Bundle, inside: new () => Embedded): void {
  const tag = `scaling-calculator-${bundle}`;
  if (!customElements.get(tag)) customElements.define(tag, inside);
}
