// The whole drawing of a training: the cluster, one replica of it, one chip of that, and one step. One
// function of what is told and of the width, for the page, a card and a report.

import { layCluster, type ClusterData } from './cluster.ts';
import type { Form } from './form.ts';
import { funnel, Sheet, type Frame } from './marks.ts';
import { layReplica, type ReplicaData } from './replica.ts';
import { layRuler, type RulerData } from './ruler.ts';
import { layStep, layStepNarrow, type StepData } from './step.ts';
import { layTank, layTankAside, leadInto, type TankData } from './tank.ts';
import type { Measure } from '../kit/text.ts';

/** The places of a training's machines. */
export interface MachineData {
  tank: TankData;
  /** Absent where there is one replica. */
  cluster?: ClusterData | undefined;
  /** Absent where there is one chip. */
  replica?: ReplicaData | undefined;
}

/** The time of a step, and what could hide behind its computing. */
export interface TimeData {
  step: StepData;
  ruler?: RulerData | undefined;
}

/** Heights of the drawings [px]: of the step without its ruler, too. */
export const heights = {
  wide: { machines: 330, tank: 112, step: 104, ruler: 62 },
  narrow: { tank: 122, machines: 190, step: 130, ruler: 54 },
};

/** The height of a step [px]: a chip alone has no transfers to compare. */
export const timeHeight = (form: Form, { ruler }: TimeData): number =>
  heights[form].step + (ruler ? heights[form].ruler : 0);

/** Cluster, replica and chip beside each other. */
export function layMachines(
  measure: Measure,
  width: number,
  data: MachineData,
  height = heights.wide.machines,
): Sheet {
  const sheet = new Sheet(measure);
  const { cluster, replica, tank } = data;
  if (!replica) {
    layTankAside(sheet, { x: 0, y: 0, width, height: heights.wide.tank }, tank);
    return sheet;
  }
  const tankWidth = Math.min(380, Math.max(250, width * 0.3));
  const gap = Math.min(44, width * 0.035);
  const left = width - tankWidth - gap;
  const half = { y: 0, height };
  const opened = ((): Frame => {
    if (!cluster) return layReplica(sheet, { ...half, x: 0, width: left }, replica).opened;
    const wide = left * 0.46;
    const tile = layCluster(sheet, { ...half, x: 0, width: wide }, cluster);
    const x = wide + gap;
    const { outline, opened } = layReplica(sheet, { ...half, x, width: left - x }, replica);
    sheet.path(funnel(tile, outline), 'funnel');
    return opened;
  })();
  const x = left + gap;
  leadInto(sheet, opened, layTank(sheet, { ...half, x, width: tankWidth }, tank));
  return sheet;
}

/** The step and the ruler below it. */
export function layTime(measure: Measure, width: number, { step, ruler }: TimeData): Sheet {
  const sheet = new Sheet(measure);
  const { step: height } = heights.wide;
  layStep(sheet, { x: 0, y: 0, width, height }, step);
  if (ruler) layRuler(sheet, { x: 0, y: height + 12, width, height: 50 }, ruler);
  return sheet;
}

/** The tank on its side, for narrow pages. */
export function layTankNarrow(measure: Measure, width: number, { tank }: MachineData): Sheet {
  const sheet = new Sheet(measure);
  layTankAside(sheet, { x: 0, y: 0, width, height: heights.narrow.tank }, tank);
  return sheet;
}

/** Cluster and replica side by side, for narrow pages. */
export function layMachinesNarrow(measure: Measure, width: number, data: MachineData): Sheet {
  const sheet = new Sheet(measure);
  const { cluster, replica } = data;
  if (!replica) return sheet;
  const frame = { x: 0, y: 0, width, height: heights.narrow.machines };
  if (!cluster) {
    layReplica(sheet, frame, replica);
    return sheet;
  }
  const wide = width * 0.46;
  const tile = layCluster(sheet, { ...frame, width: wide }, cluster);
  const x = wide + width * 0.06;
  const { outline } = layReplica(sheet, { ...frame, x, width: width - x }, replica);
  sheet.path(funnel(tile, outline), 'funnel');
  return sheet;
}

/** The step and the ruler, for narrow pages. */
export function layTimeNarrow(measure: Measure, width: number, { step, ruler }: TimeData): Sheet {
  const sheet = new Sheet(measure);
  const { step: height } = heights.narrow;
  layStepNarrow(sheet, { x: 0, y: 0, width, height }, step);
  if (ruler) layRuler(sheet, { x: 0, y: height + 4, width, height: 50 }, ruler);
  return sheet;
}
