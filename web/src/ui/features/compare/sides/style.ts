import { sheetOf } from '../../../../dom/sheet.ts';
import text from './sides.css?inline';

/** The style of what stands side by side. */
export const sidesStyle = sheetOf(text);
