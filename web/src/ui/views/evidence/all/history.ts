// The errors by version.

import { html, nothing, type TemplateResult } from 'lit';
import file from '../../../../../../shared/evidence-history.json';
import { disclosure } from '../../../kit/disclosure.ts';
import type { RenderContext } from '../../../kit/render-context.ts';
import type { Measure } from '../runs/run.ts';
import type { EvidenceWords } from '../runs/words.ts';

type Figures = readonly [median: number, ninth: number, covered: number | null];
interface Version {
  date: string;
  figures: Record<string, Figures | null>;
  worse?: readonly { why: Record<string, string> }[];
}
const versions = file.versions as unknown as readonly Version[];

type Group = keyof EvidenceWords['history']['groups'];

/** The groups of runs by what was measured of them, and what each is called if not by its name. */
const groupsOf: Record<Measure, readonly (Group | readonly [key: string, name: Group])[]> = {
  stepTime: ['dense', 'moe', 'tpu', 'software'],
  tuningStep: ['tuningStep'],
  tuningMemory: ['tuningMemory'],
  outputSpeed: ['outputSpeed', ['engineSpeed', 'engine']],
  tokenTime: ['tokenTime', ['engineToken', 'engine']],
  firstToken: ['firstToken', ['engineFirst', 'engine']],
};

/** The groups with their names. */
const named = (measure: Measure): (readonly [key: string, name: Group])[] =>
  groupsOf[measure].map((group) => (typeof group === 'string' ? [group, group] : group));

const sayPercent = (ctx: RenderContext, percent: number): string =>
  ctx.format.say(percent / 100, '%');

/** What the last group of a measure was left out by: whole frameworks, engines or sources. */
const leftOut: Record<Measure, keyof EvidenceWords['leftOut']> = {
  stepTime: 'framework',
  tuningStep: 'source',
  tuningMemory: 'source',
  outputSpeed: 'engine',
  tokenTime: 'engine',
  firstToken: 'engine',
};

/** The errors of the newest version on what constants were not fitted to, in a sentence. */
export function sayLeftOut(ctx: RenderContext, words: EvidenceWords, measure: Measure): string {
  const [key] = named(measure).at(-1)!;
  const [median, ninth, covered] = versions.at(-1)!.figures[key]!;
  return ctx.fill(words.leftOut[leftOut[measure]], {
    median: sayPercent(ctx, median),
    ninth: sayPercent(ctx, ninth),
    covered: sayPercent(ctx, covered!),
  });
}

/** Errors on runs that were kept from the fit, the newest version first. */
export function renderHistory(
  ctx: RenderContext,
  words: EvidenceWords,
  measure: Measure,
): TemplateResult {
  const { history } = words;
  const groups = named(measure);
  const say = (percent: number): string => sayPercent(ctx, percent);
  const cell = (figures: Figures | null | undefined): TemplateResult => {
    if (!figures) return html`–`;
    const [median, ninth, covered] = figures;
    return html`${say(median)} /
    ${say(ninth)}${
      covered === null
        ? nothing
        : html`<span class="note">${ctx.fill(history.covered, { covered: say(covered) })}</span>`
    }`;
  };
  return disclosure(
    ctx,
    {
      part: 'evidence history',
      kind: 'panel',
      summary: html`<span class="title">${history.title}</span>`,
    },
    () =>
      html`<div class="inside">
        <p class="means">${history.means}</p>
        <div class="errors" role="group" tabindex="0" aria-label=${history.title}>
          <table>
            <thead>
              <tr>
                <th scope="col" class="words">${history.version}</th>
                ${groups.map(([, name]) => html`<th scope="col">${history.groups[name]}</th>`)}
              </tr>
            </thead>
            <tbody>
              ${[...versions].reverse().map(
                ({ date, figures }) =>
                  html`<tr>
                    <th scope="row" class="words">${date}</th>
                    ${groups.map(([key]) => html`<td>${cell(figures[key])}</td>`)}
                  </tr>`,
              )}
            </tbody>
          </table>
        </div>
        ${[...versions]
          .reverse()
          .flatMap(({ date, worse = [] }) =>
            worse.map(
              ({ why }) =>
                html`<p class="note">
                  ${ctx.fill(history.worse, { date, why: why[ctx.language] ?? why.en! })}
                </p>`,
            ),
          )}
      </div>`,
  );
}
