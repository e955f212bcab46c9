// The sides, as files.

import type { AnswerInfo } from '../../../../engine/index.ts';
import type { PartTexts } from '../../../../i18n/dictionary.ts';
import type { RenderContext } from '../../../kit/render-context.ts';
import type { Asked } from '../asking.ts';
import { sayDivision } from '../division.ts';
import { sayAnswer } from '../table/columns.ts';
import { priceIn, sayPrice } from '../prices.ts';
import { sayChips, sayReason } from './words.ts';
import { factsOf, timeAndCost } from './facts.ts';
import { alone, type Side } from './rows.ts';
import { asked, type FileCell, type FileTable } from '../table-files.ts';
import { bandOf } from '../../../parts/band.ts';
import type { Words } from '../words.ts';

/** `of`: what was answered to each; `difference`: by what it differs from the first, in words. */
export function sidesTable(
  ctx: RenderContext,
  words: PartTexts<'sides'>,
  common: Words,
  sides: readonly Side[],
  of: (id: string) => Asked | undefined,
  difference: (index: number, info: AnswerInfo) => string,
): FileTable {
  const { question, answer } = common.table.groups;
  const facts = factsOf(ctx);
  const [times, costs] = timeAndCost(ctx);
  return {
    columns: [
      { group: question, label: common.table.name },
      { group: question, label: common.table.sentence, long: true },
      { group: question, label: common.table.link, long: true },
      { group: question, label: words.layout },
      {
        group: question,
        label: common.table.price,
        number: true,
        unit: ctx.info('chip.price').unit,
      },
      { group: question, label: common.table.source },
      { group: question, label: common.table.date },
      ...facts.flatMap(({ key, info, hasBand }) => {
        const { label } = ctx.answer(key);
        const column = { group: answer, unit: info.unit, number: info.kind === 'number' };
        return [
          { ...column, label },
          ...(hasBand
            ? [
                { ...column, label: ctx.fill(words.low, { answer: label }), long: true },
                { ...column, label: ctx.fill(words.high, { answer: label }), long: true },
              ]
            : []),
        ];
      }),
      ...[times, costs].map((key) => ({
        group: answer,
        label: ctx.fill(words.differs, { answer: ctx.answer(key).label }),
      })),
    ],
    rows: sides.map((side, index): FileCell[] => {
      const found = of(side.id);
      const answers = found?.reply?.ok ? found.reply.answers : undefined;
      const state = found?.state ?? side.state();
      const price = priceIn(ctx.description, state, answers);
      const [said, provider, date] = sayPrice(ctx, common, price);
      const cells = facts.flatMap(({ key, info, hasBand }): FileCell[] => {
        const value = answers?.[key];
        const text = sayAnswer(ctx, info, value);
        const cell: FileCell = typeof value === 'number' ? { value, said: text } : text;
        const ends = answers && bandOf(ctx, key, answers);
        return [cell, ...(hasBand ? [ends?.[0], ends?.[1]] : [])];
      });
      return [
        side.name,
        ...asked(ctx, alone(ctx, state)),
        found && answers
          ? [sayChips(ctx, words, found), sayDivision(ctx, common, state, answers)]
              .filter(Boolean)
              .join(common.between)
          : found
            ? sayReason(ctx, common, found)
            : '',
        { value: price?.value, said },
        provider,
        { value: price?.date ?? '', said: date },
        ...cells,
        ...[times, costs].map((key) => {
          const info = facts.find((fact) => fact.key === key)?.info;
          return info ? difference(index, info) : '';
        }),
      ];
    }),
  };
}
