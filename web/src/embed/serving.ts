// embed-serving.js: the view of serving.

import { serving } from '../ui/views/serving/serving.ts';
import { defineServing, Serving } from './serving-view.ts';

defineServing('serving', serving, Serving);
