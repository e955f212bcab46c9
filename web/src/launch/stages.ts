// The layers of each stage of a pipeline, as Megatron-LM writes them: E is the embedding, t a layer, m
// an MTP module, L the loss, | stands between parts (--pipeline-model-parallel-layout).

import type { Ours, Read, Write } from './values.ts';

/** The layers of each stage where the first and the last have numbers of their own. */
export function uneven(
  read: Read,
  first: number | undefined,
  last: number | undefined,
): Ours | undefined {
  const stages = read.number('layout.pipeline');
  const layers = read.number('model.layers');
  const middle = stages - (first === undefined ? 0 : 1) - (last === undefined ? 0 : 1);
  const each = (layers - (first ?? 0) - (last ?? 0)) / middle;
  if (!(stages > 1 && middle > 0 && Number.isInteger(each) && each >= 0)) return undefined;
  const list = [first ?? [], middle > 1 ? `${each}*${middle}` : each, last ?? []].flat();
  return { 'layout.stageLayers': list.join(',') };
}

/** What reads and writes have in common. */
type Fields = Pick<Write, 'of' | 'number'>;

/** The layout of stages that the options for even ones do not tell: the reader's own, or layers that
 * do not divide by stages or chunks. */
export function stagesOf(ours: Fields): string | undefined {
  const text = String(ours.of('layout.stageLayers') ?? '');
  const schedule = ours.of('layout.schedule');
  if (text === '' && schedule === 'interleaved') {
    return spread(ours, ours.number('layout.virtualStages'));
  }
  if (text === '') return schedule === 'oneFOneB' ? spread(ours, 1) : undefined;
  if (/[a-zA-Z]/.test(text)) return text;
  if (ours.number('layout.virtualStages') > 1) return undefined;
  const counts = text.split(',').flatMap((part) => {
    const [count = '', times = '1'] = part.trim().split('*');
    return Array.from({ length: Math.min(Number(times), 10_000) }, () => Number(count));
  });
  return layoutOf(counts, 0);
}

/** Layers spread over the parts as evenly as they go, as they are costed; undefined where all parts
 * have as many. The ends have one fewer first, then the stages before the last; the first stage lacks
 * layers in its first chunks, others in their last ones. */
export function spread(ours: Fields, chunks: number): string | undefined {
  const layers = ours.number('model.layers');
  const stages = ours.number('layout.pipeline');
  if (!(stages > 1 && layers > 0) || layers % (stages * chunks) === 0) return undefined;
  const most = Math.ceil(layers / stages);
  const spare = stages * most - layers;
  const ofStage = (stage: number): number => {
    const place = stage === stages - 1 ? 1 : stage === 0 ? 2 : stages - stage + 1;
    return spare >= place ? most - 1 : most;
  };
  const parts = Array.from({ length: stages * chunks }, (_, part) => {
    const [stage, round] = [part % stages, Math.floor(part / stages)];
    const least = Math.floor(ofStage(stage) / chunks);
    const longer = ofStage(stage) % chunks;
    const hasMore = stage === 0 ? round >= chunks - longer : round < longer;
    return hasMore ? least + 1 : least;
  });
  return layoutOf(parts, ours.number('model.mtpModules'));
}

/** Parts of so many layers; those that are alike are written once. */
function layoutOf(counts: readonly number[], modules: number): string {
  const written = (count: number): string => (count > 1 ? `t*${count}` : 't'.repeat(count));
  let text = 'E';
  for (let part = 0; part < counts.length - 1;) {
    let end = part + 1;
    while (end < counts.length - 1 && counts[end] === counts[part]) end += 1;
    const each = `${written(counts[part]!)}|`;
    text += end - part > 1 ? `(${each})*${end - part}` : each;
    part = end;
  }
  return `${text}${written(counts.at(-1)!)}${'m'.repeat(modules)}L`;
}

/** The number of parts that a layout has; NaN of one that is too long. */
export function partsIn(text: string): number {
  let open = text.replaceAll(',', '');
  for (let turn = 0; turn < 100 && open.includes('('); turn += 1) {
    open = open.replace(/\(([^()]*)\)\*?(\d*)/g, (_, inner: string, times: string) =>
      inner.repeat(Math.min(Number(times || 1), 10_000)),
    );
    if (open.length > 1e6) return NaN;
  }
  // A bar is written several times as `|*3`.
  open = open.replace(/\|\*(\d+)/g, (_, times: string) =>
    '|'.repeat(Math.min(Number(times), 10_000)),
  );
  return open.split('|').length;
}
