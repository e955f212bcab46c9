// Data in the shape that the charts of a plan take: a model of 70B parameters on chips of 80 GB,
// reckoned roughly.

import type {
  BarsData,
  Bound,
  ParetoFrontData,
  TimelineData,
  TimelineEvent,
  ValueMapData,
} from '../../../web/src/charts/plan.ts';
import { kindOf } from '../../../web/src/charts/kit/looks.ts';
import type { Spoken } from './words.ts';

export interface PlanOptions {
  language: Spoken;
  /** A chip, or a step by resource; a few stages; as many as there can be. */
  size: 'one' | 'usual' | 'many';
  /** Texts that look like markup, values that are no numbers. */
  hostile?: boolean;
}

const says = {
  en: {
    bars: 'The first stage holds 5 GB too much',
    description: 'Memory by what it holds, against the memory of a chip.',
    memory: 'Memory',
    stage: 'Stage',
    kinds: [
      'Parameters',
      'Gradients',
      'Optimizer',
      'Activations: attention',
      'Activations: MLP',
      'Activations: norms',
      'Logits',
      'Buffers of collectives',
      'Runtime',
    ],
    capacity: 'HBM',
    usable: 'usable',
    timeline: 'The pipeline idles for 30% of a step',
    step: 'Step',
    works: ['Forward', 'Backward', 'Weight gradients', 'Send'],
    letters: ['F', 'B', 'W', 'S'],
    microBatch: 'micro-batch',
    cut: '×158 more · 10.0 s',
    parts: ['Whole step', 'Start', 'End'],
    closer: 'Closer',
    wider: 'Wider',
    resources: ['Compute', 'Tensor network', 'Data network', 'Host'],
    resource: 'Resource',
    tasks: ['Matmuls', 'Attention', 'AllGather', 'ReduceScatter', 'Optimizer'],
    front: 'Half the memory costs a fifth of the speed',
    time: 'Step time',
    own: 'yours',
    map: 'Fastest at tensor 6, pipeline 4',
    tensor: 'Tensor',
    pipeline: 'Pipeline',
    bounds: ['compute-bound', 'network-bound'],
    fastest: 'fastest',
    never: 'does not fit',
  },
  zh: {
    bars: '第一级超出 5 GB',
    description: '按内容划分的内存，与芯片内存比较。',
    memory: '内存',
    stage: '流水级',
    kinds: [
      '参数',
      '梯度',
      '优化器状态',
      '激活：注意力',
      '激活：前馈',
      '激活：归一化',
      'Logits',
      '通信缓冲',
      '运行时',
    ],
    capacity: 'HBM',
    usable: '可用',
    timeline: '流水线在一步中空闲 30%',
    step: '一步',
    works: ['前向', '反向', '权重梯度', '发送'],
    letters: ['前', '反', '权', '发'],
    microBatch: '微批次',
    cut: '另有 ×158 · 10.0 s',
    parts: ['整步', '开始', '结束'],
    closer: '放大',
    wider: '缩小',
    resources: ['计算', '张量并行网络', '数据并行网络', '主机'],
    resource: '资源',
    tasks: ['矩阵乘法', '注意力', 'AllGather', 'ReduceScatter', '优化器'],
    front: '内存减半，速度降低五分之一',
    time: '每步时间',
    own: '当前',
    map: '张量 6、流水线 4 时最快',
    tensor: '张量并行',
    pipeline: '流水线并行',
    bounds: ['计算受限', '通信受限'],
    fastest: '最快',
    never: '放不下',
  },
} as const;

const capacity = 80e9;

const nasty = <Text extends string>(hostile: boolean | undefined, text: Text): string =>
  hostile ? `<img src=x onerror=alert(1)> ${text}` : text;

