// The texts that each script of the element needs: readers load all languages of it at once.

import type { Plugin } from 'vite';
import type { Bundle } from '../src/model/views.ts';
import { describeModule } from './modules.mjs';
import { readTexts } from './texts.mjs';
import { bundles, views } from './views.mjs';

type Texts = Record<string, Record<string, unknown>>;

interface Described {
  groups: Record<string, { key: string; topic: string }[]>;
  questions: Record<string, { answers: { key: string }[] }>;
}

/** Texts of other questions than training. */
const elsewhere: Readonly<Record<string, RegExp>> = {
  sentence: /^(?!(training|inSlices)$)/,
  summary: /^operation|^collective/,
  says: /^(operationBound|lowerBound|fractionOf|critical|flops|networkTime|networkNone|strategy|tile|attention|collective|bytesSent|expected|effective|levels|movesOnly|domainUsed|predictMfu)/,
  by: /^(overlap|criticalBatch|collective|strategy|tile|flash)$/,
  welcome: /./,
  report: /./,
  panels: /^(operation|mesh|collective|network)$/,
  offers: /./,
  ui: /^(choiceGroups|views|questions|examples|about|privacy|version|newVersion|reload|use|keep|keepNow|sides|prices|basis|all|skip|seeking|target|language|title|linkProblems?|linkMeant|andMore|dismiss|themes?)$/,
  issues:
    /^(keysBelowQueries|noExperts|noSuchLayers|tileTooLarge|operandsTooLarge|distanceBeyondAxis|moreChipsThan(Axis|Rows)|idleInDomains|vectorWorkNotCounted|rateNotListed|levelNotListed)$/,
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
  const entries: { bundle: string; texts?: string[]; sides?: string }[] = Object.values(views);
  const ofBundle = entries.filter((view) => view.bundle === bundle);
  // A mistake in a link may name any figure; only panels explain them.
  const unexplained = bundle === 'training' ? await figuresBesideTraining() : new Set<string>();
  const only = (part: object = {}, keep: (key: string) => boolean): Record<string, unknown> =>
    Object.fromEntries(Object.entries(part).filter(([key]) => keep(key)));
  return {
    parts: [
      ...ofBundle.flatMap(({ texts: parts = [] }) => parts),
      ...(ofBundle.some(({ sides }) => sides === 'embedded') ? ['sides', 'compare'] : []),
    ],
    keep(first: object): object {
      const texts = { ...(first as Texts) };
      for (const part of ['fields', 'choices']) {
        texts[part] = only(texts[part], (group) => group in groups);
      }
      const chip = Object.entries((texts.fields?.chip ?? {}) as Record<string, { label: string }>);
      texts.choices!.chip = only(texts.choices!.chip as object, (key) => !unexplained.has(key));
      texts.fields!.chip = Object.fromEntries(
        chip.map(([key, words]) => [key, unexplained.has(key) ? { label: words.label } : words]),
      );
      texts.answers = only(texts.answers, (key) => answers.has(key));
      texts.answerChoices = only(texts.answerChoices, (key) => answers.has(key));
      if (bundle === 'training') {
        for (const [part, others] of Object.entries(elsewhere)) {
          texts[part] = only(texts[part], (key) => !others.test(key));
        }
        // Beside the fields that they set, the page has room to say what each is made of.
        texts.optimizers = Object.fromEntries(
          Object.entries(texts.optimizers!).map(([id, words]) => [
            id,
            { name: (words as { name: string }).name },
          ]),
        );
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
