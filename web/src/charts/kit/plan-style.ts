import { sheetOf } from '../../dom/sheet.ts';
import text from './plan.css?inline';

/** Styles that only the charts of a plan need. */
export const style = sheetOf(text);
