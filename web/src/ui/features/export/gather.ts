// The page's state as formats take it.

import { data, version } from 'virtual:version';
import type { Line, Shared, Words } from '../../../export/shared.ts';
import { writeAddress } from '../../../link/address.ts';
import { evaluate, inputsOf } from '../../../model/evaluate.ts';
import type { FieldValue } from '../../../engine/index.ts';
import type { FieldId } from '../../../model/fields.ts';
import { spokenUnit } from '../../../model/presentation.ts';
import { tagOf } from '../../../i18n/language.ts';
import { questionFields, questionText } from '../../parts/question/question.ts';
import { Results } from '../../kit/results.ts';
import type { RenderContext } from '../../kit/render-context.ts';
import { viewOf } from '../../parts/view.ts';

/** Everything but where the calculator lies; no answers where the input has a mistake, and none of a
 * page that asks no question. */
export function gather(ctx: RenderContext, words: Words): Omit<Shared, 'address'> {
  const { state, text } = ctx;
  const { page } = state;
  const told = page
    ? { question: text.ui.views[page], given: [], headlineAnswers: [], inputs: [], answers: [] }
    : toldOf(ctx);
  return {
    link: writeAddress(ctx.description, state),
    language: tagOf(ctx.language),
    name: text.ui.title,
    ...told,
    version,
    data,
    date: new Date().toISOString().slice(0, 10),
    words,
  };
}

function toldOf(
  ctx: RenderContext,
): Pick<Shared, 'question' | 'given' | 'headlineAnswers' | 'inputs' | 'answers'> {
  const { engine, state } = ctx;
  const reply = evaluate(engine, state);
  const answers = reply.ok ? reply.answers : {};
  const results = new Results(ctx, answers, new Map(), false, false);
  const answer = (key: string, label = ctx.answer(key).label): Line => ({
    key,
    label,
    said: results.say(key),
    value: ctx.hides(key) ? null : (results.number(key) ?? (results.choice(key) || null)),
    unit: results.unit(key),
  });
  const input = (id: FieldId, value: FieldValue): Line => ({
    key: id,
    label: ctx.label(id),
    // What a plan gives has digits that nobody entered.
    said:
      typeof value === 'number' && value !== ctx.value(id)
        ? ctx.format.say(value, spokenUnit(ctx.info(id)))
        : ctx.say(id, value),
    value,
    unit: ctx.info(id).unit,
  });
  const there = (key: string): boolean =>
    Object.hasOwn(answers, key) && results.absence(key) !== 'notApplicable';
  const inputs = Object.entries(inputsOf(engine, state)).flatMap(([group, fields]) =>
    Object.entries(fields).map(([key, value]) => input(`${group}.${key}` as FieldId, value)),
  );
  const asked = new Set<string>(questionFields(ctx));
  return {
    question: questionText(ctx),
    given: inputs.filter(
      ({ key }) => !asked.has(key) && ctx.edited(key as FieldId) && ctx.applies(key as FieldId),
    ),
    headlineAnswers: reply.ok
      ? viewOf(ctx)
          .rows(ctx, results)
          .filter(({ key }) => there(key))
          .map(({ key, title }) => ({ ...answer(key, title), range: results.sayRange(key) }))
      : [],
    inputs,
    answers: results.keys.filter(there).map((key) => answer(key)),
  };
}
