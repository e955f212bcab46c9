// The whole drawing of servers: users and instances, one chip of them, one request, and the frontier. One
// function of what is told and of the width, for the page, a card and a report.

import type { Measure } from '../../kit/text.ts';
import type { FigureData } from '../figure.ts';
import { Sheet } from '../marks.ts';
import type { Told } from '../reading.ts';
import { layTank, layTankAside, leadInto, type TankData } from '../tank.ts';
import { heights as ofTraining } from '../training.ts';
import { layFrontier, type FrontierData } from './frontier.ts';
import { layInstances, type InstancesData } from './instances.ts';
import { layLife, lifeHeights, type LifeData } from './life.ts';

export interface ServingDrawingData extends FigureData {
  /** What it tells besides its pieces, for those who can't see it. */
  told: readonly Told[];
  tank: TankData;
  instances: InstancesData;
  /** Absent where no answer comes. */
  life?: LifeData | undefined;
  frontier?: FrontierData | undefined;
}

/** Above a request [px]. */
const above = 14;
/** Heights of the drawings [px], which are the same whatever they show. */
export const heights = {
  wide: { machines: 290, life: above + lifeHeights.wide },
  narrow: { tank: ofTraining.narrow.tank, machines: 240, life: above + lifeHeights.narrow },
};

/** Users, instances and chip beside each other. */
export function layServers(
  measure: Measure,
  width: number,
  { instances, tank }: ServingDrawingData,
  height = heights.wide.machines,
): Sheet {
  const sheet = new Sheet(measure);
  const tankWidth = Math.min(340, Math.max(250, width * 0.29));
  const gap = Math.min(44, width * 0.035);
  const left = width - tankWidth - gap;
  const half = { y: 0, height };
  const opened = layInstances(sheet, { ...half, x: 0, width: left }, instances);
  const x = left + gap;
  leadInto(sheet, opened, layTank(sheet, { ...half, x, width: tankWidth }, tank));
  return sheet;
}

/** A request, and beside it the frontier once that is known; its place is kept. */
export function layRequest(
  measure: Measure,
  width: number,
  { life, frontier }: ServingDrawingData,
  height = heights.wide.life,
): Sheet {
  const sheet = new Sheet(measure);
  if (!life) return sheet;
  const small = Math.min(260, width * 0.24);
  const left = width - small - Math.min(40, width * 0.04);
  const half = { y: above, height: height - above };
  layLife(sheet, { ...half, x: 0, width: left }, life, 'wide');
  if (frontier) layFrontier(sheet, { ...half, x: width - small, width: small }, frontier);
  return sheet;
}

/** Only how long a request takes, where there is no room for what it goes to. */
export function layRequestBrief(
  measure: Measure,
  width: number,
  { life }: ServingDrawingData,
): Sheet {
  const sheet = new Sheet(measure);
  if (life) layLife(sheet, { x: 0, y: 0, width, height: lifeHeights.axis }, life, 'axis');
  return sheet;
}

export function layServersNarrow(
  measure: Measure,
  width: number,
  { instances }: ServingDrawingData,
): Sheet {
  const sheet = new Sheet(measure);
  layInstances(sheet, { x: 0, y: 0, width, height: heights.narrow.machines }, instances);
  return sheet;
}

export function layTankNarrow(
  measure: Measure,
  width: number,
  { tank }: ServingDrawingData,
): Sheet {
  const sheet = new Sheet(measure);
  layTankAside(sheet, { x: 0, y: 0, width, height: heights.narrow.tank }, tank);
  return sheet;
}

export function layRequestNarrow(
  measure: Measure,
  width: number,
  { life }: ServingDrawingData,
): Sheet {
  const sheet = new Sheet(measure);
  const frame = { x: 0, y: above, width, height: heights.narrow.life - above };
  if (life) layLife(sheet, frame, life, 'narrow');
  return sheet;
}
