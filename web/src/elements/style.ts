import { sheetOf } from '../sheet.ts';
import text from './style.css?inline';

export const style = sheetOf(text);
