// Says what is wrong with a part of a link.

import { longestLink, type Problem } from '../../link/address.ts';
import { FieldLinks } from '../../link/field-links.ts';
import { viewOfField } from '../../link/other-views.ts';
import { fieldInfo } from '../../model/fields.ts';
import { tabOf } from '../../model/views.ts';
import type { RenderContext } from './render-context.ts';

/** Shortens long keys and values of a garbled link. */
const short = (text: string): string => (text.length > 40 ? `${text.slice(0, 40)}…` : text);

export function sayProblem(ctx: RenderContext, { reason, key, value, meant }: Problem): string {
  const { ui } = ctx.text;
  const id = FieldLinks.of(ctx.description).find(key);
  const asks = id && viewOfField(id);
  const view = asks ? ui.views[tabOf(asks)] : '';
  const unused = reason === 'otherView' && meant === undefined;
  const said = ctx.fill(ui.linkProblem[unused ? 'unused' : reason], {
    ...{ key: short(key), value: short(value), meant: meant ?? '', view },
    n: ctx.format.count(longestLink),
  });
  const info = id && reason === 'badValue' ? fieldInfo(ctx.description, id) : undefined;
  if (!info) return said;
  const isNumber = info.kind === 'number' || info.kind === 'count';
  const range = isNumber ? [`${ctx.say(id!, info.min)}–${ctx.say(id!, info.max)}`] : info.choices;
  return range.length > 0 ? `${said} (${range.join(', ')})` : said;
}
