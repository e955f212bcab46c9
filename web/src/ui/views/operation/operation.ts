import type { GroupName } from '../../../engine/index.ts';
import { splitId, type FieldId } from '../../../model/fields.ts';
import { explorer } from '../../parts/explorer/lazy-explorer.ts';
import { mesh } from '../../parts/question/mesh.ts';
import { operationRows } from './operation-answers.ts';
import type { Results } from '../../kit/results.ts';
import type { RenderContext } from '../../kit/render-context.ts';
import { fieldsOf, type View } from '../../parts/view.ts';

/** The view of one operation and its bound: the roofline explorer. */
export const operation: View = {
  sentence,
  groups: ['operation', 'mesh'],
  panels(ctx) {
    const asked = (group: GroupName): FieldId[] => (ctx.asksFor(group) ? fieldsOf(ctx, group) : []);
    return [
      {
        key: 'operation',
        group: 'operation',
        fields: fieldsOf(ctx, 'operation').filter((id) => !isIdle(ctx, id)),
      },
      { key: 'mesh', group: 'mesh', fields: asked('mesh') },
      { key: 'chip', group: 'chip', fields: fieldsOf(ctx, 'chip') },
      { key: 'model', group: 'model', fields: asked('model') },
    ];
  },
  rows: operationRows,
  summary,
  figures: explorer,
};

type Sentences = RenderContext['text']['sentence']['operation'];

/** Kinds that are asked for in the words of others. */
const likewise: Record<string, keyof Sentences> = {
  norm: 'modelTokensMoved',
  embedding: 'modelTokensMoved',
  qkvProjection: 'modelTokens',
  outputProjection: 'modelTokens',
  feedForward: 'modelTokens',
  router: 'modelTokens',
  experts: 'modelTokens',
  lmHead: 'modelTokens',
  attentionScores: 'modelAttention',
  attentionValues: 'modelAttention',
  attentionCore: 'modelAttention',
};

function sentence(ctx: RenderContext): string {
  const kind = String(ctx.value('operation.kind'));
  const latent = kind === 'attention' && ctx.value('operation.attention') === 'latent';
  const key = latent ? 'latentAttention' : (likewise[kind] ?? (kind as keyof Sentences));
  return ctx.text.sentence.operation[key]
    .replace('{mesh}', mesh(ctx))
    .replace('{joined}', joined(ctx));
}

/** The way in which the parts of a sharded matmul are joined, if there is a choice. */
function joined(ctx: RenderContext): string {
  const { joined: ways } = ctx.text.sentence;
  const activations = ctx.value('operation.activationSharding');
  const weights = ctx.value('operation.weightSharding');
  if (activations === 'contraction' && weights === 'contraction') return ways.reduced;
  return activations === 'batch' && weights === 'output' ? ways.gathered : '';
}

/** Whether a field changes nothing, which depends on more than one other. */
function isIdle(ctx: RenderContext, id: FieldId): boolean {
  const ofRequest = ctx.value('operation.kind') === 'attention';
  switch (id) {
    case 'operation.latentForm':
      return ctx.value(ofRequest ? 'operation.attention' : 'model.attention') !== 'latent';
    case 'operation.gathered':
    case 'operation.reduction':
      return !joined(ctx).includes(`{${splitId(id)[1]}}`);
    default:
      return false;
  }
}

function summary(ctx: RenderContext, results: Results): string {
  const { summary: sentences } = ctx.text;
  const moves = results.number('flops') === 0;
  const known = results.number('lowerBound') !== undefined;
  const sentence = moves ? sentences.operationMoves : sentences.operation;
  return ctx.fill(known ? sentence : sentences.operationUnknown, {
    bound: results.say('bound'),
    time: results.say('lowerBound'),
    fraction: results.say('fractionOfPeak'),
  });
}
