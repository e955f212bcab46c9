// The view of collectives, as the page has it.

export { collective as view } from './collective/collective.ts';
