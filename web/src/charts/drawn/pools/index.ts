// The drawing of a training by reward, made of the same marks as that of a training; it loads with its
// view.

export { PoolsDrawing } from './element.ts';
export { heightOf } from './heights.ts';
export type { SplitsData } from './splits.ts';
export {
  layPools,
  spansOf,
  type PoolsData,
  type Sharing,
  type StepTimes,
  type Task,
} from './layout.ts';
