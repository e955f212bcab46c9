// The drawing of one operation, made of the same marks as that of a training; it loads with its view.

export { RaceDrawing } from './element.ts';
export { heights, layRace, type RaceData, type Racer } from './layout.ts';
