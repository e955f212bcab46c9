import type { PartTexts } from '../../../i18n/dictionary.ts';

export type Words = PartTexts<'compare'>;
