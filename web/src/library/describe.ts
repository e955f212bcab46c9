// The engine's description in the words of a language, with the presets that fill its groups.

import all from 'virtual:words';
import type { Described, WholeDescription } from '../engine/described.ts';
import type { Description, GroupName, QuestionName } from '../engine/index.ts';
import { chipEntries, modelEntries } from '../model/presets.ts';
import { servers } from '../model/servers.ts';
import { stacks } from '../model/stacks.ts';

/** The words of a language. */
interface Words {
  fields: Record<string, Record<string, Described>>;
  answers: Record<string, Described>;
  choices: Record<string, Record<string, Record<string, string>>>;
  answerChoices: Record<string, Record<string, string>>;
  bounds: Record<string, string>;
  groups: Record<GroupName, Described>;
  questions: Record<QuestionName, Described>;
}

const named = ({ id, name }: { id: string; name: string }): { id: string; name: string } => ({
  id,
  name,
});
const isNamed = ({ name }: { name: string }): boolean => name !== '';

const mapped = <K extends string, A, B>(from: Record<K, A>, to: (one: A, key: K) => B) =>
  Object.fromEntries(
    (Object.entries(from) as [K, A][]).map(([key, one]) => [key, to(one, key)]),
  ) as Record<K, B>;

const said = (choices: readonly string[], words: Record<string, string> = {}): string[] =>
  choices.map((choice) => words[choice] ?? choice);

/** Throws a RangeError for a language without words. */
export function inWords(description: Description, language = 'en'): WholeDescription {
  if (!Object.hasOwn(all, language)) {
    throw new RangeError(`no words in ${language}; there are: ${Object.keys(all).join(', ')}`);
  }
  const words = JSON.parse(all[language]!) as Words;
  return {
    ...description,
    groups: mapped(description.groups, (fields, group) =>
      fields.map((field) => ({
        ...field,
        ...words.fields[group]![field.key]!,
        choiceNames: said(field.choices, words.choices[group]?.[field.key]),
      })),
    ),
    groupWords: words.groups,
    questions: mapped(description.questions, (question, key) => ({
      ...question,
      ...words.questions[key],
      answers: question.answers.map((answer) => ({
        ...answer,
        ...words.answers[answer.key]!,
        choiceNames: said(answer.choices, words.answerChoices[answer.key] ?? words.bounds),
      })),
    })),
    presets: {
      chip: chipEntries.map(named),
      model: modelEntries.map(named),
      stack: stacks.filter(isNamed).map(named),
      server: servers.filter(isNamed).map(named),
    },
  };
}
