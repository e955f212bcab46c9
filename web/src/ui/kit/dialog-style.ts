import { sheetOf } from '../../dom/sheet.ts';
import text from './dialog.css?inline';

/** What all dialogs look like. */
export const dialogStyle = sheetOf(text);
