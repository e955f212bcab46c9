import { html, type TemplateResult } from 'lit';
import { mostOverlays } from '../../../../../model/charts.ts';
import { chipEntries, chipOf } from '../../../../../model/presets.ts';
import type { FieldId } from '../../../../../model/fields.ts';
import { control, messages } from '../../../question/field.ts';
import { chipOptions, modelOptions } from '../../../question/options.ts';
import { preset, questionFields } from '../../../question/question.ts';
import { viewOf } from '../../../view.ts';
import { rangedAxis, usualAxis } from '../../axis.ts';
import { kernelChoice } from '../../measured-kernels.ts';
import type { Piece, Setting } from '../../setting.ts';

/** Chips that most readers have a picture of: those that are added first. */
const wellKnown = ['h100-sxm', 'tpu-v5p', 'b200-sxm', 'tpu-v5e', 'a100-sxm-80gb'];

/** Along what the reader's point moves, whose operations are the others, whose roofs stand beside. */
export function rooflineSetting(setting: Setting): TemplateResult {
  const { ctx } = setting;
  const along = rangedAxis(ctx, ctx.state.charts.over, usualAxis(ctx));
  const sentence = setting.sentence(ctx.text.charts.sentences.roofline, {
    over: setting.axis('over', along).field,
    model: model(setting),
    sequences: size(setting, 'operation.sequences'),
    queries: size(setting, 'operation.queries'),
    keys: size(setting, 'operation.keys'),
    overlays: overlays(setting),
  });
  return html`${sentence} ${kernelChoice(ctx)}`;
}

// Fields of the sentence are not repeated here.

function model({ ctx }: Setting): Piece {
  const asked = viewOf(ctx).sentence(ctx).includes('{model}');
  return asked ? ctx.called('model') : preset(ctx, 'model', modelOptions(ctx));
}

function size(setting: Setting, id: FieldId): Piece {
  const { ctx } = setting;
  if (questionFields(ctx).includes(id)) return ctx.say(id, ctx.value(id));
  setting.tell(messages(ctx, id));
  return control(ctx, id);
}

function overlays(setting: Setting): TemplateResult {
  const { ctx } = setting;
  const { charts, ui } = ctx.text;
  const ids = ctx.state.charts.overlay ?? [];
  const others = chipEntries
    .map(({ id }) => id)
    .filter((id) => id !== ctx.state.chip && !ids.includes(id));
  const put = (next: readonly string[]) => ({
    overlay: next.length > 0 ? [...new Set(next)] : undefined,
  });
  return setting.list({
    name: 'overlay',
    items: ids,
    control: (id, index, label) =>
      html`<scaling-preset
        class="control"
        .fieldId=${`overlay-${index}`}
        .label=${label}
        .options=${chipOptions(ctx)}
        .value=${id}
        .mark=${''}
        .nothingFound=${ui.nothingFound}
        @choose=${({ detail }: CustomEvent<string>) =>
          setting.change(put(ids.map((each, at) => (at === index ? detail : each))))}
      ></scaling-preset>`,
    label: (index) => ctx.fill(charts.overlay, { n: String(index + 1) }),
    say: (id) => chipOf(id).name,
    least: 0,
    next:
      ids.length < mostOverlays
        ? (wellKnown.find((id) => others.includes(id)) ?? others[0])
        : undefined,
    addLabel: charts.addOverlay,
    put,
  });
}
