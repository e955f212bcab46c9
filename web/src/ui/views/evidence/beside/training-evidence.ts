// The evidence beside plans and trainings.

export { howSurePart } from './how-sure.ts';
export { ownRunPart } from './own-run.ts';
export { training } from '../runs/training-collection.ts';
export { trainingSubject } from './training-subject.ts';
export { traitsOf } from './traits.ts';
