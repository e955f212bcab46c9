// What charts show, as a sentence with controls in it.

import { html, nothing, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import type { FieldInfo, FieldValue } from '../../engine/index.ts';
import {
  isNumeric,
  mostLines,
  mostOverlays,
  rangeFits,
  valueFits,
  type Axis,
  type ChartSettings,
} from '../../state/charts.ts';
import { doubles, notationOf } from '../../state/presentation.ts';
import { chips, modelOf } from '../../state/presets.ts';
import { splitId, type FieldId } from '../../state/state.ts';
import { weave } from '../../text/weave.ts';
import { control, messages } from '../field.ts';
import type { Edit } from '../number-control.ts';
import { chipOptions, modelOptions } from '../options.ts';
import { preset, questionFields } from '../question.ts';
import type { Scope } from '../scope.ts';
import { viewOf } from '../view.ts';
import { axisFields, rangedAxis, usualAxis, variedFields, type Ranged } from './axis.ts';
import { mapAxes } from './heat-map-data.ts';
import type { Subject } from './subject.ts';
import { drawnFields, namesOf, sweptAnswer } from './sweep-data.ts';

type Piece = TemplateResult | string;

/** What was typed into a control of the charts and makes no sense there, by control. */
export type Drafts = Map<string, string>;

export interface ControlsHost {
  readonly drafts: Drafts;
  requestUpdate(): void;
  /** Brings the focus to a control once it is there: the one that had it may be gone. */
  focusOn(...names: string[]): void;
}

/** The settings of the chart that is shown. */
export class Controls {
  private readonly scope: Scope;
  private readonly wrong: TemplateResult[] = [];

  constructor(
    private readonly subject: Subject,
    private readonly host: ControlsHost,
  ) {
    this.scope = subject.scope;
  }

  roofline(): TemplateResult {
    const { sentences } = this.scope.text.charts;
    return this.sentence(sentences.roofline, {
      model: this.layer('model'),
      sequences: this.layer('operation.sequences'),
      queries: this.layer('operation.queries'),
      keys: this.layer('operation.keys'),
      overlays: this.overlays(),
    });
  }

  sweep(): TemplateResult {
    const { scope } = this;
    const { sentences } = scope.text.charts;
    const over = rangedAxis(scope, scope.state.charts.over, usualAxis(scope));
    return this.sentence(sentences.sweep, {
      answer: this.answer(),
      ...this.axis('over', over),
      ...this.lines(over),
    });
  }

  heatMap(): TemplateResult {
    const [x, y] = mapAxes(this.subject);
    const against = this.axis('against', y);
    return this.sentence(this.scope.text.charts.sentences.heatMap, {
      ...this.axis('over', x),
      against: against.against!,
      low: against.from!,
      high: against.to!,
    });
  }

  private sentence(text: string, parts: Record<string, Piece>): TemplateResult {
    return html`<p class="setting">${weave(text, parts)}</p>
      <div class="messages">${this.wrong}</div>`;
  }

  private change(settings: ChartSettings): void {
    this.scope.actions.chart(settings);
  }

  private select(
    name: string,
    label: string,
    options: readonly { value: string; label: string }[],
    chosen: string,
    choose: (value: string) => void,
  ): TemplateResult {
    return html`<select
      data-chart=${name}
      aria-label=${label}
      @change=${(event: Event) => choose((event.target as HTMLSelectElement).value)}
    >
      ${options.map(
        (option) =>
          html`<option value=${option.value} .selected=${live(option.value === chosen)}>
            ${option.label}
          </option>`,
      )}
    </select>`;
  }

  /** A number that may be typed wrongly: it then stays, with what is wrong said below. */
  private number(
    name: string,
    label: string,
    id: FieldId,
    value: FieldValue,
    fits: (value: number) => boolean,
    take: (value: number) => void,
  ): TemplateResult {
    const { scope, host } = this;
    const info = scope.info(id);
    const draft = host.drafts.get(name);
    const messageId = `chart-${name}-message`;
    if (draft !== undefined) {
      this.wrong.push(
        html`<p class="message" id=${messageId} data-message=${name}>
          ${scope.draftMessage(id, draft, label)}
        </p>`,
      );
    }
    const onEdit = ({ detail }: CustomEvent<Edit>): void => {
      const good = typeof detail.value === 'number' && fits(detail.value);
      if (good) {
        host.drafts.delete(name);
        if (detail.value !== value) take(detail.value as number);
      } else {
        host.drafts.set(name, detail.draft ?? String(detail.value ?? ''));
      }
      host.requestUpdate();
    };
    return html`<scaling-number
      class="control"
      .fieldId=${name}
      .label=${label}
      .value=${value}
      .draft=${draft}
      .rule=${ruleOf(id, info)}
      .optional=${false}
      .missing=${''}
      .describedBy=${draft === undefined ? '' : messageId}
      .invalid=${draft !== undefined}
      .language=${scope.language}
      @edit=${onEdit}
    ></scaling-number>`;
  }

  /** What the operations of the layer are for: set here, unless the question itself says it. */
  private layer(id: FieldId | 'model'): Piece {
    const { scope } = this;
    if (id === 'model') {
      if (viewOf(scope).sentence(scope).includes('{model}')) return modelOf(scope.state.model).name;
      return preset(scope, 'model', modelOptions);
    }
    if (questionFields(scope).includes(id)) return scope.say(id, scope.value(id));
    this.wrong.push(html`${messages(scope, id)}`);
    return control(scope, id);
  }

  // ---- axes

  private axis(which: 'over' | 'against', ranged: Ranged): Record<string, Piece> {
    const { scope } = this;
    const { charts } = scope.text;
    const { field, info, from, to } = ranged;
    const label = scope.label(field);
    const put = (axis: Axis): void => this.change({ [which]: axis });
    const ids = [...new Set([field, ...axisFields(scope)])];
    const options = ids.map((id) => ({ value: id, label: scope.label(id) }));
    return {
      [which]: this.select(which, charts[which], options, field, (id) =>
        put({ field: id as FieldId }),
      ),
      from: this.number(
        `${which}-from`,
        scope.fill(charts.fromLabel, { field: label }),
        field,
        from,
        (value) => rangeFits(info, value, to),
        (value) => put({ field, range: [value, to] }),
      ),
      to: this.number(
        `${which}-to`,
        scope.fill(charts.toLabel, { field: label }),
        field,
        to,
        (value) => rangeFits(info, from, value),
        (value) => put({ field, range: [from, value] }),
      ),
    };
  }

  private answer(): TemplateResult {
    const { scope } = this;
    const { view } = scope.state;
    const chosen = sweptAnswer(scope);
    const keys = [
      ...new Set([...sweptAnswers[view === 'collective' ? view : 'operation'], chosen]),
    ];
    const shown = keys.filter(
      (key) => key === chosen || this.subject.results.number(key) !== undefined,
    );
    const options = shown.map((key) => ({ value: key, label: scope.answer(key).label }));
    return this.select('answer', scope.text.charts.answer, options, chosen, (answer) =>
      this.change({ answer }),
    );
  }

  // ---- lines

  private lines(over: Ranged): Record<string, Piece> {
    const { scope } = this;
    const { charts } = scope.text;
    const { lines } = scope.state.charts;
    const none = '';
    const ids = variedFields(scope).filter((id) => id !== over.field);
    const squares = ['operation.contraction=operation.output'].filter((pair) =>
      pair.split('=').every((id) => ids.includes(id as FieldId)),
    );
    const drawn = lines !== undefined && drawnFields(scope).length > 0;
    const chosen = drawn ? lines.fields.join('=') : none;
    const several = [...new Set([...squares, chosen])].filter((name) => name.includes('='));
    const single = [...new Set([...ids, chosen])].filter((name) => name && !name.includes('='));
    const options = [
      { value: none, label: charts.noLines },
      ...several.map((name) => ({ value: name, label: this.nameOf(name) })),
      ...single.map((id) => ({ value: id, label: scope.label(id as FieldId) })),
    ];
    return {
      lines: this.select('lines', charts.lines, options, chosen, (name) => {
        const fields = name.split('=').filter(Boolean) as FieldId[];
        this.change({
          lines: fields.length > 0 ? { fields, values: firstValues(scope, fields[0]!) } : undefined,
        });
      }),
      values: !drawn ? '' : html`${charts.colon}${this.values()}`,
    };
  }

  private nameOf(fields: string): string {
    return namesOf(this.scope, fields.split('=') as FieldId[]).join(' = ');
  }

  private values(): TemplateResult {
    const { scope } = this;
    const { charts } = scope.text;
    const { fields, values } = scope.state.charts.lines!;
    const id = fields[0]!;
    const put = (next: readonly FieldValue[]): void => {
      this.change({ lines: { fields, values: [...new Set(next)] } });
    };
    const next = values.length < mostLines ? nextValue(scope, id, values) : undefined;
    return html`<span class="values"
      >${values.map((value, index) => {
        const name = scope.fill(charts.line, { n: String(index + 1), field: scope.label(id) });
        const replace = (by: FieldValue): void => put(replaced(values, index, by));
        return html`<span class="value"
          >${this.value(`line-${index}`, name, fields, value, replace)}${
            values.length > 1
              ? this.button('remove', scope.fill(charts.remove, { name }), '×', () => {
                  this.host.drafts.delete(`line-${index}`);
                  put(values.filter((_, at) => at !== index));
                  this.host.focusOn('add', `line-${values.length - 2}`);
                })
              : nothing
          }</span
        > `;
      })}${
        next === undefined
          ? nothing
          : this.button('add', charts.addLine, '+', () => {
              put([...values, next]);
              this.host.focusOn(`line-${values.length}`);
            })
      }</span
    >`;
  }

  private value(
    name: string,
    label: string,
    fields: readonly FieldId[],
    value: FieldValue,
    replace: (by: FieldValue) => void,
  ): TemplateResult {
    const { scope } = this;
    const id = fields[0]!;
    const info = scope.info(id);
    if (isNumeric(info)) {
      const fits = (given: number): boolean =>
        fields.every((each) => valueFits(scope.info(each), given));
      return this.number(name, label, id, value, fits, replace);
    }
    const choices = choicesOf(info);
    const options = choices.map((each) => ({ value: String(each), label: scope.say(id, each) }));
    return this.select(name, label, options, String(value), (chosen) =>
      replace(choices.find((each) => String(each) === chosen)!),
    );
  }

  private button(
    kind: 'add' | 'remove',
    label: string,
    sign: string,
    press: () => void,
  ): TemplateResult {
    return html`<button
      type="button"
      class="small"
      data-chart=${kind}
      aria-label=${label}
      title=${label}
      @click=${press}
    >
      ${sign}
    </button>`;
  }

  // ---- other chips

  private overlays(): TemplateResult {
    const { scope } = this;
    const { charts, ui } = scope.text;
    const { chip, charts: settings } = scope.state;
    const ids = settings.overlay ?? [];
    const put = (next: readonly string[]): void =>
      this.change({ overlay: next.length > 0 ? [...new Set(next)] : undefined });
    const next = chips.find(({ id }) => id !== chip && !ids.includes(id) && wellKnown.has(id));
    return html`<span class="values"
      >${ids.map(
        (id, index) =>
          html`<span class="value"
            ><scaling-preset
              class="control"
              .fieldId=${`overlay-${index}`}
              .label=${scope.fill(charts.overlay, { n: String(index + 1) })}
              .options=${chipOptions(scope)}
              .value=${id}
              .mark=${''}
              .nothingFound=${ui.nothingFound}
              @choose=${({ detail }: CustomEvent<string>) => put(replaced(ids, index, detail))}
            ></scaling-preset
            >${this.button(
              'remove',
              scope.fill(charts.remove, {
                name: chipOptions(scope).find((each) => each.id === id)?.name ?? id,
              }),
              '×',
              () => {
                put(ids.filter((_, at) => at !== index));
                this.host.focusOn('add');
              },
            )}</span
          > `,
      )}${
        next && ids.length < mostOverlays
          ? this.button('add', charts.addOverlay, '+', () => {
              put([...ids, next.id]);
              this.host.focusOn(`overlay-${ids.length}`);
            })
          : nothing
      }</span
    >`;
  }
}

/** Chips that most readers have a picture of; others are found by name. */
const wellKnown: ReadonlySet<string> = new Set([
  'h100-sxm',
  'tpu-v5p',
  'b200',
  'tpu-v5e',
  'a100-80gb',
]);

/** What sweeps are asked for most; others are, if a link says so. */
const sweptAnswers = {
  operation: [
    'achievedFlops',
    'fractionOfPeak',
    'lowerBound',
    'mathTime',
    'memoryTime',
    'networkTime',
    'intensity',
    'flops',
    'memoryBytes',
    'networkBytes',
  ],
  collective: ['collectiveTime', 'effectiveBandwidth', 'bytesSent', 'collectiveSteps'],
};

const replaced = <T>(items: readonly T[], index: number, by: T): T[] =>
  items.map((item, at) => (at === index ? by : item));

const ruleOf = (id: FieldId, info: FieldInfo) => ({
  ...notationOf(splitId(id)[0], info),
  whole: info.kind === 'count',
  doubles: doubles(id),
  min: info.min,
  max: info.max,
});

const choicesOf = ({ kind, choices }: FieldInfo): FieldValue[] =>
  kind === 'flag' ? [false, true] : choices;

/** Lines to begin with: a quarter of the reader's own number, another choice. */
function firstValues(scope: Scope, id: FieldId): FieldValue[] {
  const info = scope.info(id);
  const own = scope.value(id);
  if (!isNumeric(info)) return [choicesOf(info).find((choice) => choice !== own) ?? own];
  const less = Number(own) / 4;
  const quarter = info.kind === 'count' ? Math.round(less) : less;
  return [valueFits(info, quarter) ? quarter : info.max];
}

/** One more line: four times the last number, a choice that no line has yet. */
function nextValue(
  scope: Scope,
  id: FieldId,
  values: readonly FieldValue[],
): FieldValue | undefined {
  const info = scope.info(id);
  if (!isNumeric(info)) return choicesOf(info).find((choice) => !values.includes(choice));
  const next = Number(values.at(-1)) * 4;
  return valueFits(info, next) && !values.includes(next) ? next : undefined;
}
