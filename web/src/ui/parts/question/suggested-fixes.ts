import { html, nothing } from 'lit';
import type { Issue } from '../../../engine/index.ts';
import { inPowersOfTwo } from '../../../number/parse.ts';
import { evaluateNearby, type Reply } from '../../../model/evaluate.ts';
import { withField, type State } from '../../../model/state.ts';
import type { FieldId } from '../../../model/fields.ts';
import { suggestAtFields } from './field.ts';
import type { Scope } from '../../kit/scope.ts';
import { viewOf, type Fix } from '../view.ts';

/** What the reader could do about what is wrong; each has been tried. */
export function suggestedFixes(
  scope: Scope,
  ask: (state: State) => Reply,
  issues: readonly Issue[],
  reply: Reply,
): Fix[] {
  const view = viewOf(scope);
  const candidates = reply.ok ? [] : issues.flatMap((issue) => fixesOf(scope, issue));
  const others = view.fixes?.(scope, ask, issues, reply) ?? [];
  const working = [...candidates, ...others].filter(({ state }) => {
    const tried = ask(state);
    return tried.ok && (view.fits?.(tried) ?? true);
  });
  return working.filter(
    ({ says }, index) => working.findIndex((each) => each.says === says) === index,
  );
}

/** Fields whose numbers may be what is wrong, besides the one that is told of. */
const related: Partial<Record<string, readonly FieldId[]>> = {
  notWholeSequences: ['run.sequenceLength', 'run.batchTokens'],
  contextDoesntDivide: ['run.sequenceLength'],
};

type Meant = [FieldId, number];

/** The field's number, where it is one of round thousands, as a power of two. */
function meantBy(scope: Scope, field: FieldId): Meant[] {
  const value = scope.value(field);
  const binary = typeof value === 'number' ? inPowersOfTwo(value) : undefined;
  return binary === undefined ? [] : [[field, binary]];
}

/** Round thousands that may be meant as powers of two: 8,192 where 8,000 does not go with the rest. */
function powerOfTwoFix(scope: Scope, id: FieldId): (Fix & { label: string }) | undefined {
  const wrong = [...scope.issues, ...scope.notices];
  if (scope.drafts.size > 0) return undefined;
  for (const issue of wrong.filter(({ field }) => field === id)) {
    const meant = (related[issue.code] ?? [id]).flatMap((field) => meantBy(scope, field));
    for (const changes of [...meant.map((one) => [one]), meant]) {
      if (changes.length === 0) continue;
      const { state } = suggest(scope, '', ...changes);
      const reply = evaluateNearby(scope.engine, state);
      if (!reply.ok || reply.notices.some(({ code }) => code === issue.code)) continue;
      return inWords(scope, changes, state);
    }
  }
  // Sequences are nearly always as long as a power of two.
  const meant = id === 'run.sequenceLength' && wrong.length === 0 ? meantBy(scope, id) : [];
  return meant.length > 0 ? inWords(scope, meant, suggest(scope, '', ...meant).state) : undefined;
}

function inWords(scope: Scope, changes: Meant[], state: State): Fix & { label: string } {
  const { binary, value, and } = scope.text.offers;
  const ask = (sentence: string): string => {
    const said = changes.map(([field, number]) =>
      scope.fill(sentence, { field: scope.label(field), value: scope.say(field, number) }),
    );
    return scope.fill(binary, { value: said.join(and) });
  };
  return { says: ask('{value}'), label: ask(value), state };
}

suggestAtFields((scope, id) => {
  const offered = powerOfTwoFix(scope, id);
  if (!offered) return nothing;
  const { says, label, state } = offered;
  const told = scope.messages(id).length > 0;
  const exactly = scope.fill(scope.text.offers.exactly, { value: scope.say(id, scope.value(id)) });
  return html`${told ? nothing : html`<span>${exactly}</span> `}<button
      type="button"
      class="binary"
      aria-label=${label}
      @click=${() => scope.actions.go(state)}
    >
      ${says}
    </button>`;
});

