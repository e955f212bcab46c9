// The frontiers of several chips, each found in a task of its own; for a target the cheapest of their
// points, and for a budget the fastest.

import { html, nothing, type PropertyDeclarations, type TemplateResult } from 'lit';
import { LightElement } from '../../kit/light-element.ts';
import { Trade } from '../../../charts/trade.ts';
import type { TradeData, TradePoint } from '../../../charts/trade.ts';
import { define } from '../../../dom/define.ts';
import { sheetOf } from '../../../dom/sheet.ts';
import type { ServingPoint } from '../../../engine/index.ts';
import type { PartTexts } from '../../../i18n/dictionary.ts';
import { mostOverlays } from '../../../model/charts.ts';
import type { Answers } from '../../../model/evaluate.ts';
import { chipEntries, own } from '../../../model/presets.ts';
import { withField, withPreset, type State } from '../../../model/state.ts';
import { parseNumber } from '../../../number/parse.ts';
import { writeForLink } from '../../../number/write.ts';
import { isOwnPrice } from '../../../model/price-basis.ts';
import type { RenderContext } from '../../kit/render-context.ts';
import { besides } from './beside.ts';
import { ownPoint, placesOf, tokensOf } from './drawings.ts';
import { cheapestWithin, fastestWithin, least, type Placed } from './frontier-best.ts';
import { findPoints, pointsOf } from './frontier-points.ts';
import text from './frontiers.css?inline';

const style = sheetOf(text);

type FrontierWords = PartTexts<'frontier'>;

const plain = { unit: '', percent: false } as const;
const largest = 1e12;
const milliseconds = 1e-3;

/** Chips that most readers know: those that are added first. */
const wellKnown = ['h100-sxm', 'b200-sxm', 'mi355x', 'tpu-v6e', ...chipEntries.map(({ id }) => id)];

interface Frontier {
  state: State;
  chip: string;
  /** Undefined until it is found. */
  points?: readonly ServingPoint[];
}

type Limit = 'deadline' | 'budget';

class Frontiers extends LightElement {
  static override sheets = [style];
  static override properties: PropertyDeclarations = {
    ctx: { attribute: false },
    words: { attribute: false },
    answers: { attribute: false },
    wrong: { state: true },
  };

