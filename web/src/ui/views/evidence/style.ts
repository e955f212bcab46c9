import { sheetOf } from '../../../dom/sheet.ts';
import text from './evidence.css?inline';

export const style = sheetOf(text);
