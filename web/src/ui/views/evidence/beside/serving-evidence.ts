// The evidence beside servers.

export { howSurePart } from './how-sure.ts';
export { ownRunPart } from './own-run.ts';
export { servingCollection } from '../runs/serving-collection.ts';
export { servingSubject, traitsOfServing } from './serving-subject.ts';
