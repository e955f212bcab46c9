// The evidence beside plans and trainings.

import './how-sure.ts';
import './own-run.ts';

export { training } from '../runs/training-collection.ts';
export { trainingSubject } from './training-subject.ts';
export { traitsOf } from './traits.ts';
