import { sheetOf } from '../../dom/sheet.ts';
import text from './style.css?inline';

export const style = sheetOf(text);
