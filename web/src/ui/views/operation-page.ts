// The view of operations, as the page has it.

export { operation as view } from './operation/operation.ts';
