import { sheetOf } from '../../dom/sheet.ts';
import text from './plan.css?inline';

/** What only the charts of a plan need. */
export const style = sheetOf(text);
