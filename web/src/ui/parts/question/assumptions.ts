import { html, nothing, type TemplateResult } from 'lit';
import { symbol } from '../../../math/symbol.ts';
import { isMoney } from '../../../number/unit.ts';
import {
  chipOf,
  chipSources,
  modelOf,
  modelSources,
  optimizers,
  type Source,
} from '../../../model/presets.ts';
import { partOf } from '../../../i18n/dictionary.ts';
import { fieldIds, splitId, type FieldId } from '../../../model/fields.ts';
import { disclosure } from '../../kit/disclosure.ts';
import { control, messages } from './field.ts';
import { resetButton, usedFigure } from './field-beside.ts';
import { fieldsOfQuestion, toldBelow } from './question.ts';
import { fold, isOpen } from '../folds.ts';
import { interpolate } from '../../../i18n/interpolate.ts';
import { radios } from '../../kit/radios.ts';
import type { RenderContext } from '../../kit/render-context.ts';
import { withTerms } from '../term.ts';
import { viewOf, type Panel } from '../view.ts';

/** A panel with the fields that it shows now. */
interface Shown {
  panel: Panel;
  fields: FieldId[];
}

/** The panels of everything that is not in the sentence or `beside` answers. */
function shownPanels(ctx: RenderContext, beside: readonly FieldId[]): Shown[] {
  const panels = viewOf(ctx).panels(ctx);
  const elsewhere = [...fieldsOfQuestion(ctx), ...beside];
  const placed = new Set([...elsewhere, ...panels.flatMap(({ fields }) => fields)]);
  return panels.flatMap((panel, index) => {
    const { group, fields } = panel;
    // Invalid fields are shown even if they do not apply.
    const last = !panels.slice(index + 1).some((other) => other.group === group);
    const others = last ? fieldIds(ctx.description, group).filter((id) => !placed.has(id)) : [];
    const shown = [
      ...fields.filter((id) => ctx.applies(id) || ctx.invalid(id)),
      ...others.filter((id) => ctx.invalid(id)),
    ].filter((id) => !elsewhere.includes(id));
    return shown.length > 0 ? [{ panel, fields: shown }] : [];
  });
}

/** All assumptions, each with its default named and what differs marked. */
export function assumptions(ctx: RenderContext, beside: readonly FieldId[]): TemplateResult {
  return html`<section class="assumptions" aria-labelledby="assumptions">
    <h2 id="assumptions">${ctx.text.ui.folds.assumptions}</h2>
    ${drawPanels(ctx, shownPanels(ctx, beside))}
  </section>`;
}

/** The same as a fold. Closed, it says how many differ from their defaults, and what is worth saying of
 * any of them. */
export function assumptionsFold(ctx: RenderContext, beside: readonly FieldId[]): TemplateResult {
  const panels = shownPanels(ctx, beside);
  const fields = panels.flatMap((each) => each.fields);
  const told = toldBelow(ctx);
  const { ending } = ctx.features;
  const end = ending?.sentence(ctx);
  return html`${fold(
    ctx,
    'assumptions',
    () =>
      html`<section class="assumptions" aria-labelledby="assumptions">
        ${end ? html`<p class="ending">${interpolate(end, ending!.controls(ctx))}</p>` : nothing}
        ${drawPanels(ctx, panels)}
      </section>`,
    edited(ctx, fields),
  )}
  ${
    isOpen(ctx, 'assumptions')
      ? nothing
      : fields.map((id) => (told.has(id) ? nothing : messages(ctx, id)))
  }`;
}

function drawPanels(ctx: RenderContext, panels: readonly Shown[]): TemplateResult[] {
  const told = toldBelow(ctx);
  return panels.map(({ panel, fields }) => disclosed(ctx, panel, fields, told));
}

/** How many of the fields differ from their defaults. */
function edited(ctx: RenderContext, fields: readonly FieldId[]): TemplateResult | typeof nothing {
  const count = fields.filter((id) => ctx.differs(id)).length;
  return count > 0
    ? html`<span class="mark">${ctx.fill(ctx.text.ui.editedCount, { n: String(count) })}</span>`
    : nothing;
}

/** What can be read from a text in a panel. */
const libraries: Readonly<Record<string, 'chip' | 'model' | 'launch'>> = {
  chip: 'chip',
  model: 'model',
  stack: 'launch',
  software: 'launch',
};

function disclosed(
  ctx: RenderContext,
  { key, gist, lead }: Panel,
  shown: FieldId[],
  told: ReadonlySet<string>,
): TemplateResult {
  const part = `panel ${key}`;
  const { features } = ctx;
  const forced = shown.some((id) => ctx.invalid(id));
  const inside = disclosure(
    ctx,
    {
      part,
      kind: 'panel',
      forced,
      summary: html`<span class="title">${ctx.text.panels[key].label}</span>
        <span class="gist">${gist ?? usualGist(ctx, key)}</span>
        ${edited(ctx, shown)}`,
    },
    () =>
      html`${lead?.() ?? nothing} ${key === 'memory' ? optimizerChoice(ctx) : nothing}
        ${key === 'chip' ? html`${announced(ctx)} ${figuresChoice(ctx)}` : nothing}
        ${key === 'model' ? (features.modelLead?.(ctx) ?? nothing) : nothing}
        <div class="fields ${shown[0]?.startsWith('chip.') ? 'sourced' : ''}">
          ${shown.map((id) => row(ctx, id, part))}
        </div>
        ${features.customPresets && Object.hasOwn(libraries, key) ? features.customPresets.entry(ctx, libraries[key]!) : nothing}
        ${key === 'chip' ? sourceList(ctx, sourcesOf(ctx), chipSources) : nothing}
        ${key === 'model' ? modelSource(ctx) : nothing}`,
  );
  // A closed panel shows the notices of its fields, too.
  const closed = !forced && !ctx.open.has(part);
  return html`${inside}
  ${closed ? shown.map((id) => (told.has(id) ? nothing : messages(ctx, id))) : nothing}`;
}

