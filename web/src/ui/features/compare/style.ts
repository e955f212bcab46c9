import { sheetOf } from '../../../dom/sheet.ts';
import text from './compare.css?inline';

/** The style of comparisons. */
export const style = sheetOf(text);
