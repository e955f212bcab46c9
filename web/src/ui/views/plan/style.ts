import { sheetOf } from '../../../dom/sheet.ts';
import text from './plan.css?inline';

export const style = sheetOf(text);
