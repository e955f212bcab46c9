/**
 * The texts that are no part of the first dictionary: keys of shared/text/*.json, each a file of its
 * own in the page, loaded when it is first needed.
 */
export const parts = ['plan', 'worked', 'terms', 'compare', 'share', 'own'] as const;
