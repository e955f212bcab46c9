// Prices beside the answers of a table: those of its chips, on one basis.

import { html, nothing, type TemplateResult } from 'lit';
import type { AnswerInfo } from '../../../../engine/index.ts';
import { withPreset, type State } from '../../../../model/state.ts';
import type { RenderContext } from '../../../kit/render-context.ts';
import type { Price } from '../../../../model/presets.ts';
import { infosOf } from './columns.ts';
import { answersOf, dateColumn, priceColumn, providerColumn, type Row } from './rows.ts';
import { basisOf, onBasis, priceIn, sayPrice, sourceOf } from '../prices.ts';
import { stateFor, type Subject, type Which } from '../subjects.ts';
import type { FileCell } from '../table-files.ts';
import type { Words } from '../words.ts';

/** The answers that rest on the price of a chip. */
const costs: readonly string[] = ['cost', 'wallCost', 'costAll'];

export interface PriceColumn {
  column: string;
  label: string;
  number: boolean;
}

export class TablePrices {
  /** Whether the question has a cost, so that chips' prices are compared. */
  private readonly priced: boolean;

  constructor(
    private readonly ctx: RenderContext,
    private readonly which: Which,
  ) {
    const infos = infosOf(ctx);
    this.priced = which === 'chip' && costs.some((key) => infos.has(key));
  }

  /** The present state on another chip, its price on the common basis, or for another model. */
  stateOf(subject: Subject): State {
    return this.onBasis(stateFor(this.ctx, this.which, subject));
  }

  /** The price of the chip of a row; undefined where prices are not compared. */
  of({ subject, asked }: Pick<Row, 'subject' | 'asked'>): Price | undefined {
    const { ctx, which } = this;
    if (!this.priced) return undefined;
    const there = subject.own
      ? ctx.state
      : (subject.kept ?? withPreset(ctx.state, which, subject.id));
    return priceIn(ctx.description, this.onBasis(there), answersOf({ subject, asked }));
  }

  /** Whether the table shows prices: beside costs stand the prices that they come from. */
  areShown(columns: readonly AnswerInfo[]): boolean {
    return this.priced && columns.some(({ key }) => costs.includes(key));
  }

  /** The columns that tell a price: how much it is, whose, and of when. */
  columns({ table: { price, source, date } }: Words, shown: readonly AnswerInfo[]): PriceColumn[] {
    if (!this.areShown(shown)) return [];
    return [
      { column: priceColumn, label: price, number: true },
      { column: providerColumn, label: source, number: false },
      { column: dateColumn, label: date, number: false },
    ];
  }

  /** The same as cells of a file. */
  cells(words: Words, { price }: Row): FileCell[] {
    const [said, provider, date] = sayPrice(this.ctx, words, price);
    return [{ value: price?.value, said }, provider, { value: price?.date ?? '', said: date }];
  }

  render(words: Words, { price }: Row): TemplateResult {
    const [said, provider, date] = sayPrice(this.ctx, words, price);
    const source = sourceOf(price);
    return html`<td class="number" data-column=${priceColumn}>${said}</td>
      <td data-column=${providerColumn} title=${source?.title ?? nothing}>
        ${
          source?.url
            ? html`<a href=${source.url} rel="noreferrer" target="_blank">${provider}</a>`
            : provider
        }
      </td>
      <td data-column=${dateColumn}>${date}</td>`;
  }

  private onBasis(state: State): State {
    return this.priced ? onBasis(state, basisOf(this.ctx.state)) : state;
  }
}
