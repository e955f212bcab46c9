// Measured kernels.

/** A matmul [m, k] x [k, n] that was measured. */
export interface MeasuredKernel {
  format: string;
  m: number;
  n: number;
  k: number;
  /** FLOPs for each byte that is read and written once. */
  intensity: number;
  /** FLOPs/s as measured, and as predicted. */
  achieved: number;
  expected: number;
}

export interface KernelFacts {
  source: { title: string; url: string };
  /** The kernels of a chip in a format of the core's. */
  of(chip: string, format: string): readonly MeasuredKernel[];
}
