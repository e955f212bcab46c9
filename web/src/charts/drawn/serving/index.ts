// The drawing of servers, made of the same marks as that of a training; it loads with its view.

export { ServingDrawing } from './element.ts';
export type { FrontierData } from './frontier.ts';
export type { InstancesData, Named, Role } from './instances.ts';
export type { LensData, LifeData } from './life.ts';
export { layServingOnCard, layServingOnPaper, paperHeight } from './picture.ts';
export type { Met } from '../step.ts';
export type { ServingDrawingData } from './layout.ts';
