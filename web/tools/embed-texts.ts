// The texts that each script of the element needs: readers load all languages of it at once.

import type { Plugin } from 'vite';
import type { Bundle } from '../src/model/views.ts';
import { describeModule } from './modules.mjs';
import { readTexts } from './texts.mjs';
import { bundles, isBesideOnly, views, viewsIn } from './views.mjs';

type Texts = Record<string, Record<string, unknown>>;

interface Described {
  groups: Record<string, { key: string; topic: string; rank: string }[]>;
  questions: Record<string, { answers: { key: string }[] }>;
}

/** Texts of the page's frame, which an element does without. */
const ofFrame =
  'views|questions|examples|about|privacy|version|newVersion|reload|use|keep|keepNow|all|skip|target|language|title|themes?';

/** Texts of other questions than serving. */
const besideServing: Readonly<Record<string, RegExp>> = {
  sentence: /^(training|operation|collective|inSlices|joined)$/,
  summary: /^(training|operation|collective)/,
  offers: /./,
  says: /^(?!cost|energy)/,
  by: /^(?!formats$)/,
  welcome: /./,
  report: /./,
  ui: new RegExp(`^(${ofFrame})$`),
};

/** Texts of other questions than training. */
const besideTraining: Readonly<Record<string, RegExp>> = {
  sentence: /^(?!(training|inSlices)$)/,
  summary: /^operation|^collective/,
  says: /^(operationBound|lowerBound|fractionOf|critical|flops|networkTime|networkNone|strategy|tile|attention|collective|bytesSent|expected|effective|levels|movesOnly|domainUsed|predictMfu)/,
  by: /^(overlap|criticalBatch|collective|strategy|tile|flash)$/,
  welcome: /./,
  report: /./,
  panels: /^(operation|mesh|collective|network)$/,
  offers: /./,
  ui: new RegExp(
    `^(${ofFrame}|choiceGroups|sides|prices|basis|seeking|linkProblems?|linkMeant|andMore|dismiss)$`,
  ),
  issues:
    /^(keysBelowQueries|noExperts|noSuchLayers|tileTooLarge|operandsTooLarge|distanceBeyondAxis|moreChipsThan(Axis|Rows)|idleInDomains|vectorWorkNotCounted|rateNotListed|levelNotListed)$/,
};

/** Texts of the charts of one answer, by their part: sides have a chart of their own. */
const ofCharts: Readonly<Record<string, Readonly<Record<string, RegExp>>>> = {
  explorer: { charts: /^(?!words$)/, holdings: /./ },
  serving: { served: /^(frontier|parts|prefill|cacheOver|context)$/ },
};

/** Texts that a script leaves out, by its module: the questions that this answers need none of them. */
const elsewhere: Readonly<Record<string, Readonly<Record<string, RegExp>>>> = {
  training: besideTraining,
  serving: besideServing,
};

/** The description that a script's module gives of itself. */
const describe = (bundle: Bundle): Promise<Described> => describeModule(bundles[bundle].module);

/** The fields of a chip that no answer of the view of training rests on. */
export async function figuresBesideTraining(): Promise<ReadonlySet<string>> {
  const { groups } = await describe('training');
  const { chip: topics } = views.training.topics;
  return new Set(groups.chip!.filter(({ topic }) => !topics.includes(topic)).map(({ key }) => key));
}

/** Keeps of the first dictionary what a module's own questions say. */
export async function embedTexts(bundle: Bundle) {
  const { groups, questions } = await describe(bundle);
  const answers = new Set(
    Object.values(questions).flatMap((question) => question.answers.map(({ key }) => key)),
  );
  const ofBundle: { texts?: string[]; sides?: string }[] = viewsIn(bundle);
  // A mistake in a link may name any figure; only panels explain them.
  const unexplained = bundle === 'training' ? await figuresBesideTraining() : new Set<string>();
  const only = (part: object = {}, keep: (key: string) => boolean): Record<string, unknown> =>
    Object.fromEntries(Object.entries(part).filter(([key]) => keep(key)));
  const without = (texts: object, left: Readonly<Record<string, RegExp>> = {}): Texts => {
    const kept = { ...(texts as Texts) };
    for (const [part, others] of Object.entries(left)) {
      kept[part] = only(kept[part], (key) => !others.test(key));
    }
    return kept;
  };
  /** The sentences of fields, but of those that few readers change. */
  const helpOf = (help: Texts): Texts =>
    Object.fromEntries(
      Object.entries(groups).map(([group, fields]) => {
        const kept = fields.filter(({ key, rank }) => rank !== 'rare' && !unexplained.has(key));
        return [group, only(help[group], (key) => kept.some((field) => field.key === key))];
      }),
    );
  return {
    parts: [
      'help',
      ...ofBundle.flatMap(({ texts: parts = [] }) => parts),
      ...(ofBundle.some(({ sides }) => sides === bundle) ? ['sides', 'compare'] : []),
    ],
    keepOf: (part: string, texts: object): object =>
      part === 'help'
        ? helpOf(texts as Texts)
        : isBesideOnly(bundle)
          ? without(texts, ofCharts[part])
          : texts,
    keep(first: object): object {
      const left = elsewhere[bundles[bundle].module];
      const texts = without(first, left);
      for (const part of ['fields', 'choices']) {
        texts[part] = only(texts[part], (group) => group in groups);
      }
      texts.choices!.chip = only(texts.choices!.chip as object, (key) => !unexplained.has(key));
      texts.answers = only(texts.answers, (key) => answers.has(key));
      texts.answerChoices = only(texts.answerChoices, (key) => answers.has(key));
      if (left) {
        // Beside the fields that they set, the page has room to say what each is made of.
        texts.optimizers = Object.fromEntries(
          Object.entries(texts.optimizers!).map(([id, words]) => [
            id,
            { name: (words as { name: string }).name },
          ]),
        );
      }
      if (bundle === 'training') {
        // Only the page keeps texts for later.
        texts.ui!.own = only(texts.ui!.own as object, (key) => !key.startsWith('open'));
      }
      // Worked questions are the page's.
      texts.examples = { notes: {}, guessFirst: '' };
      return texts;
    },
  };
}

/** `virtual:source-titles`: what the sources of rules are called, by language. */
export function sourceTitles(folder: string): Plugin {
  const id = 'virtual:source-titles';
  return {
    name: 'source-titles',
    resolveId: (asked) => (asked === id ? id : null),
    load(asked) {
      if (asked !== id) return null;
      const titles = Object.entries(readTexts(folder)).map(([name, all]) => [name, all.sources]);
      return `export default ${JSON.stringify(Object.fromEntries(titles))};`;
    },
  };
}
