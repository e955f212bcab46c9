// The controls of sides: along which they differ, which there are, and their limits.

import { html, nothing, type TemplateResult } from 'lit';
import { isNumeric, type FieldId } from '../../../../model/fields.ts';
import type { RenderContext } from '../../../kit/render-context.ts';
import { chipOptions, modelOptions } from '../../../parts/question/options.ts';
import { basisChoice } from '../prices.ts';
import type { SidesWords } from './differences.ts';
import { ownSides } from './facts.ts';
import { isThing, mostSides, type Along, type Sides as Setting } from './setting.ts';
import { saveCsv, saveMarkdown, type FileTable } from '../table-files.ts';
import type { Words } from '../words.ts';

/** A typed text that makes no sense, by its control. */
export interface Wrong {
  where: string;
  says: string;
}

/** The sides with what the reader does to them. */
interface Controls {
  ctx: RenderContext;
  words: SidesWords;
  setting: Setting | undefined;
  wrong: Wrong | undefined;
  addPresent(): void;
  addThing(which: 'chip' | 'model', id: string): void;
  addValue(id: FieldId, input: HTMLInputElement | HTMLSelectElement): void;
  limit(which: 'deadline' | 'budget', text: string): void;
  files(): FileTable;
}

/** The sides that one click can add. */
export function sets(
  { ctx, words, setting }: Pick<Controls, 'ctx' | 'words' | 'setting'>,
  choose: (along: Along) => void,
): TemplateResult {
  const fields = ownSides(ctx).fields.filter((id) => {
    const [group] = id.split('.') as ['run'];
    return ctx.description.questions[ctx.state.view].groups.includes(group);
  });
  const all: readonly Along[] = ['chip', ...fields, 'model', 'kept'];
  const names: Record<string, string> = words.sets;
  return html`<p class="sets" role="group" aria-label=${words.along}>
    ${all.map(
      (along) =>
        html`<button
          type="button"
          data-sides=${along}
          aria-pressed=${setting?.along === along}
          @click=${() => choose(along)}
        >
          ${names[isThing(along) ? along : along.split('.')[1]!]}
        </button>`,
    )}
  </p>`;
}

/** Adds sides, sets what they are compared by, and hands them out. */
export function tools(controls: Controls, common: Words, setting: Setting): TemplateResult {
  const { ctx, words, wrong, files } = controls;
  const { view, charts } = ctx.state;
  const limit = (which: 'deadline' | 'budget'): TemplateResult =>
    html`<label
      ><span>${words.limits[which][view as 'plan']}</span>
      <input
        type="text"
        inputmode="decimal"
        autocomplete="off"
        data-limit=${which}
        aria-invalid=${wrong?.where === which ? 'true' : nothing}
        .value=${charts[which] ?? ''}
        @change=${(event: Event) => controls.limit(which, (event.target as HTMLInputElement).value)}
    /></label>`;
  return html`<div class="tools">
      ${adding(controls, setting)} ${basisChoice(ctx, common)} ${limit('deadline')}
      ${limit('budget')}
      <span class="files">
        <button
          type="button"
          class="csv"
          aria-label=${common.table.csv}
          @click=${() => saveCsv(files(), `${view}-sides`)}
        >
          CSV
        </button>
        <button
          type="button"
          class="markdown"
          aria-label=${common.table.markdown}
          @click=${() => saveMarkdown(ctx, files(), `${view}-sides`)}
        >
          Markdown
        </button>
      </span>
    </div>
    ${wrong ? html`<p class="message" role="alert">${wrong.says}</p>` : nothing}`;
}

/** The items of a link that can't stand side by side, and why. */
export function refusals(
  ctx: RenderContext,
  { along, refused }: { along: Along; refused: readonly string[] },
): TemplateResult[] {
  const { text } = ctx;
  const say = (item: string): string => {
    if (!isThing(along) && isNumeric(ctx.info(along))) return ctx.draftMessage(along, item);
    const name =
      along === 'chip' || along === 'model' ? text.ui[along] : ctx.label(along as FieldId);
    return ctx.fill(text.issues.unknownChoice, { field: `${name} ${item}` });
  };
  return refused.map((item) => html`<p class="message" data-refused>${say(item)}</p>`);
}

/** Adds one by typing. */
function adding(
  { ctx, words, wrong, ...controls }: Controls,
  { along, items }: Setting,
): TemplateResult | typeof nothing {
  if (items.length >= mostSides) return html`<span class="note">${words.full}</span>`;
  if (along === 'kept') {
    return html`<button type="button" class="add" @click=${() => controls.addPresent()}>
      ${words.addPresent}
    </button>`;
  }
  if (isThing(along)) {
    const kept = ctx.features.customPresets?.options(ctx, along) ?? [];
    const options = [...kept, ...(along === 'chip' ? chipOptions : modelOptions)(ctx)].filter(
      ({ id }) => !items.includes(id),
    );
    return html`<label class="adding"
      ><span>${words.add[along]}</span>
      <scaling-preset
        class="control"
        .fieldId=${`add-${along}`}
        .label=${words.add[along]}
        .options=${options}
        .value=${''}
        .nothingFound=${ctx.text.ui.nothingFound}
        @choose=${(event: CustomEvent<string>) => controls.addThing(along, event.detail)}
      ></scaling-preset
    ></label>`;
  }
  const info = ctx.info(along);
  const add = (event: Event): void =>
    controls.addValue(along, event.currentTarget as HTMLInputElement);
  const label = ctx.fill(words.add.value, { field: ctx.label(along) });
  return isNumeric(info)
    ? html`<label
        ><span>${label}</span
        ><input
          type="text"
          inputmode="decimal"
          autocomplete="off"
          data-add
          aria-invalid=${wrong?.where === 'add' ? 'true' : nothing}
          @change=${add}
      /></label>`
    : html`<label
        ><span>${label}</span
        ><select data-add @change=${add}>
          <option value="">…</option>
          ${info.choices
            .filter((choice) => !items.includes(choice))
            .map((choice) => html`<option value=${choice}>${ctx.choice(along, choice)}</option>`)}
        </select></label
      >`;
}
