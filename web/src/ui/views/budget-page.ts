// The view of budgets as the page has it: what asks backward loads with it.

import '../features/target/panel.ts';
import './plan-targets.ts';
import './serving-targets.ts';

export { budget } from './budget/budget.ts';