export type Change = [id: FieldId, value: number | string];

export function suggest(scope: Scope, sentence: string, ...changes: Change[]): Fix {
  let { state } = scope;
  const parts: Record<string, string> = {};
  const numbers: Record<string, number> = {};
  for (const [id, value] of changes) {
    state = withField(scope.description, state, id, value);
    const key = id.slice(id.indexOf('.') + 1);
    parts[key] = scope.say(id, value);
    numbers[key] = Number(value);
  }
  return { says: scope.fill(sentence, parts, numbers), state };
}

/** It cannot be computed as asked. */
function fixesOf(scope: Scope, issue: Issue): Fix[] {
  const { offers: says } = scope.text;
  const id = issue.field as FieldId;
  const { maximum, slices, chips, queries, sequenceLength, tokens } = issue.arguments;
  const set = (value: number | string): Fix =>
    named(scope, id, suggest(scope, says.value, [id, value]));
  switch (issue.code) {
    case 'moreChipsThanNetwork': {
      const wanted = Number(scope.value('run.chips'));
      const podChips = Number(maximum) / Number(scope.value('run.slices'));
      // Whole slices of equal size, as near as can be to what was asked for.
      const whole = Number(slices) * Math.min(podChips, Math.ceil(wanted / Number(slices)));
      return [
        suggest(scope, says.chips, ['run.chips', Number(maximum)]),
        suggest(scope, says.slices, ['run.chips', whole], ['run.slices', Number(slices)]),
      ];
    }
    case 'slicesDontDivide': {
      const count = Number(scope.value('run.slices'));
      const whole = Math.max(1, Math.round(Number(chips) / count)) * count;
      return [
        suggest(scope, says.chips, ['run.chips', whole]),
        suggest(scope, says.oneSlice, ['run.slices', 1]),
      ];
    }
    case 'moreChipsThanAxis':
    case 'distanceBeyondAxis':
      return [set(Number(maximum))];
    case 'moreChipsThanRows':
      return [set(Math.max(1, Math.floor(Number(maximum) / chipsBeside(scope))))];
    case 'levelNotListed':
      return [suggest(scope, says.operandsIn, [id, 'hbm'])];
    case 'keysBelowQueries':
      return [set(Number(queries))];
    case 'noExperts':
      return [suggest(scope, says.kind, [id, 'feedForward'])];
    case 'formatNotSupported':
      return scope
        .info(id)
        .choices.filter((format) => scope.value(`chip.${peakOf(format)}`) !== null)
        .map((format) => suggest(scope, says.format, [id, format]))
        .slice(0, 3);
    case 'batchBelowSequence':
      return [
        suggest(scope, says.batch, ['run.batchTokens', Number(sequenceLength)]),
        suggest(scope, says.sequence, [
          'run.sequenceLength',
          Number(scope.value('run.batchTokens')),
        ]),
      ];
    case 'batchAboveTokens':
      return [suggest(scope, says.batch, ['run.batchTokens', Number(tokens)])];
    case 'belowMinimum':
      return [set(scope.info(id).min)];
    case 'aboveMaximum':
      return [set(scope.info(id).max)];
    default:
      return [];
  }
}

/** Chips of the mesh for each one along X. */
const chipsBeside = (scope: Scope): number =>
  Number(scope.value('mesh.y')) * Number(scope.value('mesh.z'));

const peakOf = (format: string): string =>
  `peak${format.charAt(0).toUpperCase()}${format.slice(1)}`;

function named(scope: Scope, id: FieldId, { state }: Fix): Fix {
  const key = id.slice(id.indexOf('.') + 1);
  const group = id.slice(0, id.indexOf('.')) as keyof State['edits'];
  const value = state.edits[group][key] ?? scope.base(id);
  return {
    says: scope.fill(scope.text.offers.value, {
      field: scope.label(id),
      value: scope.say(id, value),
    }),
    state,
  };
}
