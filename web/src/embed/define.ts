// define.js: the element as a module, which shows everything by the page's own modules. Pages and
// bundlers resolve them.

import { define } from '../dom/define.ts';
import { ScalingCalculator } from './element.ts';

const { url } = import.meta;

class ModuleElement extends ScalingCalculator {
  /** The page lies beside the module as it was built; bundlers give it another name. */
  protected readonly home = /\/define\.js$/.test(url) ? new URL('.', url) : undefined;
  protected readonly importModules = () => import('./modules.ts');
}

if (globalThis.customElements) define('scaling-calculator', ModuleElement);
