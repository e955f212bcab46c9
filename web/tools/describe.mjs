// What the core's modules say of all questions.

import { describeModule } from './modules.mjs';
import { bundles, views } from './views.mjs';

/** Modules that describe questions, the core first; the planner has those of the core. */
const described = [
  'core',
  ...Object.values(views)
    .filter(({ lazy, searched }) => lazy && !searched)
    .map(({ bundle }) => bundles[bundle].module),
];

/** The description of all questions: the core's, and those of modules that load on first use. */
export async function describe() {
  const all = await Promise.all(described.map(describeModule));
  return {
    ...all[0],
    groups: Object.assign({}, ...all.map(({ groups }) => groups)),
    prefixes: Object.assign({}, ...all.map(({ prefixes }) => prefixes)),
    questions: Object.assign({}, ...all.map(({ questions }) => questions)),
  };
}
