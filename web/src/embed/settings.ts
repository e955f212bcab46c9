// Reads the attributes of an element.

import { chartsOf } from '../model/views.ts';
import { shownOf, type Shown } from './views.ts';

export interface Settings {
  shown: Shown;
  /** A single answer, as a word of the sentence around the element. */
  answer: string | undefined;
  /** Chip, model and state, as a link holds them. */
  link: string;
  /** Inputs that can be changed: all, those of the sentence, or those named. */
  controls: 'all' | 'sentence' | ReadonlySet<string>;
  language: string | undefined;
  /** The address of the whole calculator. */
  page: string | undefined;
}

export const attributes = [
  'chip',
  'model',
  'state',
  'view',
  'answer',
  'controls',
  'lang',
  'theme',
  'reveal',
  'page',
] as const;
export type Attribute = (typeof attributes)[number];

type Get = (name: Attribute) => string | null;

/**
 * The page that readers are led to, as `given` in a document at `base`; undefined for an address that
 * is none, or that would run something in place of leading somewhere.
 */
export function pageAt(given: string, base: string): string | undefined {
  if (!URL.canParse(given, base)) return undefined;
  const page = new URL(given, base);
  const leads = /^https?:$/.test(page.protocol);
  const beside = page.protocol === 'file:' && base.startsWith('file:');
  page.hash = '';
  return leads || beside ? page.href : undefined;
}

/** Warns of unknown values and uses the defaults instead. */
export function readSettings(
  get: Get,
  language: string | undefined,
  page: string | undefined,
  unknown: (name: Attribute, value: string) => void,
): Settings {
  const state = new URLSearchParams(get('state')?.replace(/^[#?]/, '') ?? '');
  const asked = state.get('view');
  const view = get('view');
  let shown = shownOf(view ?? asked ?? '');
  if (!shown) {
    if (view !== null && view !== '') unknown('view', view);
    shown = shownOf('training')!;
  }
  // Several questions have the same chart.
  const { chart } = shown;
  const other = shownOf(asked ?? '')?.question;
  if (chart && other && chartsOf(other).includes(chart)) shown = { ...shown, question: other };
  const links = new URLSearchParams(state);
  links.delete('view');
  links.delete('lang');
  for (const preset of ['chip', 'model'] as const) {
    const id = get(preset);
    if (id) links.set(preset, id);
  }
  links.set('view', shown.question);
  if (shown.chart) links.set('chart', shown.chart);
  return {
    shown,
    answer: get('answer') || undefined,
    link: links.toString(),
    controls: readControls(get('controls')),
    language,
    page,
  };
}

function readControls(text: string | null): Settings['controls'] {
  const names = (text ?? 'sentence').split(/[\s,]+/).filter(Boolean);
  if (names.length === 1 && (names[0] === 'all' || names[0] === 'sentence')) return names[0];
  return new Set(names.filter((name) => name !== 'none'));
}

/** Each of `themes` that an element can take; `auto` is that of the page around it. */
export const themes = ['auto', 'light', 'dark', 'system'] as const;
export const reveals = ['auto', 'interaction'] as const;
