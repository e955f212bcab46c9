// How each part of a whole looks, in all drawings, bars, timelines and small pictures: a colour, how
// strong it is, and a texture, so that no two are told apart by colour alone.

import { svg, type TemplateResult } from 'lit';

/** Compute, memory and network are the three bounds; what is no work of a chip is quiet or ink. */
export type Tone = 'compute' | 'memory' | 'network' | 'quiet' | 'ink';

type Texture = 'up' | 'down' | 'across' | 'upright' | 'dots' | 'beads' | 'cross' | 'grid';

export interface Look {
  tone: Tone;
  /** The share of its colour in its ground [%]; the rest is paper. */
  strength: number;
  texture?: Texture | undefined;
}

const dots = (r: number): string =>
  `M${3 - r} 3a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0z`;

/** The tile of each texture: its size [px] and its path, which leads on from tile to tile. */
const textures: Readonly<Record<Texture, { size: number; d: string; filled?: boolean }>> = {
  up: { size: 8, d: 'M-2 2l4 -4M0 8l8 -8M6 10l4 -4' },
  down: { size: 8, d: 'M-2 6l4 4M0 0l8 8M6 -2l4 4' },
  across: { size: 6, d: 'M0 3H6' },
  upright: { size: 6, d: 'M3 0V6' },
  dots: { size: 6, d: dots(1), filled: true },
  beads: { size: 6, d: dots(1.7), filled: true },
  cross: { size: 6, d: 'M0 0L6 6M6 0L0 6' },
  grid: { size: 8, d: 'M0 4H8M4 0V8' },
};

const is = (tone: Tone, strength: number, texture?: Texture): Look => ({ tone, strength, texture });

/** No two parts look alike: a look names its part on all of the page. */
export const looks = {
  // What a chip holds.
  parameters: is('memory', 100),
  gradients: is('memory', 65),
  states: is('memory', 100, 'across'),
  activations: is('memory', 40),
  working: is('memory', 40, 'up'),
  buffers: is('memory', 40, 'down'),
  logits: is('memory', 40, 'dots'),
  cache: is('memory', 40, 'upright'),
  runtime: is('memory', 15, 'down'),
  allocator: is('memory', 15, 'upright'),
  free: is('quiet', 6),
  // Computing.
  peak: is('compute', 100),
  below: is('compute', 45),
  recomputed: is('compute', 45, 'up'),
  forward: is('compute', 30),
  backward: is('compute', 80),
  weights: is('compute', 30, 'dots'),
  prefill: is('compute', 80, 'down'),
  logProbs: is('compute', 45, 'dots'),
  update: is('compute', 65),
  critic: is('compute', 45, 'upright'),
  // Reading memory.
  optimizer: is('memory', 100, 'up'),
  prefillReads: is('memory', 100, 'down'),
  expertReads: is('memory', 100, 'dots'),
  head: is('memory', 65, 'dots'),
  elementwise: is('memory', 15, 'dots'),
  generate: is('memory', 80),
  tail: is('memory', 25, 'upright'),
  // Sending.
  tensor: is('network', 25, 'upright'),
  context: is('network', 25, 'dots'),
  expert: is('network', 25, 'beads'),
  pipeline: is('network', 25, 'across'),
  data: is('network', 25, 'up'),
  host: is('network', 25, 'cross'),
  handOver: is('network', 25, 'down'),
  prefillSends: is('network', 80, 'down'),
  // What is no work of a chip.
  bubble: is('quiet', 0, 'up'),
  launch: is('quiet', 6, 'dots'),
  overhead: is('quiet', 6, 'down'),
  queue: is('quiet', 0, 'upright'),
  waiting: is('quiet', 0, 'dots'),
  scores: is('quiet', 6, 'upright'),
  failures: is('ink', 0, 'cross'),
  over: is('ink', 0, 'up'),
  alike: is('quiet', 0, 'down'),
  whole: is('quiet', 30),
} as const satisfies Readonly<Record<string, Look>>;

export type Part = keyof typeof looks;

export const isPart = (name: string): name is Part => Object.hasOwn(looks, name);

const strengths = [60, 15, 40, 25];
const order = [undefined, 'up', 'dots', 'down', 'grid'] as const;

/** Looks of kinds that are parts of one part, by their index; the lists have different lengths, so that
 * a look comes back only after twenty. */
export const kindOf = (tone: Tone, index: number): Look => ({
  tone,
  strength: strengths[index % strengths.length]!,
  texture: order[index % order.length],
});

/** Its ground, as a colour of a style sheet. */
export const groundOf = ({ tone, strength }: Look): string =>
  strength === 100
    ? `var(--${tone})`
    : `color-mix(in oklab, var(--${tone}) ${strength}%, var(--paper))`;

/** The line around it: paper between parts, and what keeps a pale one from being taken for none. */
export const edgeOf = ({ strength }: Look): string =>
  strength < 10 ? 'var(--quiet)' : 'var(--paper)';

/** How letters stand on it: as paper on a full colour; on a plate of its plain ground over a texture,
 * and of its full colour where ink could not be read on it. */
export const lettersOn = ({
  strength,
  texture,
}: Look): { letters: '' | 'on'; plate?: 'plate' | 'full plate' } => {
  if (strength > 50) {
    return strength === 100 && !texture
      ? { letters: 'on' }
      : { letters: 'on', plate: 'full plate' };
  }
  return texture ? { letters: '', plate: 'plate' } : { letters: '' };
};

/** A texture's tile, over a ground where `grounded`: the fill `url(#id)`. */
export function pattern(id: string, look: Look, grounded = false): TemplateResult {
  const { size, d, filled } = look.texture ? textures[look.texture] : { size: 8, d: '' };
  // On a strong colour lines are paper.
  const ink = `var(--${look.strength > 50 ? 'paper' : look.tone})`;
  return svg`<pattern id=${id} width=${size} height=${size} patternUnits="userSpaceOnUse">
    ${grounded ? svg`<rect width=${size} height=${size} fill=${groundOf(look)} />` : ''}
    <path d=${d} fill=${filled ? ink : 'none'} stroke=${filled ? 'none' : ink} stroke-width="1" />
  </pattern>`;
}

/** The textures of parts, each with the id `prefix-part`. */
export const patterns = (prefix: string, parts: readonly Part[]): TemplateResult[] =>
  [...new Set(parts)]
    .filter((part) => (looks[part] as Look).texture)
    .map((part) => pattern(`${prefix}-${part}`, looks[part]));
