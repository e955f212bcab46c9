// Data in the shape that charts take, for TPU v5e and a matmul, reckoned roughly.

import type { Bound, HeatMapData, RooflineData, SweepData } from '../../../web/src/charts/index.ts';
import type { Spoken } from './words.ts';

export interface State {
  batch: number;
  output: number;
}

export interface Options {
  language: Spoken;
  /** Points far outside, texts that look like markup, values that are no numbers. */
  hostile?: boolean;
}

const peak = 1.97e14;
const bandwidth = 8.1e11;
const contraction = 4096;

interface Matmul {
  batch: number;
  output: number;
  weightBytes?: number;
}

function matmul({ batch, output, weightBytes = 2 }: Matmul) {
  const flops = 2 * batch * contraction * output;
  const bytes = 2 * batch * contraction + weightBytes * contraction * output + 2 * batch * output;
  const intensity = flops / bytes;
  const achieved = Math.min(peak, intensity * bandwidth);
  const bound: Bound = achieved < peak ? 'memory' : 'compute';
  return { intensity, achieved, bound };
}

/** The batch at which intensity reaches the ridge; undefined if it never does. */
function critical(output: number, weightBytes = 2): number | undefined {
  const flops = 2 * contraction * output;
  const at =
    (weightBytes * contraction * output) /
    ((flops * bandwidth) / peak - 2 * contraction - 2 * output);
  return at > 0 ? at : undefined;
}

const geometric = (from: number, to: number, count: number): number[] =>
  Array.from({ length: count }, (_, index) => from * (to / from) ** (index / (count - 1)));

const withOwn = (values: number[], own: number): number[] =>
  [...new Set([...values, own])].sort((a, b) => a - b);

const says = {
  en: {
    roofline: 'A matmul of {batch} rows gets {share}% of the peak',
    sweep: 'Compute-bound from 272 tokens; int8 weights halve that',
    map: 'Small outputs never become compute-bound',
    description: 'Achieved FLOPs/s over arithmetic intensity, both logarithmic.',
    intensity: 'Arithmetic intensity',
    achieved: 'Achieved',
    fraction: 'Of the peak',
    batch: 'Batch B',
    output: 'Output F',
    both: 'both bind',
    one: 'only HBM binds',
    compute: 'compute binds',
    own: 'This matmul',
    ownName: 'F = D = 4096',
    int8: 'int8 weights',
    narrow: 'F = 1024',
    operations: [
      'QKV projection',
      'Attention scores',
      'Attention × values',
      'Output projection',
      'MLP',
      'LM head',
      'RMSNorm',
    ],
    read: 'KV read',
    memoryBound: 'memory-bound',
    computeBound: 'compute-bound',
    from: 'from {at}',
    never: 'does not fit',
  },
  zh: {
    roofline: '{batch} 行的矩阵乘法达到峰值的 {share}%',
    sweep: '从 272 个 token 起计算受限；int8 权重使其减半',
    map: '输出维度小时永远不会计算受限',
    description: '横轴为算术强度，纵轴为达到的 FLOPs/s，均为对数坐标。',
    intensity: '算术强度',
    achieved: '实际算力',
    fraction: '占峰值比例',
    batch: '批大小 B',
    output: '输出维度 F',
    both: '两种带宽都受限',
    one: '仅 HBM 受限',
    compute: '计算受限',
    own: '当前矩阵乘法',
    ownName: 'F = D = 4096',
    int8: 'int8 权重',
    narrow: 'F = 1024',
    operations: [
      'QKV 投影',
      '注意力分数',
      '注意力 × 值',
      '输出投影',
      '前馈网络',
      'LM 头',
      'RMSNorm',
    ],
    read: 'KV 读取',
    memoryBound: '访存受限',
    computeBound: '计算受限',
    from: '从 {at} 起',
    never: '放不下',
  },
} as const;

const operationIntensities = [118, 60, 64, 121, 125, 127, 0.75];

