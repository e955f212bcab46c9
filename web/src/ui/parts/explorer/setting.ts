import { html, nothing, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import { parseNumber } from '../../../number/parse.ts';
import type { ChartSettings } from '../../../model/charts.ts';
import { rangeFits, valueFits, type FieldId } from '../../../model/fields.ts';
import { notationOf } from '../../../model/presentation.ts';
import { interpolate } from '../../../i18n/interpolate.ts';
import { ruleOf } from '../question/field.ts';
import type { Edit } from '../../kit/number-control.ts';
import type { RenderContext } from '../../kit/render-context.ts';
import { withTerms } from '../term.ts';
import { axisFields, type Ranged } from './axis.ts';
import type { ChartQuery } from './chart-query.ts';

export type Piece = TemplateResult | string;

export interface SettingHost {
  /** Invalid texts in the controls of charts, by control. */
  readonly drafts: Map<string, string>;
  requestUpdate(): void;
  /** Shows other charts, or the same otherwise; what was typed stays. */
  change(settings: ChartSettings, edit?: { name: string; done: boolean }): void;
  /** Brings the focus to a control once it is there: the one that had it may be gone. */
  focusOn(...names: string[]): void;
}

interface NumberSetting {
  name: string;
  label: string;
  field: FieldId;
  value: number;
  /** The problem with a valid value in this place; empty if there is none. */
  fault(value: number): string;
  take(value: number): ChartSettings;
}

interface ListSetting<Item> {
  /** Names the controls: `line-0`. */
  name: string;
  items: readonly Item[];
  control(item: Item, index: number, label: string): TemplateResult;
  label(index: number): string;
  /** Names an item where it is to be removed. */
  say(item: Item, index: number): string;
  least: number;
  /** The item that is added next; undefined at the limit. */
  next: Item | undefined;
  addLabel: string;
  put(items: readonly Item[]): ChartSettings;
}

/** The chart's subject, as a sentence with controls in it. */
export class Setting {
  readonly ctx: RenderContext;
  private readonly wrong: unknown[] = [];

  constructor(
    readonly query: ChartQuery,
    private readonly host: SettingHost,
  ) {
    this.ctx = query.ctx;
  }

  sentence(text: string, parts: Record<string, Piece>): TemplateResult {
    const pieces = interpolate(text, parts).map((piece) =>
      typeof piece === 'string' ? withTerms(this.ctx, piece, 'setting', this) : piece,
    );
    return html`<p class="setting">${pieces}</p>
      <div class="messages">${this.wrong}</div>`;
  }

  /** Says below the sentence what is wrong. */
  tell(message: unknown): void {
    this.wrong.push(message);
  }

  change(settings: ChartSettings, stale = ''): void {
    // A typed text means nothing once its field is no longer asked for.
    for (const name of this.host.drafts.keys()) {
      if (stale && name.startsWith(stale)) this.host.drafts.delete(name);
    }
    this.host.change(settings);
  }

  select(
    name: string,
    label: string,
    options: readonly { value: string; label: string }[],
    chosen: string,
    choose: (value: string) => ChartSettings,
    /** Begins the names of controls that this one decides about. */
    decides = '',
  ): TemplateResult {
    const onChange = (event: Event): void =>
      this.change(choose((event.target as HTMLSelectElement).value), decides);
    return html`<select data-chart=${name} aria-label=${label} @change=${onChange}>
      ${options.map(
        (option) =>
          html`<option value=${option.value} .selected=${live(option.value === chosen)}>
            ${option.label}
          </option>`,
      )}
    </select>`;
  }

  /** A number that may be typed wrongly: it then stays, with what is wrong said below. */
  number({ name, label, field, value, fault, take }: NumberSetting): TemplateResult {
    const { ctx, host } = this;
    const info = ctx.info(field);
    const draft = host.drafts.get(name);
    const messageId = `chart-${name}-message`;
    if (draft !== undefined) {
      const parsed = parseNumber(draft, notationOf(info));
      const possible = parsed.ok && valueFits(info, parsed.value);
      const message = possible
        ? `${label}${ctx.text.charts.colon}${fault(parsed.value)}`
        : ctx.draftMessage(field, draft, label);
      this.tell(html`<p class="message" id=${messageId} data-message=${name}>${message}</p>`);
    }
    const onEdit = ({ detail }: CustomEvent<Edit>): void => {
      const { value: given, done } = detail;
      if (typeof given === 'number' && valueFits(info, given) && fault(given) === '') {
        host.drafts.delete(name);
        host.change(take(given), { name, done });
      } else {
        host.drafts.set(name, detail.draft ?? String(given ?? ''));
      }
      host.requestUpdate();
    };
    return html`<scaling-number
      class="control"
      .fieldId=${name}
      .label=${label}
      .value=${value}
      .draft=${draft}
      .rule=${ruleOf(info)}
      .optional=${false}
      .missing=${''}
      .describedBy=${draft === undefined ? '' : messageId}
      .invalid=${draft !== undefined}
      .language=${ctx.language}
      @edit=${onEdit}
    ></scaling-number>`;
  }

  /** Items that can be changed, removed and added to. */
  list<Item>(list: ListSetting<Item>): TemplateResult {
    const { charts } = this.ctx.text;
    const { name, items, next } = list;
    const remove = (index: number): void => {
      this.change(list.put(items.filter((_, at) => at !== index)), name);
      this.host.focusOn('add', `${name}-${items.length - 2}`);
    };
    const add = (item: Item): void => {
      this.change(list.put([...items, item]));
      this.host.focusOn(`${name}-${items.length}`);
    };
    return html`${items.map(
      (item, index) =>
        html`<span class="value"
          >${list.control(item, index, list.label(index))}${
            items.length > list.least
              ? button(
                  'remove',
                  '×',
                  this.ctx.fill(charts.remove, { name: list.say(item, index) }),
                  () => remove(index),
                )
              : nothing
          }</span
        > `,
    )}${next === undefined ? nothing : button('add', '+', list.addLabel, () => add(next))}`;
  }

  /** The field of an axis, and its ends. */
  axis(which: 'over' | 'against', ranged: Ranged): { field: Piece; from: Piece; to: Piece } {
    const { ctx } = this;
    const { charts } = ctx.text;
    const { field, info, from, to } = ranged;
    const options = [...new Set([field, ...axisFields(ctx)])].map((id) => ({
      value: id,
      label: ctx.label(id),
    }));
    const end = (
      key: 'from' | 'to',
      value: number,
      label: string,
      ends: (value: number) => readonly [number, number],
    ): TemplateResult =>
      this.number({
        name: `${which}-${key}`,
        label: ctx.fill(label, { field: ctx.label(field) }),
        field,
        value,
        fault: (given) => (rangeFits(info, ...ends(given)) ? '' : charts.endsCross),
        take: (given) => ({ [which]: { field, range: ends(given) } }),
      });
    return {
      field: this.select(
        which,
        charts[which],
        options,
        field,
        (id) => ({ [which]: { field: id as FieldId } }),
        which,
      ),
      from: end('from', from, charts.fromLabel, (value) => [value, to]),
      to: end('to', to, charts.toLabel, (value) => [from, value]),
    };
  }
}

const button = (
  kind: 'add' | 'remove',
  sign: string,
  label: string,
  press: () => void,
): TemplateResult =>
  html`<button
    type="button"
    class="small"
    data-chart=${kind}
    aria-label=${label}
    title=${label}
    @click=${press}
  >
    ${sign}
  </button>`;
