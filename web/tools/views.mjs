// The views, charts and scripts of the element that there are, from web/src/model/views.json.

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { root } from './run.mjs';

export const { views, charts, bundles, featureTexts, derivations, presets } = JSON.parse(
  readFileSync(path.join(root, 'web/src/model/views.json'), 'utf8'),
);

/** The views that a script of the element shows: one answer of each, or several side by side. */
export const viewsIn = (bundle) =>
  Object.values(views).filter((view) => view.bundle === bundle || view.sides === bundle);

/** Whether a script shows nothing but answers side by side: it draws no charts of one. */
export const isBesideOnly = (bundle) =>
  viewsIn(bundle).length > 0 && viewsIn(bundle).every((view) => view.bundle !== bundle);

/** The parts of the texts that come with views. */
export const viewTexts = [...new Set(Object.values(views).flatMap(({ texts = [] }) => texts))];

/** The element's scripts: the first holds the element itself, others what it loads on first use. */
export const scripts = [...Object.values(bundles), ...Object.values(derivations), presets].map(
  ({ script }) => script,
);

/** The link of each view in the site generators' templates, by the view's name. */
export function linksOfViews() {
  const whole = Object.keys(views);
  const groups = [{ names: whole, link: 'view={}' }];
  const drawn = Object.keys(charts);
  for (const view of whole) {
    const names = drawn.filter((chart) => charts[chart][0] === view);
    if (names.length > 0) groups.push({ names, link: `view=${view}&chart={}` });
  }
  for (const [view, { sections }] of Object.entries(views)) {
    if (sections) groups.push({ names: Object.values(sections), link: `view=${view}` });
  }
  return groups;
}
