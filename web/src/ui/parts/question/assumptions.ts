import { html, nothing, type TemplateResult } from 'lit';
import { symbol } from '../../../math/symbol.ts';
import { isMoney } from '../../../number/unit.ts';
import {
  chipOf,
  chipSources,
  chosen,
  citedOf,
  modelOf,
  modelSources,
  optimizers,
  type Source,
} from '../../../model/presets.ts';
import { splitId, type FieldId } from '../../../model/fields.ts';
import { disclosure } from '../../kit/disclosure.ts';
import { control, messages } from './field.ts';
import { customPresetEntry } from './preset-choice.ts';
import { questionFields } from './question.ts';
import { radios } from '../../kit/radios.ts';
import type { Scope } from '../../kit/scope.ts';
import { withTerms } from '../term.ts';
import { fieldsOf, viewOf, type Panel } from '../view.ts';

/** Everything that is not in the sentence, each with its default named and what differs marked. */
export function assumptions(scope: Scope): TemplateResult {
  const panels = viewOf(scope).panels(scope);
  const inSentence = [...questionFields(scope), ...scope.beside];
  const placed = new Set([...inSentence, ...panels.flatMap(({ fields }) => fields)]);
  return html`<section class="assumptions" aria-labelledby="assumptions">
    <h2 id="assumptions">${scope.text.ui.assumptions}</h2>
    ${panels.map(({ key, group, fields, gist }, index) => {
      // What is wrong must be seen, even where it does not matter.
      const last = !panels.slice(index + 1).some((panel) => panel.group === group);
      const others = last ? fieldsOf(scope, group).filter((id) => !placed.has(id)) : [];
      const shown = [
        ...fields.filter((id) => scope.applies(id) || scope.invalid(id)),
        ...others.filter((id) => scope.invalid(id)),
      ].filter((id) => !inSentence.includes(id));
      return shown.length > 0 ? panel(scope, key, shown, gist ?? usualGist(scope, key)) : nothing;
    })}
  </section>`;
}

function panel(scope: Scope, key: Panel['key'], shown: FieldId[], gist: string): TemplateResult {
  const edited = shown.filter((id) => scope.differs(id));
  const part = `panel ${key}`;
  const forced = shown.some((id) => scope.invalid(id));
  const inside = disclosure(
    scope,
    {
      part,
      kind: 'panel',
      forced,
      summary: html`<span class="title">${scope.text.panels[key].label}</span>
        <span class="gist">${gist}</span>
        ${
          edited.length > 0
            ? html`<span class="mark"
                >${scope.fill(scope.text.ui.editedCount, { n: String(edited.length) })}</span
              >`
            : nothing
        }`,
    },
    () =>
      html`${key === 'memory' ? optimizerChoice(scope) : nothing}
        ${key === 'chip' ? figuresChoice(scope) : nothing}
        <div class="fields ${key === 'chip' ? 'sourced' : ''}">
          ${shown.map((id) => row(scope, id, part))}
        </div>
        ${key === 'chip' || key === 'model' ? customPresetEntry(scope, key) : nothing}
        ${key === 'chip' ? sourceList(sourcesOf(scope), chipSources) : nothing}
        ${key === 'model' ? modelSource(scope) : nothing}`,
  );
  // What the reader should know is not for those alone who look inside.
  const closed = !forced && !scope.open.has(part);
  return html`${inside} ${closed ? shown.map((id) => messages(scope, id)) : nothing}`;
}

/** What a closed panel says of itself. */
function usualGist(scope: Scope, key: Panel['key']): string {
  const { text, state } = scope;
  const say = (id: FieldId): string => scope.say(id, scope.value(id));
  switch (key) {
    case 'memory': {
      return scope.optimizer(state.optimizer).name;
    }
    case 'run':
      return `${say('run.computeFormat')} · ${say('run.flopsRule')}`;
    case 'chip':
      return scope.fill(text.panels.chip.gist, {
        memory: say('chip.memory'),
        bandwidth: say('chip.memoryBandwidth'),
      });
    case 'operation':
      return scope.applies('operation.pass') ? say('operation.pass') : '';
    case 'mesh':
      return scope.fill(text.panels.mesh.gist, { direction: say('mesh.direction') });
    case 'network':
      return say('chip.network');
    case 'model':
      return `L ${say('model.layers')}, D ${say('model.hidden')}, F ${say('model.feedForward')}`;
    default:
      return '';
  }
}

function row(scope: Scope, id: FieldId, section: string): TemplateResult {
  const info = scope.info(id);
  const edited = scope.differs(id);
  return html`<div class="field" ?data-edited=${edited}>
    <span class="name">
      ${withTerms(scope, scope.label(id), section)}${info.symbol ? html` <math class="symbol">${symbol(info.symbol)}</math>` : nothing}
      ${scope.help(id) ? html`<span class="help">${withTerms(scope, scope.help(id), section)}</span>` : nothing}
    </span>
    <span class="set">
      ${isMoney(info.unit) && scope.value(id) !== null ? '$' : nothing}${control(scope, id)}
      ${edited && (info.optional || scope.base(id) !== null) ? resetButton(scope, id) : sourceNote(scope, id)}
    </span>
    ${messages(scope, id)}
  </div>`;
}

