// Written by web/tools/generate.mjs from web/src/model/views.json; not to be edited.

/** Parts that are merged into the dictionary once a view that names them in views.json is opened. */
export const viewParts = ['plan', 'operation', 'explorer', 'serving', 'reward', 'budget'] as const;

/**
 * The texts that are no part of the first dictionary: keys of shared/text/*.json, each a file of its
 * own in the page, loaded when it is first needed.
 */
export const parts = [
  'plan',
  'operation',
  'explorer',
  'serving',
  'reward',
  'budget',
  'help',
  'workedExamples',
  'sources',
  'terms',
  'concepts',
  'compare',
  'sides',
  'frontier',
  'share',
  'own',
  'evidence',
  'layers',
] as const;
