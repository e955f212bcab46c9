// The words of fields and answers have one home in each file of shared/text/; here they part into
// what the page loads with its first view, with further views, and where help is shown.

import type { Plugin } from 'vite';
import type { Described } from '../../src/engine/described.ts';
import { describe } from '../modules.mjs';
import { readTexts } from '../texts.mjs';
import { views } from '../views.mjs';

/** The words of a field or an answer: a short name for where it stands in context, a full one if that
 *  says nothing alone, and a sentence. */
interface Entry {
  label: string;
  name?: string;
  help: string;
}

type Named = Record<string, { name: string; help: string }>;

/** The part of a file that this module divides. */
interface Home {
  fields: Record<string, Record<string, Entry>>;
  choices: Record<string, Record<string, Record<string, string>>>;
  answers: Record<string, Entry>;
  answerChoices: Record<string, Record<string, string>>;
  /** Names of the choices of bounds, whichever answers have them. */
  bounds: Record<string, string>;
  /** Names of the steps of derivations that are no answers, by the part that they come with. */
  steps: Record<string, Record<string, string>>;
  groups: Named;
  questions: Named;
}

const mapped = <A, B>(all: Record<string, A>, to: (one: A, key: string) => B): Record<string, B> =>
  Object.fromEntries(Object.entries(all).map(([key, one]) => [key, to(one, key)]));

interface Questions {
  questions: Record<string, { groups: string[]; answers: { key: string }[] }>;
}

let described: Promise<Questions> | undefined;

/** The parts that the words of each group and answer come with: `first`, or those of views. */
type Owners = Map<string, string[]>;

async function owners(): Promise<{ groups: Owners; answers: Owners }> {
  const { questions } = await (described ??= describe() as Promise<Questions>);
  const listed = views as Record<string, { texts?: string[] }>;
  /** The first of a view's texts has the words of its question. */
  const partOf = (question: string): string => listed[question]!.texts?.[0] ?? 'first';
  const groups: Owners = new Map();
  const answers: Owners = new Map();
  const names = Object.keys(listed);
  const lazy = (question: string): boolean => partOf(question) !== 'first';
  // What a question of the first view has is there already when others load.
  for (const question of names.sort((one, other) => Number(lazy(one)) - Number(lazy(other)))) {
    const part = partOf(question);
    const add = (to: Owners, key: string): void => {
      const parts = to.get(key) ?? [];
      if (!parts.includes('first') && !parts.includes(part)) to.set(key, [...parts, part]);
    };
    questions[question]!.groups.forEach((group) => add(groups, group));
    questions[question]!.answers.forEach(({ key }) => add(answers, key));
  }
  return { groups, answers };
}

/** The texts of a language with the words of fields and answers in the parts that load. */
export async function inParts(texts: Record<string, object>): Promise<Record<string, object>> {
  const of = await owners();
  const {
    fields,
    choices,
    answers,
    answerChoices,
    steps,
    groups: _,
    questions: __,
    ...others
  } = texts as unknown as Home & Record<string, object>;
  const within = <T>(all: Record<string, T>, owner: Owners, part: string) =>
    Object.fromEntries(
      Object.entries(all).filter(([key]) => (owner.get(key) ?? ['first']).includes(part)),
    );
  const label = ({ label }: { label: string }): { label: string } => ({ label });
  const wordsOf = (part: string): object => ({
    fields: mapped(within(fields, of.groups, part), (group) => mapped(group, label)),
    choices: within(choices, of.groups, part),
    answers: {
      ...mapped(within(answers, of.answers, part), label),
      ...mapped(steps[part] ?? {}, (name) => ({ label: name })),
    },
    answerChoices: within(answerChoices, of.answers, part),
  });
  const lazy = new Set([...of.groups.values(), ...of.answers.values()].flat());
  lazy.delete('first');
  return {
    ...others,
    ...wordsOf('first'),
    ...Object.fromEntries([...lazy].map((part) => [part, { ...others[part], ...wordsOf(part) }])),
    help: mapped(fields, (group) => mapped(group, ({ help }) => help)),
    // Sentences of answers come with the titles of sources: a derivation begins with one.
    sources: { ...others['sources'], answers: mapped(answers, ({ help }) => help) },
  };
}

/** `virtual:words`: names and sentences of all that is described, by language. */
export function words(folder: string): Plugin {
  const id = 'virtual:words';
  const named = ({ label, name = label, help }: Entry): Described => ({ name, sentence: help });
  const whole = ({ name, help }: Named[string]): Described => ({ name, sentence: help });
  return {
    name: 'words',
    resolveId: (asked) => (asked === id ? id : null),
    load(asked) {
      if (asked !== id) return null;
      const all = mapped(readTexts(folder) as Record<string, Home>, (texts) => ({
        fields: mapped(texts.fields, (group) => mapped(group, named)),
        answers: mapped(texts.answers, named),
        choices: texts.choices,
        answerChoices: texts.answerChoices,
        bounds: texts.bounds,
        groups: mapped(texts.groups, whole),
        questions: mapped(texts.questions, whole),
      }));
      // Parsed when it is first asked for: it is long, and most callers never ask.
      return `export default ${JSON.stringify(mapped(all, (one) => JSON.stringify(one)))};`;
    },
  };
}
