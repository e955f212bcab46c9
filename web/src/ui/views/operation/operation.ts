import { isModelKind } from '../../../model/presentation.ts';
import { splitId, type FieldId } from '../../../model/fields.ts';
import { chipFields, priceFields } from '../../parts/question/chip-fields.ts';
import { explorer } from '../../parts/explorer/lazy-explorer.ts';
import { mesh, spansChips } from '../../parts/question/mesh.ts';
import { operationRows } from './operation-answers.ts';
import type { Results } from '../../parts/answers/results.ts';
import type { Scope } from '../../kit/scope.ts';
import { fieldsOf, type View } from '../../parts/view.ts';

/** What bounds one operation: the roofline explorer. */
export const operation: View = {
  sentence,
  groups: ['operation', 'mesh'],
  panels(scope) {
    const ofModel = isModelKind(String(scope.value('operation.kind')));
    return [
      {
        key: 'operation',
        group: 'operation',
        fields: fieldsOf(scope, 'operation').filter((id) => !isIdle(scope, id)),
      },
      { key: 'mesh', group: 'mesh', fields: spansChips(scope) ? fieldsOf(scope, 'mesh') : [] },
      {
        key: 'chip',
        group: 'chip',
        fields: chipFields(scope, (key) => !priceFields.includes(key)),
      },
      { key: 'model', group: 'model', fields: ofModel ? fieldsOf(scope, 'model') : [] },
    ];
  },
  large: ['lowerBound', 'bound'],
  rows: operationRows,
  summary,
  figures: explorer,
};

type Sentences = Scope['text']['sentence']['operation'];

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

function sentence(scope: Scope): string {
  const kind = String(scope.value('operation.kind'));
  const latent = kind === 'attention' && scope.value('operation.attention') === 'latent';
  const key = latent ? 'latentAttention' : (likewise[kind] ?? (kind as keyof Sentences));
  return scope.text.sentence.operation[key]
    .replace('{mesh}', mesh(scope))
    .replace('{joined}', joined(scope));
}

/** How the parts of a sharded matmul come together, where there is a choice. */
function joined(scope: Scope): string {
  const { joined: ways } = scope.text.sentence;
  const activations = scope.value('operation.activationSharding');
  const weights = scope.value('operation.weightSharding');
  if (activations === 'contraction' && weights === 'contraction') return ways.reduced;
  return activations === 'batch' && weights === 'output' ? ways.gathered : '';
}

/** Whether a field changes nothing, which depends on more than one other. */
function isIdle(scope: Scope, id: FieldId): boolean {
  const ofRequest = scope.value('operation.kind') === 'attention';
  switch (id) {
    case 'operation.latentForm':
      return scope.value(ofRequest ? 'operation.attention' : 'model.attention') !== 'latent';
    case 'operation.gathered':
    case 'operation.reduction':
      return !joined(scope).includes(`{${splitId(id)[1]}}`);
    default:
      return false;
  }
}

function summary(scope: Scope, results: Results): string {
  const { summary: sentences } = scope.text;
  const moves = results.number('flops') === 0;
  const known = results.number('lowerBound') !== undefined;
  const sentence = moves ? sentences.operationMoves : sentences.operation;
  return scope.fill(known ? sentence : sentences.operationUnknown, {
    bound: results.say('bound'),
    time: results.say('lowerBound'),
    fraction: results.say('fractionOfPeak'),
  });
}
