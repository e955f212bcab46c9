// The measured kernels, as shared/kernels.json has them.

import file from '../../../../../shared/kernels.json';
import type { KernelFacts, MeasuredKernel } from '../../../model/kernel-facts.ts';

type Row = [
  chip: string,
  format: string,
  m: number,
  n: number,
  k: number,
  milliseconds: number,
  intensity: number,
  achieved: number,
  expected: number,
];

/** The core's format in which a kernel computes. */
const formats: Readonly<Record<string, string>> = {
  bfloat16: 'bf16',
  fp8: 'fp8',
  fp8_block: 'fp8',
  nvfp4: 'fp4',
  sq: 'int8',
};

const all = (file.kernels as unknown as Row[]).map(
  ([chip, format, m, n, k, , intensity, achieved, expected]): MeasuredKernel & {
    chip: string;
  } => ({ chip, format: formats[format] ?? format, m, n, k, intensity, achieved, expected }),
);

export const facts: KernelFacts = {
  source: file.source,
  of: (chip, format) => all.filter((each) => each.chip === chip && each.format === format),
};
