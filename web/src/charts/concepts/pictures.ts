// The picture of each concept: marks from nothing but its own idea. Those of schedules come from a
// step that the engine has drawn.

import {
  arrow,
  axes,
  bow,
  box,
  chip,
  depth,
  dot,
  each,
  line,
  word,
  type Box,
  type Mark,
  type Picture,
  type Point,
  type Tone,
} from './marks.ts';

// ---- what chips hold

/** The parts of a training's memory, from the floor up, and their heights. */
const states = [
  { high: 18, part: 'parameters' },
  { high: 18, part: 'gradients' },
  { high: 36, part: 'states' },
] as const;

/** Four replicas; the last `sharded` kinds of states are in shards, of which each holds one. */
const replicas = (sharded: number): Mark[] =>
  each(4, (rank) => {
    const x = 14 + rank * 46;
    let floor = 88;
    const held = states.flatMap(({ high, part }, kind) => {
      floor -= high;
      if (states.length - kind > sharded) return [box(x, floor, 32, high - 1, part)];
      const shard = (high - 1) / 4;
      return [
        box(x, floor, 32, high - 1, 'empty', { hollow: true }),
        box(x, floor + shard * (3 - rank), 32, shard, part),
      ];
    });
    return [
      ...held,
      line(
        [
          [x - 2, 12],
          [x - 2, 89],
          [x + 34, 89],
          [x + 34, 12],
        ],
        'ink',
      ),
    ];
  });

/** The bits of a number: its sign, then its exponent, then the others. */
const bits = (y: number, count: number, exponent: number, name: string): Mark[] => [
  word(8, y + 11, name),
  ...each(count, (bit) =>
    box(38 + bit * 9.8, y, 8.6, 14, bit === 0 ? 'ink' : 'memory', {
      strength: bit === 0 || bit <= exponent ? 1 : 0.35,
    }),
  ),
];

/** Activations of eight layers, kept or dropped. */
const dropped = (x: number, y: number, h: number): Box =>
  box(x, y, 19, h, 'memory', { hollow: true, dashed: true });

// ---- parts of the model

const columns = (x: number, y: number, w: number, h: number): Mark[] =>
  each(4, (part) => box(x + part * (w + 2), y, w, h, depth(part)));
const rows = (x: number, y: number, w: number, h: number): Mark[] =>
  each(4, (part) => box(x, y + part * (h + 2), w, h, depth(part)));

// ---- collectives

/** What a chip holds of a part: nothing, a term of a sum, or the part; whose it was, by its tone. */
type Held = { tone: Tone; sum?: boolean } | undefined;
const held = (part: number, sum = false): Held => ({ tone: depth(part), sum });

/** Four chips as rows, four parts as columns, before and after. */
function collective(
  before: (chip: number, part: number) => Held,
  after: (chip: number, part: number) => Held,
): Picture {
  const grid = (left: number, holds: (chip: number, part: number) => Held): Mark[] =>
    each(4, (row) =>
      each(4, (part) => {
        const [x, y] = [left + part * 19, 17 + row * 16];
        const what = holds(row, part);
        if (!what) return box(x, y, 17, 14, 'empty', { hollow: true });
        const filled = box(x, y, 17, 14, what.tone);
        if (!what.sum) return filled;
        // A dot tells a sum from its terms.
        return [filled, dot(x + 8.5, y + 7, part < 2 ? 'ink' : 'empty', { radius: 2.6 })];
      }),
    );
  return [...grid(8, before), arrow([88, 48], [110, 48]), ...grid(116, after)];
}

// ---- requests in time

/** Requests of a batch, one after the other in each place. */
const places = (lists: readonly (readonly number[])[]): Mark[] =>
  lists.flatMap((lengths, place) => {
    let x = 12;
    return lengths.map((length, index) => {
      const one = box(x, 12 + place * 19, length, 15, 'memory', { strength: index % 2 ? 0.5 : 1 });
      x += length + 2;
      return one;
    });
  });

/** The brackets below a stretch of time. */
const bracket = (from: number, to: number, y: number): Mark =>
  line(
    [
      [from, y - 5],
      [from, y],
      [to, y],
      [to, y - 5],
    ],
    'ink',
  );

/** Points of a curve. */
const along = (from: number, to: number, steps: number, at: (x: number) => Point): Point[] =>
  Array.from({ length: steps + 1 }, (_, step) => at(from + ((to - from) * step) / steps));

/** The time that saving and what failures undo take together, over the interval: least at 1. */
const cost = (interval: number): Point => [
  18 + interval * 60,
  84 - 20 * (interval + 1 / interval - 0.9),
];

