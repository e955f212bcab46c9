import { html, nothing } from 'lit';
import { stay } from '../../../dom/stay.ts';
import type { Issue } from '../../../engine/index.ts';
import { inPowersOfTwo } from '../../../number/parse.ts';
import { evaluateNearby, type Reply } from '../../../model/evaluate.ts';
import { withField, type State } from '../../../model/state.ts';
import type { FieldId } from '../../../model/fields.ts';
import type { Features, RenderContext } from '../../kit/render-context.ts';
import { viewOf, type Fix } from '../view.ts';

/** Suggests fixes for an invalid or infeasible input; each has been evaluated. */
export function suggestedFixes(ctx: RenderContext, reply: Reply): Fix[] {
  const view = viewOf(ctx);
  const candidates = reply.ok ? [] : ctx.issues.flatMap((issue) => fixesOf(ctx, issue));
  const others = view.fixes?.(ctx, reply) ?? [];
  const working = [...candidates, ...others].filter(({ state, assumes }) => {
    const tried = evaluateNearby(ctx.engine, state);
    return tried.ok && (assumes || (view.fits?.(tried) ?? true));
  });
  return working.filter(
    ({ says }, index) => working.findIndex((each) => each.says === says) === index,
  );
}

/** Other fields that can cause an issue, by its code. */
const related: Partial<Record<string, readonly FieldId[]>> = {
  notWholeSequences: ['run.sequenceLength', 'run.batchTokens'],
  contextDoesntDivide: ['run.sequenceLength'],
};

type Meant = [FieldId, number];

/** The field's number, where it is one of round thousands, as a power of two. */
function meantBy(ctx: RenderContext, field: FieldId): Meant[] {
  const value = ctx.value(field);
  const binary = typeof value === 'number' ? inPowersOfTwo(value) : undefined;
  return binary === undefined ? [] : [[field, binary]];
}

/** Suggests powers of two for round thousands that do not fit: 8,192 for 8,000. */
function powerOfTwoFix(ctx: RenderContext, id: FieldId): (Fix & { label: string }) | undefined {
  const wrong = [...ctx.issues, ...ctx.notices];
  if (ctx.drafts.size > 0) return undefined;
  for (const issue of wrong.filter(({ field }) => field === id)) {
    const meant = (related[issue.code] ?? [id]).flatMap((field) => meantBy(ctx, field));
    for (const changes of [...meant.map((one) => [one]), meant]) {
      if (changes.length === 0) continue;
      const { state } = suggest(ctx, '', ...changes);
      const reply = evaluateNearby(ctx.engine, state);
      if (!reply.ok || reply.notices.some(({ code }) => code === issue.code)) continue;
      return inWords(ctx, changes, state);
    }
  }
  // Sequences are nearly always as long as a power of two.
  const meant = id === 'run.sequenceLength' && wrong.length === 0 ? meantBy(ctx, id) : [];
  return meant.length > 0 ? inWords(ctx, meant, suggest(ctx, '', ...meant).state) : undefined;
}

function inWords(ctx: RenderContext, changes: Meant[], state: State): Fix & { label: string } {
  const { binary, value, and } = ctx.text.offers;
  const ask = (sentence: string): string => {
    const said = changes.map(([field, number]) =>
      ctx.fill(sentence, { field: ctx.label(field), value: ctx.say(field, number) }),
    );
    return ctx.fill(binary, { value: said.join(and) });
  };
  return { says: ask('{value}'), label: ask(value), state };
}

/** Suggests powers of two for round thousands, beside their field. */
export const fixesAt: Required<Features>['fixesAt'] = (ctx, id) => {
  const offered = powerOfTwoFix(ctx, id);
  if (!offered) return nothing;
  const { says, label, state } = offered;
  const told = ctx.messages(id).length > 0;
  const exactly = ctx.fill(ctx.text.offers.exactly, { value: ctx.say(id, ctx.value(id)) });
  // The field keeps the focus until the click: what it writes as it leaves may move the button.
  return html`${told ? nothing : html`<span>${exactly}</span> `}<button
      type="button"
      class="binary"
      aria-label=${label}
      @mousedown=${stay}
      @click=${() => ctx.actions.go(state)}
    >
      ${says}
    </button>`;
};

export type Change = [id: FieldId, value: number | string];

export function suggest(ctx: RenderContext, sentence: string, ...changes: Change[]): Fix {
  let { state } = ctx;
  const parts: Record<string, string> = {};
  const numbers: Record<string, number> = {};
  for (const [id, value] of changes) {
    state = withField(ctx.description, state, id, value);
    const key = id.slice(id.indexOf('.') + 1);
    parts[key] = ctx.say(id, value);
    numbers[key] = Number(value);
  }
  return { says: ctx.fill(sentence, parts, numbers), state };
}

