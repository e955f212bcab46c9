// The drawing of a training: pure layouts that put marks on a sheet (`training.ts` arranges them), and the
// element that shows them on the page.

export { Drawing } from './drawing.ts';
export { cardSize, layCard, type Layer, type Verdict } from './card.ts';
export { barHeight, layOnCard, layPicture, readingOf } from './picture.ts';
export { measureIn, still } from './still.ts';
export type { Step } from './figure.ts';
export type { DrawingData, DrawingWords, Reading } from './drawing-data.ts';
export type { BlockData } from './block.ts';
export type { ClusterData, Way } from './cluster.ts';
export type { Entry } from './legend.ts';
export type { Mark, Sheet } from './marks.ts';
export type { ReplicaData } from './replica.ts';
export type { RulerData, RulerItem } from './ruler.ts';
export type { StepData } from './step.ts';
export type { TankData } from './tank.ts';
export {
  heights,
  layMachines,
  layMachinesNarrow,
  layTankNarrow,
  layTime,
  layTimeNarrow,
  type MachineData,
  type TimeData,
} from './training.ts';
