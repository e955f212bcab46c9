// The evidence beside plans and trainings.

export { howSurePart } from './how-sure.ts';
export { ownRunPart } from './own-run.ts';
export { stepsOf, trainingSubject } from './training-subject.ts';
export { traitsOf } from './traits.ts';