export function bars({ language, size, hostile }: PlanOptions): BarsData {
  const text = says[language];
  const stages = { one: 1, usual: 8, many: 64 }[size];
  const states = [8.8, 17.5, 17.5];
  const activations = [7.5, 11.5, 3.1];
  const values = Array.from({ length: stages }, (_, stage) => {
    const inFlight = (stages - stage) / stages;
    const last = stage === stages - 1;
    return [
      ...states.map((value) => value * (stage === 0 ? 1.06 : 1)),
      ...activations.map((value) => value * inFlight * 1.6),
      last ? 8.4 : 0,
      1.2,
      2,
    ].map((value) => (hostile && stage % 3 === 1 ? NaN : value * 1e9));
  }).flat();
  return {
    title: text.bars,
    description: text.description,
    file: 'memory',
    x: { label: text.memory, unit: 'B' },
    row: text.stage,
    rows: stages === 1 ? [''] : Array.from({ length: stages }, (_, stage) => String(stage + 1)),
    kinds: text.kinds.map((label, index) => ({
      label: nasty(hostile, label),
      look: kindOf(index < 6 ? 'memory' : index === 7 ? 'network' : 'ink', index),
    })),
    values: Float64Array.from(values),
    limits: [
      { label: text.usable, value: 0.92 * capacity, soft: true },
      { label: text.capacity, value: hostile ? NaN : capacity },
    ],
  };
}

/** One forward, one backward: each as soon as the stages before it are done. */
function pipeline(stages: number, microBatches: number): { events: TimelineEvent[]; end: number } {
  const forward = 0.021;
  const backward = 0.042;
  const order = Array.from({ length: stages }, (_, stage) => {
    const warm = Math.min(microBatches, stages - stage);
    const works: [kind: number, batch: number][] = [];
    for (let batch = 0; batch < warm; ++batch) works.push([0, batch]);
    for (let batch = 0; batch < microBatches; ++batch) {
      works.push([1, batch]);
      if (batch + warm < microBatches) works.push([0, batch + warm]);
    }
    return works;
  });
  const done = new Map<string, number>();
  const free = new Array<number>(stages).fill(0);
  const next = new Array<number>(stages).fill(0);
  const events: TimelineEvent[] = [];
  for (let moved = true; moved;) {
    moved = false;
    for (let stage = 0; stage < stages; ++stage) {
      const [kind, batch] = order[stage]![next[stage]!] ?? [];
      if (kind === undefined) continue;
      const from = kind === 0 ? stage - 1 : stage + 1;
      const ready =
        from < 0
          ? 0
          : from === stages
            ? done.get(`0 ${stage} ${batch}`)
            : done.get(`${kind} ${from} ${batch}`);
      if (ready === undefined) continue;
      const start = Math.max(free[stage]!, ready);
      const end = start + (kind === 0 ? forward : backward);
      events.push({ lane: stage, kind, start, end, label: `${batch! + 1}`, batch: batch! });
      done.set(`${kind} ${stage} ${batch}`, end);
      free[stage] = end;
      ++next[stage]!;
      moved = true;
    }
  }
  return { events, end: Math.max(...free) };
}

export function timeline({ language, size, hostile }: PlanOptions): TimelineData {
  const text = says[language];
  const base = {
    title: text.timeline,
    description: text.description,
    file: 'step',
    x: { label: text.step, unit: 's' },
  };
  if (size === 'one') {
    const layers = 20;
    const bounds: (Bound | undefined)[] = ['compute', 'compute', 'network', 'network', undefined];
    const events = Array.from({ length: layers }, (_, layer) => {
      const at = layer * 0.1;
      return [
        { lane: 0, kind: 1, start: at, end: at + 0.03 },
        { lane: 0, kind: 0, start: at + 0.03, end: at + 0.09 },
        { lane: 1, kind: 2, start: at + 0.02, end: at + 0.04 },
        { lane: 1, kind: 3, start: at + 0.08, end: at + 0.1 },
        { lane: 2, kind: 2, start: at, end: at + 0.07 },
      ];
    }).flat();
    return {
      ...base,
      lane: text.resource,
      lanes: [...text.resources],
      kinds: text.tasks.map((label, index) => ({
        label: nasty(hostile, label),
        look: kindOf(bounds[index] ?? 'ink', index),
      })),
      events: [...events, { lane: 0, kind: 4, start: 2, end: 2.1 }],
      end: 2.1,
    };
  }
  const stages = size === 'many' ? 64 : 8;
  const { events, end, ...cut } = cutOut(
    pipeline(stages, size === 'many' ? 200 : 16),
    size === 'many' ? 10 : 0,
    text.cut,
  );
  const broken = { lane: 99, kind: 7, start: NaN, end: Infinity };
  return {
    ...base,
    lane: text.stage,
    lanes: Array.from({ length: stages }, (_, stage) => String(stage + 1)),
    kinds: text.works.map((label, index) => ({
      label: nasty(hostile, label),
      letter: text.letters[index]!,
      look: kindOf(index === 3 ? 'network' : 'compute', index),
    })),
    events: [
      ...events.map((event) => ({ ...event, label: `${text.microBatch} ${event.label}` })),
      ...(hostile ? [broken, { ...broken, lane: 0, kind: 0 }] : []),
    ],
    end: hostile ? Infinity : end,
    ...cut,
    zoom: {
      parts: text.parts.map((label, index) => ({
        label,
        start: index === 2 ? end - 0.504 : 0,
        end: index === 1 ? 0.504 : end,
      })),
      closer: text.closer,
      wider: text.wider,
    },
  };
}

