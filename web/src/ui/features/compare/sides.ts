// Side by side, as the page loads it on first use.

import { define } from '../../../dom/define.ts';
import { SideBySide } from './sides-part.ts';

define('scaling-sides', SideBySide);
