// Launches on the command line: what was read of one, and what can't be said in one, on the error stream.

import type { ReadLaunch } from '../asking/asking.ts';
import type { Written } from '../launch/write.ts';
import { leadOf, troubleOf } from '../ui/features/custom/launch.ts';
import type { RenderContext } from '../ui/kit/render-context.ts';
import type { PartTexts } from '../i18n/dictionary.ts';

/** What was read: the model, what is assumed, and what was not used. */
export function readingText({ launch, says, software, refusals }: ReadLaunch): string {
  const { own, ctx } = says;
  const assumed = launch.assumptions.map(
    ({ code, field, value }) =>
      `${ctx.label(field)} ${ctx.say(field, value)} (${ctx.fill(own.launch.reasons[code], { software })})`,
  );
  const lines = [
    ...leadOf(says, launch, software),
    ...(refusals.length > 0 ? [refusedText(ctx, own.launch.refuses, software, refusals)] : []),
    ...launch.troubles.map((each) => troubleOf(says, each)),
    ...assumed,
    ...(launch.unplaced.length > 0
      ? [`${ctx.fill(own.launch.unplaced, { software })} ${launch.unplaced.join(', ')}`]
      : []),
    ...(launch.unknown.length > 0
      ? [
          `${ctx.fill(own.ignored, { n: String(launch.unknown.length) }, { n: launch.unknown.length })}: ${launch.unknown.join(', ')}`,
        ]
      : []),
  ];
  return `${lines.join('\n')}\n`;
}

/** What a software refuses, in its own words. */
export const refusedText = (
  ctx: RenderContext,
  heading: string,
  software: string,
  words: readonly string[],
): string => [ctx.fill(heading, { software }), ...words].join('\n');

/** What a launch does not say of the layout. */
export function lossText(
  ctx: RenderContext,
  { launch: words }: PartTexts<'share'>,
  software: string,
  { lost, withoutModel, instances }: Written,
): string {
  const lines = [
    ...(lost.length > 0 ? [ctx.fill(words.lost, { software })] : []),
    ...lost.map(({ field, value, becomes }) => {
      const parts = { software, field: ctx.label(field), value: ctx.say(field, value) };
      return becomes === undefined
        ? ctx.fill(words.left, parts)
        : ctx.fill(words.instead, { ...parts, becomes: ctx.say(field, becomes) });
    }),
    ...(withoutModel ? [words.model] : []),
    ...(instances > 1
      ? [ctx.fill(words.instances, { n: ctx.format.count(instances) }, { n: instances })]
      : []),
  ];
  return lines.map((line) => `${line}\n`).join('');
}