/** A field beside the answer that hangs on it most; `scope` is of the present state. */
export function fieldBeside(scope: Scope, id: FieldId): TemplateResult | typeof nothing {
  if (!scope.besides || scope.fixed(splitId(id)[1])) return nothing;
  scope.beside.add(id);
  const edited = scope.differs(id);
  const { title, url } = chipSources[usedFigure(scope, id)?.source ?? ''] ?? {};
  return html`<div class="field beside" ?data-edited=${edited}>
    <span class="name">${scope.label(id)}</span>
    <span class="set">
      ${isMoney(scope.info(id).unit) && scope.value(id) !== null ? '$' : nothing}${control(scope, id)}
      ${
        edited
          ? resetButton(scope, id)
          : url
            ? html`<a class="note" href=${url} rel="noreferrer" target="_blank">${title}</a>`
            : nothing
      }
    </span>
    ${messages(scope, id)}
  </div>`;
}

function resetButton(scope: Scope, id: FieldId): TemplateResult {
  const base = scope.say(id, scope.base(id));
  return html`<button
    type="button"
    class="reset"
    data-reset=${id}
    aria-label=${scope.fill(scope.text.ui.resetLabel, { field: scope.label(id), value: base })}
    @click=${() => scope.actions.reset(id)}
  >
    ${scope.fill(scope.text.ui.reset, { value: base })}
  </button>`;
}

/** Where a chip's figure comes from, as a number in the panel's list, and what others print. */
function sourceNote(scope: Scope, id: FieldId): TemplateResult | typeof nothing {
  const used = usedFigure(scope, id);
  if (!used?.source) return nothing;
  const { other, says } = used;
  return html`<span class="source" title=${chipSources[used.source]?.title ?? used.source}
      >${sourcesOf(scope).indexOf(used.source) + 1}</span
    >${
      other === undefined
        ? nothing
        : html`<span class="note">${scope.fill(says, { value: scope.say(id, other) })}</span>`
    }`;
}

function usedFigure(scope: Scope, id: FieldId) {
  const [group, key] = splitId(id);
  const figure = group === 'chip' ? chipOf(scope.state.chip).figures[key] : undefined;
  if (!figure) return undefined;
  const byBook = scope.state.figures === 'book' && figure.book;
  const other = figure.book && (byBook ? figure.value : figure.book.value);
  return {
    source: citedOf(figure, scope.state.figures).source,
    other: other === chosen(figure, scope.state.figures) ? undefined : other,
    says: byBook ? scope.text.ui.vendorSays : scope.text.ui.bookSays,
  };
}

/** The sources of the chip's figures, in the order of its fields. */
export function sourcesOf(scope: Scope): string[] {
  const used = scope.description.groups.chip.map(({ key }) => usedFigure(scope, `chip.${key}`));
  return [...new Set(used.flatMap((figure) => figure?.source ?? []))];
}

/** Where an architecture comes from; that of a model of the reader's own, the page does not know. */
function modelSource({ state }: Scope): TemplateResult | typeof nothing {
  const source = modelOf(state.model).sources?.architecture;
  return source ? sourceList([source], modelSources) : nothing;
}

function sourceList(ids: string[], sources: Record<string, Source>): TemplateResult {
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

function optimizerChoice(scope: Scope): TemplateResult {
  return html`<label class="choice"
    ><span>${scope.text.ui.optimizer}</span>
    <select
      data-field="optimizer"
      @change=${(event: Event) =>
        scope.actions.choosePreset('optimizer', (event.target as HTMLSelectElement).value)}
    >
      ${optimizers.map(
        ({ id }) =>
          html`<option value=${id} .selected=${id === scope.state.optimizer}>
            ${scope.optimizer(id).name}
          </option>`,
      )}
    </select>
    <span class="note">${scope.optimizer(scope.state.optimizer).parts}</span></label
  >`;
}

function figuresChoice(scope: Scope): TemplateResult {
  return radios(
    html`<fieldset class="choice">
      <legend>${scope.text.ui.figures}</legend>
      ${(['book', 'vendor'] as const).map(
        (which) =>
          html`<label
            ><input
              type="radio"
              name="figures"
              data-field="figures"
              value=${which}
              .checked=${scope.state.figures === which}
              @change=${() => scope.actions.choosePreset('figures', which)}
            />
            ${scope.text.ui.figuresChoice[which]}</label
          >`,
      )}
    </fieldset>`,
  );
}