  declare ctx: RenderContext;
  declare words: FrontierWords;
  /** The answers of the reader's own servers, if they are valid. */
  declare answers: Answers | undefined;
  declare private wrong: { where: Limit; says: string } | undefined;
  private all: readonly Frontier[] = [];
  /** The frontiers that are drawn: the last ones that were all found, until those of a change are. */
  private drawn: readonly Frontier[] = [];
  private timer: ReturnType<typeof setTimeout> | undefined;

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearTimeout(this.timer);
    this.timer = undefined;
  }

  protected override willUpdate(): void {
    const { ctx } = this;
    const others = ctx.state.charts.overlay ?? [];
    const states = [
      ctx.state,
      ...others
        .filter((id) => id !== ctx.state.chip)
        .map((id) => withPreset(ctx.state, 'chip', id)),
    ];
    this.all = states.map((state) => {
      const points = pointsOf(state);
      return { state, chip: ctx.called('chip', state), ...(points && { points }) };
    });
    const whole = this.all.every(({ points }) => points);
    if (whole || !this.drawn.some(({ points }) => points?.length)) this.drawn = this.all;
    if (!whole) this.timer ??= setTimeout(() => this.work());
  }

  /** Finds one frontier, and leaves the next to a further task. */
  private work(): void {
    this.timer = undefined;
    const next = this.all.find(({ points }) => !points);
    if (!next || !this.isConnected) return;
    findPoints(this.ctx, next.state);
    this.requestUpdate();
  }

  // ---- what the reader asks for

  /** A limit in the core's units; undefined where nothing is asked. */
  private limitIn(which: Limit): number | undefined {
    const parsed = parseNumber(this.ctx.state.charts[which] ?? '', plain);
    if (!parsed.ok || !(parsed.value > 0 && parsed.value <= largest)) return undefined;
    return which === 'deadline' ? parsed.value * milliseconds : parsed.value;
  }

  /** The limits of a link that can't be. */
  private wrongIn(where: Limit): { where: Limit; says: string } | undefined {
    const typed = this.ctx.state.charts[where];
    if (typed === undefined || this.limitIn(where) !== undefined) return undefined;
    return { where, says: this.sayWrong(where, typed) };
  }

  private sayWrong(which: Limit, typed: string): string {
    const { ctx, words } = this;
    return ctx.fill(words.wrong, { field: words.limits[which], typed });
  }

  private put(which: Limit, text: string): void {
    const { ctx } = this;
    const typed = text.trim();
    const parsed = parseNumber(typed.replace(/^\$/, ''), plain);
    const fits = parsed.ok && parsed.value > 0 && parsed.value <= largest;
    this.wrong =
      typed === '' || fits ? undefined : { where: which, says: this.sayWrong(which, typed) };
    if (typed === '') ctx.actions.chart({ [which]: undefined });
    else if (fits) ctx.actions.chart({ [which]: writeForLink(parsed.value, plain) });
  }

  /** Takes over a server, with its chip and its load. */
  private use({ state, point, line }: Placed): void {
    const { ctx } = this;
    if (line === 0) {
      ctx.actions.move(placesOf(point), true);
      return;
    }
    const to = placesOf(point).reduce(
      (next, [id, value]) => withField(ctx.description, next, id, value),
      state,
    );
    ctx.actions.go(to);
  }

  // ---- drawing

  private get placed(): Placed[] {
    return this.drawn.flatMap(({ state, chip, points = [] }, line) =>
      points.map((point) => ({ state, chip, line, point })),
    );
  }

  private say({ point, chip }: Placed): string {
    const { ctx, words } = this;
    return ctx.fill(words.point, {
      chips: ctx.format.count(point.chips),
      chip,
      batch: ctx.format.count(point.sequences),
    });
  }

  private time(value: number): string {
    return this.ctx.format.say(value, 's');
  }

  private cost(value: number | undefined): string {
    return value === undefined ? '' : this.ctx.format.say(value, 'USD');
  }

  protected override render(): TemplateResult {
    const { ctx, words, placed, all, drawn } = this;
    const [time, cost] = [this.limitIn('deadline'), this.limitIn('budget')];
    const left = all.filter(({ points }) => !points).length;
    const none = drawn.filter(({ points }) => points?.length === 0).map(({ chip }) => chip);
    const unpriced = drawn
      .filter(({ points }) => points?.some(({ costAll }) => costAll === undefined))
      .map(({ chip }) => chip);
    const note = (text: string, names: readonly string[]): TemplateResult | typeof nothing =>
      names.length > 0
        ? html`<p class="note">
            ${ctx.fill(text, { names: names.join(words.comma) }, { n: names.length })}
          </p>`
        : nothing;
    define('scaling-trade', Trade);
    return html`${this.renderTools()}
      ${
        placed.length > 0
          ? html`<scaling-trade
              .data=${this.data(placed, time, cost)}
              .format=${ctx.format}
              .words=${{ ...ctx.text.charts.words, bounds: ctx.text.bounds }}
              @move=${({ detail }: CustomEvent<{ index: number }>) => {
                const at = placed[detail.index];
                if (at) this.use(at);
              }}
            ></scaling-trade>`
          : left === 0
            ? html`<p class="means">${ctx.text.served.nothing}</p>`
            : nothing
      }
      <div aria-live="polite">
        ${
          left > 0
            ? html`<p class="means">
                ${ctx.fill(words.finding, {
                  done: ctx.format.count(all.length - left),
                  all: ctx.format.count(all.length),
                })}
              </p>`
            : this.renderFound(placed, time, cost)
        }
      </div>
      ${placed.length > 0 ? html`<p class="note">${ctx.text.served.frontier.pointHelp}</p>` : nothing}
      ${note(words.holdsNone, none)} ${note(words.noPrice, unpriced)}
      ${
        drawn.length > 1 && !isOwnPrice(ctx.state)
          ? html`<p class="note">${words.prices}</p>`
          : nothing
      }`;
  }

  private renderTools(): TemplateResult {
    const { ctx, words } = this;
    const wrong = this.wrong ?? this.wrongIn('deadline') ?? this.wrongIn('budget');
    const limit = (which: Limit): TemplateResult =>
      html`<label
        ><span>${words.limits[which]}</span>
        <input
          type="text"
          inputmode="decimal"
          autocomplete="off"
          data-limit=${which}
          aria-invalid=${wrong?.where === which ? 'true' : nothing}
          aria-describedby=${wrong?.where === which ? 'frontier-message' : nothing}
          .value=${ctx.state.charts[which] ?? ''}
          @change=${(event: Event) => this.put(which, (event.target as HTMLInputElement).value)}
      /></label>`;
    return html`${besides(ctx, {
        key: 'overlay',
        label: words.chips,
        other: words.other,
        add: words.add,
        usual: wellKnown.filter((id) => id !== own),
        most: mostOverlays,
      })}
      <div class="limits">${limit('deadline')} ${limit('budget')}</div>
      ${
        wrong
          ? html`<p class="message" id="frontier-message" data-message="frontier">${wrong.says}</p>`
          : nothing
      }`;
  }

  /** Says the cheapest in time and the fastest for the money, or what comes nearest. */
  private renderFound(
    placed: readonly Placed[],
    time: number | undefined,
    cost: number | undefined,
  ): TemplateResult | typeof nothing {
    const { ctx, words } = this;
    if ((time === undefined && cost === undefined) || placed.length === 0) return nothing;
    const tell = (
      limit: string,
      found: Placed | undefined,
      nearest: Placed | undefined,
      which: Limit,
    ): string => {
      const at = found ?? nearest;
      if (!at) return words.noneIsPriced;
      const said = {
        limit,
        name: this.say(at),
        time: this.time(at.point.timePerToken),
        cost: this.cost(at.point.costAll),
        speed: ctx.format.say(at.point.tokensPerSecondPerChip, 'tokens/s/chip'),
      };
      const kind = found ? words.within : words.beyond;
      return ctx.fill(at.point.costAll === undefined ? words.unpriced : kind[which], said);
    };
    const fastest = least(placed, ({ timePerToken }) => timePerToken);
    const cheapest = least(placed, ({ costAll }) => costAll);
    return html`<ul class="within">
      ${
        time === undefined
          ? nothing
          : html`<li data-within="deadline">
              ${tell(this.time(time), cheapestWithin(placed, time), fastest, 'deadline')}
            </li>`
      }
      ${
        cost === undefined
          ? nothing
          : html`<li data-within="budget">
              ${tell(this.cost(cost), fastestWithin(placed, cost), cheapest, 'budget')}
            </li>`
      }
    </ul>`;
  }

  private data(
    placed: readonly Placed[],
    time: number | undefined,
    cost: number | undefined,
  ): TradeData {
    const { ctx, words, drawn, answers } = this;
    const { frontier } = ctx.text.served;
    const marks = new Map<Placed, string[]>();
    const mark = (at: Placed | undefined, text: string): void => {
      if (at) marks.set(at, [...(marks.get(at) ?? []), text]);
    };
    if (time !== undefined) mark(cheapestWithin(placed, time), words.marks.cheapest);
    if (cost !== undefined) mark(fastestWithin(placed, cost), words.marks.fastest);
    const mine = ownPoint(answers, tokensOf(ctx, answers, 'answer'));
    const points = placed.map((at): TradePoint => {
      const { point, line } = at;
      const best = marks.get(at);
      return {
        label: this.say(at),
        short: ctx.fill(frontier.point, {
          chips: ctx.format.count(point.chips),
          batch: ctx.format.count(point.sequences),
        }),
        x: point.timePerToken,
        y: point.tokensPerSecondPerChip,
        line,
        ...(point.costAll !== undefined && {
          says: ctx.fill(words.costs, { cost: this.cost(point.costAll) }),
        }),
        ...(best && { best: best.join(words.comma) }),
      };
    });
    const fast = least(placed, ({ timePerToken }) => timePerToken)!;
    const full = least(placed, ({ tokensPerSecondPerChip }) => -tokensPerSecondPerChip)!;
    const speed = ({ point }: Placed): string =>
      ctx.format.say(point.tokensPerSecondPerChip, 'tokens/s/chip');
    return {
      title: ctx.fill(drawn.length > 1 ? words.title : frontier.finding, {
        fast: this.time(fast.point.timePerToken),
        fastest: fast.chip,
        low: speed(fast),
        high: speed(full),
        most: full.chip,
        slow: this.time(full.point.timePerToken),
      }),
      description: frontier.description,
      file: 'serving-frontier',
      x: { label: frontier.x, unit: 's', scale: 'log' },
      y: { label: frontier.y, unit: 'tokens/s/chip', scale: 'log' },
      lines: drawn.map(({ chip }) => chip),
      points: mine
        ? [...points, { label: ctx.text.charts.own, ...mine, line: 0, own: true, aside: true }]
        : points,
      most: { ...(time !== undefined && { x: { label: words.atMost, value: time } }) },
    };
  }
}

/** The frontiers. */
export function frontiers(
  ctx: RenderContext,
  words: PartTexts<'frontier'>,
  answers: Answers | undefined,
): TemplateResult {
  define('scaling-frontiers', Frontiers);
  return html`<scaling-frontiers
    .ctx=${ctx}
    .words=${words}
    .answers=${answers}
  ></scaling-frontiers>`;
}