export function roofline(state: State, { language, hostile }: Options): RooflineData {
  const text = says[language];
  const own = matmul(state);
  const steps = withOwn(geometric(1, 65536, 160), state.batch).map((value) => {
    const { intensity, achieved } = matmul({ ...state, batch: value });
    return { value, intensity, achieved };
  });
  const share = ((100 * own.achieved) / peak).toFixed(0);
  return {
    title: text.roofline.replace('{batch}', state.batch.toFixed(0)).replace('{share}', share),
    description: text.description,
    file: 'roofline',
    x: { label: text.intensity, unit: 'FLOPs/B' },
    y: { label: text.achieved, unit: 'FLOPs/s' },
    peaks: [
      { label: 'bf16', rate: peak, own: true },
      { label: 'int8', rate: 2 * peak },
      { label: 'fp8', rate: 2 * peak },
    ],
    slopes: [
      { label: 'VMEM', bandwidth: bandwidth * 22, bound: 'memory' },
      { label: 'HBM', bandwidth, bound: 'memory', own: true },
    ],
    zones: [
      { until: peak / bandwidth / 22, label: text.both, bound: 'memory' },
      { until: peak / bandwidth, label: text.one, bound: 'memory', partly: true },
      { label: text.compute, bound: 'compute' },
    ],
    chips: [
      { label: 'TPU v5p', rate: 4.59e14, bandwidth: 2.8e12 },
      { label: 'H100 SXM', rate: 9.9e14, bandwidth: 3.35e12 },
    ],
    points: [
      { label: hostile ? '<img src=x onerror=alert(1)>' : text.own, own: true, ...own },
      ...operationIntensities.map((intensity, index) => ({
        label: text.operations[index]!,
        intensity,
        achieved: Math.min(peak, intensity * bandwidth),
        bound: 'memory' as const,
      })),
      { label: text.read, intensity: 0, achieved: 0, bound: 'memory' as const },
      ...(hostile
        ? [
            { label: 'tiny', intensity: 1e-9, achieved: 1e-3, bound: 'network' as const },
            { label: 'huge', intensity: 1e12, achieved: 1e21, bound: 'compute' as const },
            { label: 'none', intensity: NaN, achieved: NaN, bound: 'network' as const },
            {
              label: 'endless',
              intensity: Infinity,
              achieved: Infinity,
              bound: 'compute' as const,
            },
          ]
        : []),
    ],
    track: { label: text.batch, unit: 'tokens', steps, value: state.batch },
  };
}

export function sweep(state: State, { language, hostile }: Options): SweepData {
  const text = says[language];
  const values = withOwn(geometric(8, 4096, 511), state.batch);
  const settings = [
    { label: text.ownName, output: state.output, weightBytes: 2, own: true },
    { label: text.int8, output: state.output, weightBytes: 1 },
    { label: text.narrow, output: 1024, weightBytes: 2 },
    { label: `${text.narrow}, int8`, output: 1024, weightBytes: 1 },
    { label: 'F = 256', output: 256, weightBytes: 2 },
    { label: 'F = 128', output: 128, weightBytes: 2 },
  ];
  const say = (at: number): string => text.from.replace('{at}', at.toFixed(0));
  return {
    title: hostile ? 'A title & <b>"quotes"</b> '.repeat(8) : text.sweep,
    description: text.description,
    file: 'sweep',
    x: { label: text.batch, unit: 'tokens', scale: 'log', values },
    y: { label: text.achieved, unit: 'FLOPs/s', scale: 'linear' },
    lines: settings.map(({ label, output, weightBytes, own }, line) => {
      const at = critical(output, weightBytes);
      return {
        label: hostile ? `=${label}, "quoted"` : label,
        values: Float64Array.from(values, (batch, index) =>
          hostile && index % 7 === line ? NaN : matmul({ batch, output, weightBytes }).achieved,
        ),
        absent: Uint8Array.from(values, (batch) =>
          Number(line === 4 && batch > 600 && batch < 900),
        ),
        ...(own ? { own } : {}),
        ...(line < 2
          ? {
              parts: at
                ? [{ until: at, bound: 'memory' as const }, { bound: 'compute' as const }]
                : [{ bound: 'memory' as const }],
            }
          : {}),
      };
    }),
    marks: [2, 1].flatMap((weightBytes) => {
      const at = critical(state.output, weightBytes);
      return at ? [{ at, label: say(at), value: peak, bound: 'compute' as const }] : [];
    }),
    absences: [text.never],
    own: state.batch,
  };
}

export function heatMap(state: State, { language, hostile }: Options): HeatMapData {
  const text = says[language];
  // The table has as many rows as cells if no two neighbours are alike.
  const [columns, rows] = hostile ? [20, 20] : [100, 100];
  const xs = geometric(8, 8192, columns);
  const ys = geometric(64, 65536, rows);
  const cells = new Uint8Array(columns * rows);
  const absent = new Uint8Array(columns * rows);
  for (let row = 0; row < rows; ++row) {
    for (let column = 0; column < columns; ++column) {
      const at = row * columns + column;
      const { bound } = matmul({ batch: xs[column]!, output: ys[row]! });
      // The cells look as if rows over many chips waited for the network.
      const network = ys[row]! < 400 && xs[column]! > 900 - ys[row]!;
      cells[at] = hostile ? (row * 7 + column * 3) % 5 : network ? 2 : bound === 'memory' ? 1 : 0;
      absent[at] = Number(xs[column]! * ys[row]! > 3e8);
    }
  }
  return {
    title: text.map,
    description: text.description,
    file: 'map',
    x: { label: text.batch, unit: 'tokens', scale: 'log', values: xs },
    y: { label: text.output, unit: '', scale: 'log', values: ys },
    cells,
    absent,
    categories: [
      { label: text.computeBound, bound: 'compute' },
      { label: text.memoryBound, bound: 'memory' },
      { label: language === 'zh' ? '通信受限' : 'network-bound', bound: 'network' },
    ],
    absences: [text.never],
    own: { x: state.batch, y: state.output },
  };
}
