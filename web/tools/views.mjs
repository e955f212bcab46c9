// The views and charts that there are, from web/src/model/views.json.

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { root } from './run.mjs';

export const { views, charts, featureTexts, firstPresets } = JSON.parse(
  readFileSync(path.join(root, 'web/src/model/views.json'), 'utf8'),
);

/** The parts of the texts that come with views. */
export const viewTexts = [...new Set(Object.values(views).flatMap(({ texts = [] }) => texts))];

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
