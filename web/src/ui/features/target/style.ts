import { sheetOf } from '../../../dom/sheet.ts';
import text from './target.css?inline';

/** The style of targets. */
export const style = sheetOf(text);
