// The evidence beside servers.

import './how-sure.ts';
import './own-run.ts';

export { servingCollection } from '../runs/serving-collection.ts';
export { servingSubject, traitsOfServing } from './serving-subject.ts';
