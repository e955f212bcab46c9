import { sheetOf } from '../../dom/sheet.ts';
import text from './dialog.css?inline';
import textArea from './text-area.css?inline';

/** The style of all dialogs. */
export const dialogStyle = sheetOf(text + textArea);