/** Blocks of a cache by the request that has them; 9: none. */
const blocks = [
  0, 1, 0, 2, 0, 1, 2, 3, 1, 0, 2, 2, 3, 0, 1, 3, 2, 9, 1, 0, 3, 2, 9, 1, 0, 0, 3, 9, 2, 1, 9, 0, 3,
  9, 9, 1, 9, 2, 9, 9,
];

/** A bell of weights, and the few levels that they are rounded to. */
const levels = each(29, (index) => {
  const high = Math.round(58 * Math.exp(-(((index - 14) / 6) ** 2)) * 10) / 10;
  return box(14 + index * 6, 78 - high, 4.4, high, 'memory', {
    strength: index % 4 === 2 ? 1 : 0.35,
  });
});

/** The pictures but for those of schedules. */
export const pictures: Readonly<Record<string, Picture>> = {
  dataParallel: replicas(0),
  zero1: replicas(1),
  zero2: replicas(2),
  zero3: replicas(3),
  fsdp: [...replicas(3), ...each(3, (rank) => arrow([44 + rank * 46, 6], [62 + rank * 46, 6]))],
  mixedPrecision: [
    ...bits(14, 16, 8, 'bf16'),
    ...each(16, (bit) => box(38 + bit * 9.8, 42, 8.6, 14, 'memory', { strength: 1 })),
    ...each(16, (bit) => box(38 + bit * 9.8, 58, 8.6, 14, 'memory', { strength: 0.35 })),
    word(8, 61, 'fp32'),
  ],
  fp8: [...bits(26, 16, 8, 'bf16'), ...bits(54, 8, 4, 'fp8')],
  fp4: [
    ...bits(14, 16, 8, 'bf16'),
    ...bits(40, 4, 2, 'fp4'),
    ...each(16, (index) => box(38 + index * 7.5, 68, 6, 10, 'memory', { strength: 0.6 })),
    box(168, 66, 14, 14, 'ink'),
  ],
  recompute: [
    ...each(8, (layer) =>
      layer % 4 === 0
        ? box(10 + layer * 23, 30, 19, 44, 'activations')
        : dropped(10 + layer * 23, 30, 44),
    ),
    bow([20, 24], [54, 4], [89, 24], 'compute', { arrow: true }),
    bow([112, 24], [146, 4], [181, 24], 'compute', { arrow: true }),
  ],
  selectiveRecompute: each(8, (layer) => [
    box(10 + layer * 23, 22, 19, 30, 'activations'),
    dropped(10 + layer * 23, 55, 20),
  ]),
  gradientAccumulation: [
    ...each(4, (batch) => [
      box(8 + batch * 40, 38, 12, 26, 'forward'),
      box(21 + batch * 40, 38, 24, 26, 'backward'),
    ]),
    ...each(3, (batch) =>
      bow([33 + batch * 40, 33], [53 + batch * 40, 12], [72 + batch * 40, 33], 'memory', {
        arrow: true,
      }),
    ),
    box(170, 38, 20, 26, 'data'),
  ],
  offload: [
    chip(14, 14, 62, 70),
    box(18, 56, 54, 24, 'memory'),
    chip(124, 14, 62, 70),
    box(128, 30, 54, 50, 'memory', { strength: 0.35 }),
    word(24, 34, 'HBM'),
    word(142, 27, 'DRAM'),
    arrow([80, 42], [120, 42]),
    arrow([120, 60], [80, 60]),
  ],

  tensorParallel: [
    box(18, 18, 28, 54, 'quiet', { hollow: true }),
    word(52, 49, '×'),
    ...columns(70, 18, 24, 54),
    ...each(3, (gap) => arrow([82 + gap * 26, 84], [108 + gap * 26, 84])),
  ],
  sequenceParallel: [
    ...rows(10, 13, 52, 16),
    arrow([68, 48], [88, 48]),
    ...columns(94, 13, 8, 70),
    arrow([138, 48], [146, 48]),
    ...rows(152, 13, 40, 16),
  ],
  contextParallel: [
    ...columns(13, 30, 42, 22),
    ...each(3, (gap) =>
      bow([34 + gap * 44, 57], [56 + gap * 44, 72], [78 + gap * 44, 57], 'network', {
        arrow: true,
      }),
    ),
    bow([166, 62], [100, 118], [34, 62], 'network', { dashed: true, arrow: true }),
    word(14, 22, 'K, V'),
  ],
  pipelineParallel: each(4, (stage) => [
    chip(8 + stage * 48, 20, 36, 56),
    ...each(3, (layer) => box(12 + stage * 48, 24 + layer * 17, 28, 14, depth(stage))),
    ...(stage < 3 ? [arrow([46 + stage * 48, 48], [54 + stage * 48, 48])] : []),
  ]),
  expertParallel: [
    ...each(4, (rank) => [
      chip(124, 6 + rank * 22, 66, 18),
      box(128, 10 + rank * 22, 27, 10, depth(rank)),
      box(159, 10 + rank * 22, 27, 10, depth(rank), { strength: 0.6 }),
    ]),
    ...[0, 2, 1, 3, 0, 2, 3, 1].flatMap((rank, token) => [
      dot(18, 10 + token * 11),
      line(
        [
          [24, 10 + token * 11],
          [120, 15 + rank * 22],
        ],
        'network',
      ),
    ]),
  ],
  moe: [
    dot(20, 48, 'ink', { radius: 5 }),
    ...each(8, (expert) => {
      const isChosen = expert === 1 || expert === 5;
      return [
        box(126, 5 + expert * 11, 60, 9, 'memory', isChosen ? {} : { strength: 0.35 }),
        ...(isChosen ? [arrow([28, 48], [120, 9.5 + expert * 11], 'compute')] : []),
      ];
    }),
  ],

  prefill: [
    ...each(12, (token) => [
      dot(14 + token * 15.5, 16),
      arrow([14 + token * 15.5, 24], [14 + token * 15.5, 38], 'quiet'),
    ]),
    box(8, 44, 184, 30, 'compute'),
  ],
  decode: each(6, (step) => [
    box(10 + step * 31, 34, 22, 46, 'memory'),
    dot(21 + step * 31, 14),
    arrow([21 + step * 31, 30], [21 + step * 31, 20], 'quiet'),
  ]),
  ttft: [
    line([
      [10, 62],
      [192, 62],
    ]),
    line(
      [
        [14, 20],
        [14, 62],
      ],
      'ink',
    ),
    box(15, 40, 46, 20, 'quiet', { hollow: true, dashed: true }),
    box(62, 40, 62, 20, 'compute'),
    ...each(5, (token) => dot(130 + token * 14, 50, 'ink', token === 0 ? { radius: 5 } : {})),
    bracket(14, 130, 78),
  ],
  tpot: [
    line([
      [10, 52],
      [192, 52],
    ]),
    ...each(7, (token) => [
      line(
        [
          [22 + token * 26, 40],
          [22 + token * 26, 52],
        ],
        'quiet',
      ),
      dot(22 + token * 26, 30),
    ]),
    bracket(74, 100, 70),
  ],
  kvCache: each(9, (token) => [
    ...(token > 0
      ? [box(12 + token * 20, 86 - 8 * token, 16, 8 * token, 'memory', { strength: 0.35 })]
      : []),
    box(12 + token * 20, 79 - 8 * token, 16, 7, 'memory'),
  ]),
  gqa: [
    ...each(8, (head) => [
      dot(16 + head * 24, 18, 'compute', { radius: 6 }),
      line([
        [16 + head * 24, 26],
        [52 + Math.floor(head / 4) * 96, 56],
      ]),
    ]),
    box(30, 58, 44, 22, 'memory'),
    box(126, 58, 44, 22, 'memory'),
  ],
  mla: [
    ...each(8, (head) => box(14 + head * 11, 16, 9, 64, 'memory', { hollow: true, dashed: true })),
    arrow([108, 48], [136, 48], 'compute'),
    box(148, 16, 14, 64, 'memory'),
  ],
  flash: [
    ...each(6, (row) =>
      each(row + 1, (column) =>
        box(62 + column * 14.5, 5 + row * 14.5, 13, 13, 'compute', {
          strength: row === 3 && column === 1 ? 1 : 0.35,
        }),
      ),
    ),
    box(75, 47, 16, 16, 'ink', { hollow: true }),
    box(14, 46, 30, 18, 'memory'),
    arrow([48, 55], [72, 55], 'memory'),
  ],
  pagedAttention: blocks.flatMap((request, index) => {
    const [x, y] = [10 + (index % 10) * 18.2, 13 + Math.floor(index / 10) * 18.2];
    return request === 9
      ? [box(x, y, 16, 16, 'empty', { hollow: true })]
      : [
          box(x, y, 16, 16, 'memory', { strength: [1, 0.7, 0.45, 0.25][request]! }),
          ...(request === 0 ? [dot(x + 8, y + 8, 'ink', { radius: 2.4 })] : []),
        ];
  }),
  prefixCache: [
    box(10, 41, 76, 14, 'memory'),
    ...each(3, (request) => [
      line([
        [88, 48],
        [108, 24 + request * 24],
      ]),
      box(110, 17 + request * 24, 36 + request * 20, 14, 'memory', { strength: 0.35 }),
    ]),
  ],
  continuousBatching: places([
    [60, 40, 68],
    [24, 92, 50],
    [98, 30, 36],
    [44, 70, 52],
  ]),
  chunkedPrefill: each(5, (step) => [
    ...each(3, (request) => box(10 + step * 37, 64 - request * 8, 30, 7, 'memory')),
    box(10 + step * 37, 20, 30, 26, 'compute', { strength: step < 4 ? 1 : 0.35 }),
    line(
      [
        [10 + step * 37, 80],
        [40 + step * 37, 80],
      ],
      'ink',
    ),
  ]),
  speculative: [
    ...['✓', '✓', '✓', '✗'].flatMap((sign, token) => [
      box(
        14 + token * 44,
        14,
        36,
        20,
        'compute',
        token < 3 ? { strength: 0.35 } : { hollow: true },
      ),
      word(28 + token * 44, 28, sign, 'ink'),
      arrow([32 + token * 44, 37], [32 + token * 44, 54], 'quiet'),
    ]),
    box(14, 58, 168, 22, 'compute'),
  ],
  disaggregated: [
    chip(10, 18, 74, 60),
    box(18, 34, 58, 28, 'compute'),
    arrow([88, 48], [112, 48]),
    chip(116, 18, 74, 60),
    ...each(12, (token) => box(124 + token * 5, 34, 2.8, 28, 'memory')),
  ],
  quantization: [
    ...levels,
    ...each(7, (level) =>
      line(
        [
          [28.2 + level * 24, 82],
          [28.2 + level * 24, 90],
        ],
        'memory',
      ),
    ),
  ],

  allGather: collective(
    (rank, part) => (rank === part ? held(part) : undefined),
    (_, part) => held(part),
  ),
  reduceScatter: collective(
    (_, part) => held(part),
    (rank, part) => (rank === part ? held(part, true) : undefined),
  ),
  allReduce: collective(
    (_, part) => held(part),
    (_, part) => held(part, true),
  ),
  allToAll: collective(
    (rank) => held(rank),
    (_, part) => held(part),
  ),

  roofline: [
    ...axes,
    line(
      [
        [22, 82],
        [96, 22],
      ],
      'memory',
      { wide: true },
    ),
    line(
      [
        [96, 22],
        [188, 22],
      ],
      'compute',
      { wide: true },
    ),
    line(
      [
        [96, 26],
        [96, 86],
      ],
      'quiet',
      { dashed: true },
    ),
    dot(140, 22, 'ink', { radius: 5 }),
  ],
  intensity: [
    box(14, 20, 172, 22, 'compute'),
    box(14, 56, 40, 22, 'memory'),
    word(20, 36, 'FLOPs', 'empty'),
    word(60, 72, 'B'),
  ],
  mfu: [
    box(12, 34, 176, 26, 'quiet', { hollow: true }),
    box(12, 34, 76, 26, 'peak'),
    bracket(12, 88, 76),
  ],
  hfu: [
    box(12, 34, 176, 26, 'quiet', { hollow: true }),
    box(12, 34, 76, 26, 'peak'),
    box(90, 34, 26, 26, 'recomputed'),
    bracket(12, 116, 76),
  ],
  sixN: [
    ...each(2, (pass) => box(14 + pass * 29, 32, 26, 32, 'forward')),
    ...each(4, (pass) => box(74 + pass * 29, 32, 26, 32, 'backward')),
    bracket(14, 69, 78),
    bracket(74, 187, 78),
  ],
  scalingLaws: [
    ...axes,
    ...each(3, (budget) => {
      const [x, y] = [58 + budget * 40, 58 - budget * 14];
      const curve = along(-1, 1, 8, (away): Point => [x + away * 30, y - away * away * 26]);
      return [line(curve, 'quiet', { wide: true }), dot(x, y, 'compute', { radius: 4.5 })];
    }),
    line(
      [
        [38, 65],
        [168, 19.5],
      ],
      'compute',
      { dashed: true },
    ),
  ],
  goodput: [
    ...each(3, (run) => [
      box(10 + run * 62, 36, 44, 24, 'compute'),
      box(55 + run * 62, 36, 8, 24, 'compute', { hollow: true, dashed: true }),
      box(64 + run * 62, 36, 5, 24, 'quiet'),
      word(53 + run * 62, 30, '✗', 'ink'),
    ]),
  ],
  failures: [
    ...axes,
    line(along(0.3, 2.6, 20, cost), 'network', { wide: true }),
    dot(...cost(1), 'ink', { radius: 5 }),
    line(
      [
        [cost(1)[0], cost(1)[1] + 8],
        [cost(1)[0], 86],
      ],
      'quiet',
      { dashed: true },
    ),
  ],
};
