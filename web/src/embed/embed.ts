// embed.js: the element as a classic script, which shows trainings by itself.

import { answers, Training } from './training.ts';
import { ScalingCalculator } from './element.ts';
import { define } from '../dom/define.ts';
import { areRefused, home, importModules } from './beside.ts';
import type { Embedded } from './embedded.ts';
import type { Settings } from './settings.ts';
import { canReadAddress } from '../link/address.ts';

/** The element that shows trainings alone. */
const alone = 'scaling-calculator-training';

class ClassicElement extends ScalingCalculator {
  protected readonly home = home;
  protected readonly importModules = importModules;

  /** Trainings alone are enough, without the presets that load later where nothing can. */
  protected override tagFor(settings: Settings): string {
    const { shown, link } = settings;
    const reachable = !areRefused() || canReadAddress(link);
    const isAlone = answers(shown.question) && this.reached === undefined && reachable;
    return isAlone ? alone : super.tagFor(settings);
  }

  protected override make(tag: string): Embedded {
    const inner = super.make(tag);
    if (inner instanceof Training) inner.leave = (link) => this.goTo(link);
    return inner;
  }
}

define(alone, Training);
define('scaling-calculator', ClassicElement);
