// The page's state as formats take it.

import { data, version } from 'virtual:version';
import type { Line, Shared, Words } from '../../../export/shared.ts';
import { writeAddress } from '../../../link/address.ts';
import { evaluate, inputsOf } from '../../../model/evaluate.ts';
import type { FieldId } from '../../../model/fields.ts';
import { tagOf } from '../../../i18n/language.ts';
import { isHidden } from '../../parts/answers/quiz.ts';
import { questionFields, questionText } from '../../parts/question/question.ts';
import { Results } from '../../parts/answers/results.ts';
import type { Scope } from '../../kit/scope.ts';
import { viewOf } from '../../parts/view.ts';

/** Everything but where the calculator lies; no answers where the input has a mistake. */
export function gather(scope: Scope, words: Words): Omit<Shared, 'address'> {
  const { engine, state, description, text } = scope;
  const reply = evaluate(engine, state);
  const answers = reply.ok ? reply.answers : {};
  const results = new Results(scope, answers, new Map(), false, false);
  const answer = (key: string, label = scope.answer(key).label): Line => ({
    key,
    label,
    said: results.say(key),
    value: isHidden(scope, key) ? null : (results.number(key) ?? (results.choice(key) || null)),
    unit: results.unit(key),
  });
  const input = (id: FieldId): Line => ({
    key: id,
    label: scope.label(id),
    said: scope.say(id, scope.value(id)),
    value: scope.value(id),
    unit: scope.info(id).unit,
  });
  const there = (key: string): boolean =>
    key in answers && results.absence(key) !== 'notApplicable';
  const inputs = Object.entries(inputsOf(engine, state)).flatMap(([group, fields]) =>
    Object.keys(fields).map((key) => input(`${group}.${key}` as FieldId)),
  );
  const asked = new Set<string>(questionFields(scope));
  return {
    link: writeAddress(description, state),
    language: tagOf(scope.language),
    name: text.ui.title,
    question: questionText(scope),
    given: inputs.filter(
      ({ key }) => !asked.has(key) && scope.edited(key as FieldId) && scope.applies(key as FieldId),
    ),
    told: reply.ok
      ? viewOf(scope)
          .rows(scope, results)
          .filter(({ key }) => there(key))
          .map(({ key, title }) => answer(key, title))
      : [],
    inputs,
    answers: results.keys.filter(there).map((key) => answer(key)),
    version,
    data,
    date: new Date().toISOString().slice(0, 10),
    words,
  };
}
