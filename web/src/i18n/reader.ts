import { recall } from '../dom/storage.ts';

/** The languages that the reader may want, the most wanted first: by link, by choice, by browser. */
export const wishesOfReader = (): (string | null)[] => [
  new URLSearchParams(location.hash.slice(1)).get('lang'),
  recall('language'),
  ...navigator.languages,
];