/** A step with as many seconds cut out in its middle, in which all goes on alike. */
function cutOut(
  { events, end }: ReturnType<typeof pipeline>,
  seconds: number,
  label: string,
): Pick<TimelineData, 'events' | 'end' | 'cuts' | 'repeat'> {
  if (seconds === 0) return { events, end };
  const at = end / 2;
  const later = events.map((event) => {
    const by = event.start >= at ? seconds : 0;
    return { ...event, start: event.start + by, end: Math.min(event.end, by ? Infinity : at) + by };
  });
  return {
    events: later,
    end: end + seconds,
    cuts: [{ label, short: '×158', start: at, end: at + seconds }],
    repeat: 1 + seconds / end,
  };
}

export function front(chosen: number, { language, size, hostile }: PlanOptions): ParetoFrontData {
  const text = says[language];
  const count = { one: 1, usual: 14, many: 60 }[size];
  const points = Array.from({ length: count }, (_, index) => {
    const x = (22 + (index / count) * 52) * 1e9;
    const tensor = [16, 8, 4, 2][Math.floor((4 * index) / count)]!;
    return {
      label: nasty(hostile, `TP ${tensor} · PP ${2 ** (4 - (index % 3))}`),
      x: hostile && index === 3 ? Infinity : x,
      y: hostile && index === 2 ? NaN : 9 + (60 / (x / 1e9 - 15)) * 3,
      bound: (index < count / 2 ? 'network' : 'compute') as Bound,
    };
  });
  return {
    title: text.front,
    description: text.description,
    file: 'front',
    x: { label: text.memory, unit: 'B', scale: 'linear' },
    y: { label: text.time, unit: 's', scale: 'linear' },
    points,
    ...(chosen < points.length
      ? { chosen }
      : { own: { label: text.own, x: 88e9, y: 21, bound: 'memory' as const } }),
    limits: [{ label: text.capacity, value: capacity }],
  };
}

const degrees = [1, 2, 3, 4, 6, 8, 12, 16];

export function valueMap(own: { x: number; y: number }, options: PlanOptions): ValueMapData {
  const { language, size, hostile } = options;
  const text = says[language];
  const count = { one: 1, usual: 8, many: 40 }[size];
  const names = Array.from({ length: count }, (_, index) => String(degrees[index] ?? 2 * index));
  const values = names.map((_, index) => index);
  const cells = names.flatMap((_, y) =>
    names.map((_, x) => {
      const held = 700 / (Number(names[x]) * Number(names[y]));
      if (size !== 'one' && held > 60) return hostile ? -Infinity : NaN;
      return 9.1 * (1 + 0.035 * Number(names[x]) + 0.06 * Number(names[y]) + (held / 100) ** 2);
    }),
  );
  const least = Math.min(...cells.filter(Number.isFinite));
  return {
    title: text.map,
    description: text.description,
    file: 'map',
    x: { label: nasty(hostile, text.tensor), unit: '', scale: 'linear', values, names },
    y: { label: text.pipeline, unit: '', scale: 'linear', values, names },
    cells,
    value: { label: text.time, unit: 's', scale: 'log' },
    kinds: cells.map((_, at) => Number(at % count > count / 2)),
    categories: [
      { label: text.bounds[0], bound: 'compute' },
      { label: text.bounds[1], bound: 'network' },
    ],
    absent: cells.map((value) => Number(!Number.isFinite(value))),
    absences: [text.never],
    best: { at: cells.indexOf(least), label: text.fastest },
    own: { x: Math.min(own.x, count - 1), y: Math.min(own.y, count - 1) },
  };
}
