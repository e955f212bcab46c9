// The layers that a pattern tells, one after the other. The core has read the pattern before, and
// says what is wrong with one that can't be read; this only unfolds it (see layer_pattern.hpp).

export const mixers = ['a', 'w', 's', 'c', 'l', 'm', '-'] as const;
export type Mixer = (typeof mixers)[number];
export const feedForwards = ['d', 'e', '-'] as const;
export type FeedForward = (typeof feedForwards)[number];

export interface LayerKind {
  mixer: Mixer;
  /** Key/value heads, or tokens of a compressed key, where the pattern says how many. */
  size?: number;
  feedForward: FeedForward;
  width?: number;
}

/** Layers that are alike and follow each other. */
export interface Run extends LayerKind {
  layers: number;
}

/** Limits of expanded layers and nesting, beyond what the core takes. */
const mostLayers = 4096;
const mostNested = 8;

export const isSame = (one: LayerKind, other: LayerKind): boolean =>
  one.mixer === other.mixer &&
  one.size === other.size &&
  one.feedForward === other.feedForward &&
  one.width === other.width;

/** The runs of a pattern, from the first layer to the last; undefined if it can't be read. */
export function runsOf(pattern: string): Run[] | undefined {
  const token = /[.,\s]+|(\d+)x|([()])|([awsclm-])(\d*)([de-])(\d*)/gy;
  const stack: { runs: Run[]; times: number }[] = [{ runs: [], times: 1 }];
  let times = 1;
  while (token.lastIndex < pattern.length) {
    const match = token.exec(pattern);
    if (!match) return undefined;
    const [, count, bracket, mixer, size, feedForward, width] = match;
    if (count) times = Number(count);
    else if (bracket === '(') {
      if (stack.push({ runs: [], times }) > mostNested + 1) return undefined;
      times = 1;
    } else if (bracket === ')') {
      const inner = stack.pop()!;
      const outer = stack.at(-1);
      const layers = inner.runs.reduce((sum, run) => sum + run.layers, 0) * inner.times;
      if (!outer || layers > mostLayers) return undefined;
      for (let at = 0; at < inner.times; at += 1) inner.runs.forEach((run) => put(outer.runs, run));
    } else if (mixer) {
      if (times > mostLayers) return undefined;
      put(stack.at(-1)!.runs, {
        mixer: mixer as Mixer,
        ...(size && { size: Number(size) }),
        feedForward: feedForward as FeedForward,
        ...(width && { width: Number(width) }),
        layers: times,
      });
      times = 1;
    }
  }
  return stack.length === 1 && stack[0]!.runs.length > 0 ? stack[0]!.runs : undefined;
}

/** Adds layers; like ones make one run. */
function put(runs: Run[], run: Run): void {
  const last = runs.at(-1);
  if (last && isSame(last, run))
    runs[runs.length - 1] = { ...last, layers: last.layers + run.layers };
  else runs.push(run);
}

/** The kinds of layers, as they come first, each with all its layers. */
export function kindsOf(runs: readonly Run[]): Run[] {
  const kinds: Run[] = [];
  for (const run of runs) {
    const same = kinds.findIndex((kind) => isSame(kind, run));
    if (same < 0) kinds.push(run);
    else kinds[same] = { ...kinds[same]!, layers: kinds[same]!.layers + run.layers };
  }
  return kinds;
}
