// The drawing of a collective, made of the same marks as that of a training; it loads with its view.

export { CollectiveDrawing } from './element.ts';
export { heightOf, layCollective, type CollectiveData } from './layout.ts';
export type { LinkSet, Use } from './links.ts';
export type { SwitchesData } from './switches.ts';
export type { TorusAxis, TorusData } from './torus.ts';