/** Figures that chips without a published one may be assumed to have. */
function assumed(ctx: RenderContext, id: FieldId): Fix[] {
  const { offers: says } = ctx.text;
  const assume = (sentence: string, value: number): Fix => ({
    ...suggest(ctx, sentence, [id, value]),
    assumes: true,
  });
  if (id === 'chip.scaleOutBandwidth') return [assume(says.assumeNic, 5e10)];
  if (id === 'chip.hostBandwidth') return [assume(says.assumePcie, 6.3e10)];
  const eight = ctx.value('chip.peakFp8') ?? ctx.value('chip.peakInt8');
  const four = ctx.value('chip.peakFp4') ?? ctx.value('chip.peakInt4');
  if (id !== 'chip.peakBf16') return [];
  if (eight !== null) return [assume(says.assumeHalf, Number(eight) / 2)];
  return four === null ? [] : [assume(says.assumeQuarter, Number(four) / 4)];
}

/** The greatest common divisor; none unless both are whole. */
const commonDivisor = (one: number, other: number): number | undefined =>
  !Number.isInteger(other) ? undefined : other === 0 ? one : commonDivisor(other, one % other);

/** Suggests fixes for an issue. */
function fixesOf(ctx: RenderContext, issue: Issue): Fix[] {
  const { offers: says } = ctx.text;
  const id = issue.field as FieldId;
  const { maximum, slices, chips, queries, sequenceLength, tokens } = issue.arguments;
  const set = (value: number | string): Fix =>
    named(ctx, id, suggest(ctx, says.value, [id, value]));
  switch (issue.code) {
    case 'moreChipsThanNetwork': {
      const wanted = Number(ctx.value('run.chips'));
      const podChips = Number(maximum) / Number(ctx.value('run.slices'));
      // Whole slices of equal size, as near as can be to what was asked for.
      const whole = Number(slices) * Math.min(podChips, Math.ceil(wanted / Number(slices)));
      return [
        suggest(ctx, says.chips, ['run.chips', Number(maximum)]),
        suggest(ctx, says.slices, ['run.chips', whole], ['run.slices', Number(slices)]),
      ];
    }
    case 'slicesDontDivide': {
      const count = Number(ctx.value('run.slices'));
      const whole = Math.max(1, Math.round(Number(chips) / count)) * count;
      return [
        suggest(ctx, says.chips, ['run.chips', whole]),
        suggest(ctx, says.oneSlice, ['run.slices', 1]),
      ];
    }
    case 'waysDontDivide': {
      // One degree at a time, as high as the others leave room for.
      const { tensor, context, pipeline } = issue.arguments;
      const degrees = Object.entries({ context, tensor, pipeline });
      return degrees.flatMap(([key, degree]) => {
        const others = degrees.reduce((all, [other, n]) => (other === key ? all : all * n!), 1);
        const most = commonDivisor(Number(degree), Number(chips) / others);
        const way: FieldId = `layout.${key}`;
        return most ? [named(ctx, way, suggest(ctx, says.value, [way, most]))] : [];
      });
    }
    case 'moreChipsThanAxis':
    case 'distanceBeyondAxis':
      return [set(Number(maximum))];
    case 'moreChipsThanRows':
      return [set(Math.max(1, Math.floor(Number(maximum) / chipsBeside(ctx))))];
    case 'levelNotListed':
      return [suggest(ctx, says.operandsIn, [id, 'hbm'])];
    case 'keysBelowQueries':
      return [set(Number(queries))];
    case 'noExperts':
      return [suggest(ctx, says.kind, [id, 'feedForward'])];
    case 'bandwidthNotListed':
      return assumed(ctx, id);
    case 'formatNotSupported':
      if (ctx.info(id).kind !== 'choice') return assumed(ctx, id);
      return ctx
        .info(id)
        .choices.filter((format) => ctx.value(`chip.${peakOf(format)}`) !== null)
        .map((format) => suggest(ctx, says.format, [id, format]))
        .slice(0, 3);
    case 'batchBelowSequence':
      return [
        suggest(ctx, says.batch, ['run.batchTokens', Number(sequenceLength)]),
        suggest(ctx, says.sequence, ['run.sequenceLength', Number(ctx.value('run.batchTokens'))]),
      ];
    case 'batchAboveTokens':
      return [suggest(ctx, says.batch, ['run.batchTokens', Number(tokens)])];
    case 'belowMinimum':
      return [set(ctx.info(id).min)];
    case 'aboveMaximum':
      return [set(ctx.info(id).max)];
    default:
      return [];
  }
}

/** Chips of the mesh for each one along X. */
const chipsBeside = (ctx: RenderContext): number =>
  Number(ctx.value('mesh.y')) * Number(ctx.value('mesh.z'));

const peakOf = (format: string): string =>
  `peak${format.charAt(0).toUpperCase()}${format.slice(1)}`;

function named(ctx: RenderContext, id: FieldId, { state }: Fix): Fix {
  const key = id.slice(id.indexOf('.') + 1);
  const group = id.slice(0, id.indexOf('.')) as keyof State['edits'];
  const value = state.edits[group][key] ?? ctx.base(id);
  return {
    says: ctx.fill(ctx.text.offers.value, {
      field: ctx.label(id),
      value: ctx.say(id, value),
    }),
    state,
  };
}
