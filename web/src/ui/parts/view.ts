import type { GroupName, Topic } from '../../engine/index.ts';
import { hasParts } from '../../i18n/dictionary.ts';
import type { FieldId } from '../../model/fields.ts';
import { ownValue } from '../../model/own-value.ts';
import { views } from '../../model/views.ts';
import { isOfAbsentPart } from '../kit/model-parts.ts';
import type { RenderContext, View } from '../kit/render-context.ts';

export type { View } from '../kit/render-context.ts';
export type { Fix, Panel, Row } from '../kit/view.ts';

/** The view of the present question. */
export const viewOf = ({ features, state }: RenderContext): View =>
  features.views.get(state.view)!.value!;

/**
 * The fields of a group that the present question and its model rest on; if topics are named, those
 * of them.
 */
export function fieldsOf(
  ctx: RenderContext,
  group: GroupName,
  ...topics: readonly Topic[]
): FieldId[] {
  const { description, state } = ctx;
  const { topics: all = {} } = views[state.view];
  const asked = ownValue(all, group);
  return description.groups[group]
    .filter(({ topic }) => topics.length === 0 || topics.includes(topic))
    .filter(({ topic }) => asked?.includes(topic) ?? true)
    .map(({ key }): FieldId => `${group}.${key}`)
    .filter((id) => !isOfAbsentPart(ctx, id));
}

/** Whether the view of the present question and its texts have loaded. */
export const isReady = ({
  features,
  state: { view },
  text,
}: Pick<RenderContext, 'features' | 'text'> & Pick<RenderContext, 'state'>): boolean =>
  features.views.get(view)?.value !== undefined && hasParts(text, views[view].texts);
