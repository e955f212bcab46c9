import './element.ts';
import { bringScript, registry } from './registry.ts';
import type { Embedded } from './embedded.ts';
import { provideMorePresets } from '../model/presets.ts';
import type { Bundle } from '../model/views.ts';

provideMorePresets(async () => {
  if (!registry.presets) await bringScript('presets');
  return registry.presets!;
});

/** Defines the calculator of a bundle; a second script of the bundle changes nothing. */
export function defineInside(bundle: Bundle, inside: new () => Embedded): void {
  const tag = `scaling-calculator-${bundle}`;
  if (!customElements.get(tag)) customElements.define(tag, inside);
}
