// The module that holds the constants of measured kernels.

import start from '@core/kernels.js';
import packed from '@core/kernels.wasm?packed';
import type { Core } from './core.ts';
import { started } from './unpack.ts';

/** The calls that it answers in the core's place, with the expected time. */
export type Kernels = Pick<
  Core,
  | 'input'
  | 'axis'
  | 'estimateOperation'
  | 'estimateCollective'
  | 'sweepOperation'
  | 'sweepCollective'
  | 'mapOperation'
  | 'mapCollective'
>;

export async function startKernels(): Promise<Kernels> {
  return (await started(start, packed)) as Kernels;
}
