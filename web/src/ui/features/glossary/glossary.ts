// The terms and their meanings, from the part `terms` of the texts.

import { html } from 'lit';
import { define } from '../../../dom/define.ts';
import { bare } from '../../../engine/bare.ts';
import { partOf } from '../../../i18n/dictionary.ts';
import { writeAddress } from '../../../link/address.ts';
import { withView } from '../../../model/state.ts';
import type { RenderContext } from '../../kit/render-context.ts';
import type { Mark } from '../../kit/features.ts';
import { Words, wordsOf, type Term } from './words.ts';
import { TermMark } from './term-mark.ts';
import type { More } from './tip.ts';

interface Glossary {
  terms: Record<string, Term>;
  words: Words;
}

const glossaries = new WeakMap<object, Glossary>();

function glossaryOf({ language, actions }: RenderContext): Glossary | undefined {
  const terms = partOf(language, 'terms').use(actions);
  if (!terms) return undefined;
  let glossary = glossaries.get(terms);
  if (!glossary) {
    glossary = { terms, words: new Words(wordsOf(terms)) };
    glossaries.set(terms, glossary);
  }
  return glossary;
}

/** The terms that each section has had, by the drawing that it is part of. */
const drawn = new WeakMap<object, Map<string, Set<string>>>();

function hadIn(drawing: object, section: string): Set<string> {
  const sections = drawn.get(drawing) ?? new Map<string, Set<string>>();
  drawn.set(drawing, sections);
  const had = sections.get(section) ?? new Set();
  sections.set(section, had);
  return had;
}

/** The way to a term in the index, from the state that the reader has at the time. */
function moreOf(
  { actions, description, present: { state }, text }: RenderContext,
  key: string,
): More {
  const there = withView({ ...state, charts: bare({ ...state.charts, concept: key }) }, 'concepts');
  return {
    label: text.ui.views.concepts,
    link: `#${writeAddress(description, there)}`,
    go: () => actions.go(there),
  };
}

export const mark: Mark<RenderContext> = (ctx, text, section, drawing = ctx) => {
  const glossary = glossaryOf(ctx);
  if (!glossary) return text;
  define('scaling-term', TermMark);
  const had = hadIn(drawing, section);
  return glossary.words.part(text).map((piece, index) => {
    const key = index % 2 === 1 ? glossary.words.keys.get(piece.toLowerCase())! : '';
    if (!key || had.has(key)) return piece;
    had.add(key);
    const id = `term-${section}-${key}`.replaceAll(' ', '-');
    const { says } = glossary.terms[key]!;
    const more = (): More => moreOf(ctx, key);
    // No space stands between the elements: the words around go on.
    return html`<scaling-term
        role="button"
        tabindex="0"
        aria-describedby=${id}
        .says=${says}
        .more=${more}
        >${piece}</scaling-term
      ><span id=${id} hidden>${says}</span>`;
  });
};
