import { adopt, sheetOf } from '../../../dom/sheet.ts';
import text from './compare.css?inline';

const style = sheetOf(text);

/** Gives the tree that an element renders into what comparisons look like. */
export const adoptStyle = (element: Element): void => adopt(element.getRootNode(), style);
