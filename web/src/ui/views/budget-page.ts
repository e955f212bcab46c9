// The view of budgets as the page has it: what asks backward loads with it.

import '../features/target/panel.ts';

export { budget } from './budget/budget.ts';
