// Side by side, as the page loads it on first use.

import { define } from '../../../../dom/define.ts';
import { SideBySide } from './side-by-side.ts';

define('scaling-sides', SideBySide);