/** The note beside figures of a chip that is announced and not yet sold. */
const announced = ({ state, text }: RenderContext): TemplateResult | typeof nothing =>
  chipOf(state.chip).announced
    ? html`<p class="note" data-announced>${text.ui.announcedChip}</p>`
    : nothing;

/** Summarises a closed panel. */
function usualGist(ctx: RenderContext, key: Panel['key']): string {
  const { text, state } = ctx;
  const say = (id: FieldId): string => ctx.say(id, ctx.value(id));
  switch (key) {
    case 'memory': {
      return ctx.optimizer(state.optimizer).name;
    }
    case 'run':
      return `${say('run.computeFormat')} · ${say('run.flopsRule')}`;
    case 'chip':
      return ctx.fill(text.panels.chip.gist, {
        memory: say('chip.memory'),
        bandwidth: say('chip.memoryBandwidth'),
      });
    case 'operation':
      return ctx.applies('operation.pass') ? say('operation.pass') : '';
    case 'mesh':
      return ctx.fill(text.panels.mesh.gist, { direction: say('mesh.direction') });
    case 'network':
      return say('chip.network');
    case 'model':
      return `L ${say('model.layers')}, D ${say('model.hidden')}, F ${say('model.feedForward')}`;
    default:
      return '';
  }
}

function row(ctx: RenderContext, id: FieldId, section: string): TemplateResult {
  const info = ctx.info(id);
  const edited = ctx.differs(id);
  const [group, key] = splitId(id);
  const help = partOf(ctx.language, 'help').use(ctx.actions)?.[group]?.[key];
  return html`<div class="field" ?data-edited=${edited} ?data-text=${info.kind === 'text'}>
    <span class="name">
      ${withTerms(ctx, ctx.label(id), section)}${info.symbol ? html` <math class="symbol">${symbol(info.symbol)}</math>` : nothing}
      ${help ? html`<span class="help">${withTerms(ctx, help, section)}</span>` : nothing}
    </span>
    <span class="set">
      ${isMoney(info.unit) && ctx.value(id) !== null ? '$' : nothing}${control(ctx, id)}
      ${edited && (info.optional || ctx.base(id) !== null) ? resetButton(ctx, id) : sourceNote(ctx, id)}
    </span>
    ${messages(ctx, id)}
  </div>`;
}

/** The source of a chip's figure, as a number in the panel's list, and the other figure, if any. */
function sourceNote(ctx: RenderContext, id: FieldId): TemplateResult | typeof nothing {
  const used = usedFigure(ctx, id);
  if (!used?.source) return nothing;
  const { other, says } = used;
  return html`<span class="source" title=${chipSources[used.source]?.title ?? used.source}
      >${sourcesOf(ctx).indexOf(used.source) + 1}</span
    >${
      other === undefined
        ? nothing
        : html`<span class="note">${ctx.fill(says, { value: ctx.say(id, other) })}</span>`
    }`;
}

/** The sources of the chip's figures, in the order of its fields. */
export function sourcesOf(ctx: RenderContext): string[] {
  const used = ctx.description.groups.chip.map(({ key }) => usedFigure(ctx, `chip.${key}`));
  return [...new Set(used.flatMap((figure) => figure?.source ?? []))];
}

/** The source of an architecture; custom models have none. */
function modelSource(ctx: RenderContext): TemplateResult | typeof nothing {
  const source = modelOf(ctx.state.model).sources?.architecture;
  return source ? sourceList(ctx, [source], modelSources) : nothing;
}

function sourceList(
  ctx: RenderContext,
  ids: string[],
  sources: Record<string, Source>,
): TemplateResult {
  ctx.features.presets.sources.use(ctx.actions);
  return html`<ol class="sources">
    ${ids.map((id, index) => {
      const { title, url } = sources[id] ?? { title: id };
      return html`<li>
        ${index + 1}
        ${url ? html`<a href=${url} rel="noreferrer" target="_blank">${title}</a>` : title}
      </li>`;
    })}
  </ol>`;
}

function optimizerChoice(ctx: RenderContext): TemplateResult {
  const { parts } = ctx.optimizer(ctx.state.optimizer);
  return html`<label class="choice"
    ><span>${ctx.text.ui.optimizer}</span>
    <select
      data-field="optimizer"
      @change=${(event: Event) =>
        ctx.actions.choosePreset('optimizer', (event.target as HTMLSelectElement).value)}
    >
      ${optimizers.map(
        ({ id }) =>
          html`<option value=${id} .selected=${id === ctx.state.optimizer}>
            ${ctx.optimizer(id).name}
          </option>`,
      )}
    </select>
    ${parts ? html`<span class="note">${parts}</span>` : nothing}</label
  >`;
}

function figuresChoice(ctx: RenderContext): TemplateResult {
  return radios(
    html`<fieldset class="choice">
      <legend>${ctx.text.ui.figures}</legend>
      ${(['book', 'vendor'] as const).map(
        (which) =>
          html`<label
            ><input
              type="radio"
              name="figures"
              data-field="figures"
              value=${which}
              .checked=${ctx.state.figures === which}
              @change=${() => ctx.actions.choosePreset('figures', which)}
            />
            ${ctx.text.ui.figuresChoice[which]}</label
          >`,
      )}
    </fieldset>`,
  );
}
