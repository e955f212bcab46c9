// The drawing of a training by reward, made of the same marks as that of a training; it loads with its
// view.

export { PoolsDrawing } from './element.ts';
export { heightOf, splitsHeight } from './heights.ts';
export { laySplits, type SplitsData } from './splits.ts';
export {
  layPools,
  spansOf,
  type PoolsData,
  type Sharing,
  type StepTimes,
  type Task,
} from './layout.ts';
