// The printed report: on one page what was asked, what came out, what was assumed, and the sources; on
// further pages, if the reader wants them, every derivation and the charts that are shown.

import { data, version } from 'virtual:version';
import { html, nothing, render, type TemplateResult } from 'lit';
import { sourceOf } from '../../../model/sources.ts';
import {
  chipSources,
  modelOf,
  modelSources,
  optimizerOf,
  type Source,
} from '../../../model/presets.ts';
import { splitId, type FieldId } from '../../../model/fields.ts';
import { writeAddress } from '../../../link/address.ts';
import { tagOf } from '../../../i18n/language.ts';
import { sourcesOf } from '../../parts/question/assumptions.ts';
import { inFull, type Printed } from './printed.ts';
import { questionFields, questionText } from '../../parts/question/question.ts';
import type { Results } from '../../kit/results.ts';
import { type Row, viewOf } from '../../parts/view.ts';
import type { RenderContext } from '../../kit/render-context.ts';
import { isBeside } from '../../kit/title.ts';
import text from './report.css?inline';
import { Paper } from './steps.ts';
import { adopt, sheetOf } from '../../../dom/sheet.ts';

const style = sheetOf(text);

/** The report's parts before the page's charts, and after them. */
let parts: HTMLElement[] = [];

/** Puts the report into the page, where only printers see it. */
export function show({ ctx, results, root }: Printed): void {
  hide();
  adopt(root, style);
  const paper = new Paper(ctx);
  const rows = rowsOf(ctx, results);
  const isFull = ctx.open.has(inFull);
  // Derivations that are not printed are made, too: their sources are listed.
  const derived = derivations(ctx, results, rows, paper);
  const before = html`${head(ctx, results, rows, root)} ${isFull ? derived : nothing}`;
  parts = [before, foot(ctx, paper.sources, sourcesOf(ctx))].map((content) => {
    const part = document.createElement('div');
    part.className = 'report';
    render(content, part);
    return part;
  });
  root.prepend(parts[0]!);
  root.append(parts[1]!);
  const place = parts[0]!.querySelector<HTMLElement>('.drawing');
  if (place) viewOf(ctx).stills!.value!.picture(ctx, results, place);
  root.host.setAttribute('reported', isFull || isBeside(ctx) ? 'full' : 'brief');
}

/** Time for derivations in one go [ms]. */
const budget = 8;

/** Explains what the report tells, a little at a time: `show` has to do all at once. */
export async function prepare({ ctx, results }: Printed): Promise<void> {
  await ctx.features.presets.sources.get();
  // Without the drawing, all else is still worth printing.
  if (!isBeside(ctx))
    await viewOf(ctx)
      .stills?.get()
      .catch(() => undefined);
  let end = performance.now() + budget;
  for (const key of rowsOf(ctx, results).flatMap(derivedIn)) {
    ctx.actions.explain(key);
    if (performance.now() < end) continue;
    await new Promise((resolve) => setTimeout(resolve));
    end = performance.now() + budget;
  }
}

export function hide(): void {
  for (const part of parts) {
    (part.getRootNode() as ShadowRoot).host?.removeAttribute('reported');
    part.remove();
  }
  parts = [];
}

const rowsOf = (ctx: RenderContext, results: Results): Row[] =>
  isBeside(ctx)
    ? []
    : viewOf(ctx)
        .rows(ctx, results)
        .filter(({ key }) => results.absence(key) !== 'notApplicable');

const derivedIn = ({ key, derive }: Row): readonly string[] => derive ?? [key];

function head(
  ctx: RenderContext,
  results: Results,
  rows: readonly Row[],
  root: ShadowRoot,
): TemplateResult {
  const { text, state } = ctx;
  const beside = isBeside(ctx);
  const date = new Intl.DateTimeFormat(tagOf(ctx.language), { dateStyle: 'long' });
  const hash = writeAddress(ctx.description, state);
  const link = location.href.replace(/#.*/, '') + (hash && `#${hash}`);
  const assumed = beside ? [] : assumedIn(ctx);
  return html`<h1>${text.ui.title} · ${text.ui.views[state.view]}</h1>
    <p class="from">
      ${date.format(new Date())} · ${ctx.fill(text.ui.version, { version, data })}<br />
      <a href=${link}>${link}</a>
    </p>
    <p class="asked">${questionText(ctx)}</p>
    ${beside ? nothing : html`<p class="said">${viewOf(ctx).summary(ctx, results)}</p>`}
    <div class="verdicts">${rows.map((row) => verdict(ctx, results, row))}</div>
    ${beside ? nothing : drawing(ctx, results)} ${rows.map(({ key }) => targetOf(root, key))}
    <h2>${text.report.inputs}</h2>
    ${inputs(ctx)}
    ${
      assumed.length > 0
        ? html`<h2>${text.ui.folds.assumptions}</h2>
            ${table(
              assumed.map((id) => [ctx.label(id), ctx.say(id, ctx.value(id))]),
              'assumed',
            )}`
        : nothing
    }`;
}

/** The place of the drawing, where there is one. */
const drawing = (ctx: RenderContext, results: Results): TemplateResult | typeof nothing =>
  !viewOf(ctx).stills?.value || ctx.hides(...results.keys)
    ? nothing
    : html`<div class="drawing"></div>`;

/** An answer on the first page, with the range in which it likely lies where that is known. */
function verdict(ctx: RenderContext, results: Results, { key, title, large }: Row): TemplateResult {
  const range = results.sayRange(key);
  return html`<section data-verdict=${key}>
    <h3>${title ?? ctx.answer(key).label}</h3>
    <p class="large">${large ?? results.say(key)}</p>
    ${range ? html`<p class="likely">${ctx.fill(ctx.text.drawn.interval, { range })}</p>` : nothing}
  </section>`;
}

/** How all answers came about, on pages of their own. */
function derivations(
  ctx: RenderContext,
  results: Results,
  rows: readonly Row[],
  paper: Paper,
): TemplateResult {
  const shown = new Set(rows.map(({ key }) => key));
  const rest = (isBeside(ctx) ? [] : results.keys).filter(
    (key) => !shown.has(key) && results.absence(key) !== 'notApplicable',
  );
  const { text } = ctx;
  return html`<div class="further">
    ${rows.map((row) => answer(ctx, results, row, paper))}
    ${
      rest.length > 0
        ? html`<h2>${text.ui.moreAnswers}</h2>
            ${table(rest.map((key) => [ctx.answer(key).label, results.say(key)]))}`
        : nothing
    }
  </div>`;
}

/** What was assumed and left as it is: no figures of a chip or a model, and no layout. */
function assumedIn(ctx: RenderContext): FieldId[] {
  const asked = questionFields(ctx);
  const told: readonly string[] = ['chip', 'model', 'layout', 'search', 'operation', 'mesh'];
  const all = viewOf(ctx)
    .panels(ctx)
    .flatMap(({ fields }) => fields);
  return [...new Set(all)].filter(
    (id) =>
      !told.includes(splitId(id)[0]) &&
      ctx.applies(id) &&
      !asked.includes(id) &&
      !ctx.edited(id) &&
      ctx.value(id) !== null &&
      ctx.value(id) !== '',
  );
}

const table = (rows: readonly (readonly unknown[])[], name = ''): TemplateResult =>
  html`<table class=${name}>
    ${rows.map(
      ([first, ...others]) =>
        html`<tr>
          <th scope="row">${first}</th>
          ${others.map((cell) => html`<td>${cell}</td>`)}
        </tr>`,
    )}
  </table>`;

/** The presets that the question's sentence names. */
const things = (ctx: RenderContext): ('chip' | 'model')[] =>
  (['model', 'chip'] as const).filter((thing) => viewOf(ctx).sentence(ctx).includes(`{${thing}}`));

/** The sentence's fields, the figures and conventions in use, and all that differs from them. */
function inputs(ctx: RenderContext): TemplateResult {
  const { text, state, description } = ctx;
  const asked = questionFields(ctx);
  const { groups } = description.questions[state.view];
  const all = groups.flatMap((group) =>
    description.groups[group].map(({ key }): FieldId => `${group}.${key}`),
  );
  const listed = all.filter((id) => ctx.applies(id) && (asked.includes(id) || ctx.edited(id)));
  const optimizers: Record<string, { name: string }> = text.optimizers;
  const rows = [
    ...things(ctx).map((thing) => [text.ui[thing], ctx.called(thing), '']),
    [text.ui.figures, text.ui.figuresChoice[state.figures], ''],
    ...(viewOf(ctx)
      .panels(ctx)
      .some(({ key }) => key === 'memory')
      ? [[text.ui.optimizer, optimizers[optimizerOf(state.optimizer).id]?.name, '']]
      : []),
    ...listed.map((id) => {
      const base = ctx.base(id);
      return [
        ctx.label(id),
        ctx.say(id, ctx.value(id)),
        ctx.differs(id) ? ctx.fill(text.report.default, { value: ctx.say(id, base) }) : '',
      ];
    }),
  ];
  return table(rows, 'inputs');
}

/** The target of an answer without its controls. */
function targetOf(root: ShadowRoot, key: string): Node | typeof nothing {
  const panel = root.querySelector(`[data-target="${key}"] .target`);
  const wanted = panel?.querySelector('select');
  const typed = panel?.querySelector('input')?.value;
  if (!panel || !(typed ?? wanted?.value)) return nothing;
  const told = panel.cloneNode(true) as Element;
  const wants = document.createElement('p');
  wants.textContent = [wanted?.selectedOptions[0]?.textContent?.trim(), typed].join(' ');
  told.querySelector('.wants')?.replaceWith(wants);
  told.querySelectorAll('button').forEach((button) => button.remove());
  return told;
}

function answer(ctx: RenderContext, results: Results, row: Row, paper: Paper): TemplateResult {
  const { key } = row;
  const derived = derivedIn(row);
  const hidden = ctx.hides(key, ...derived);
  const book = ctx.features.quiz?.note(ctx, key);
  return html`<section class="told" data-told=${key}>
    <div class="whole">
      <h3>${row.title ?? ctx.answer(key).label}</h3>
      <p class="large">${row.large ?? results.say(key)}</p>
      ${
        hidden
          ? nothing
          : html`${row.figure ?? nothing}
              <p>${row.means} ${book} ${row.by}</p>`
      }
    </div>
    ${hidden ? nothing : paper.steps(derived)}
  </section>`;
}

/** Sources of rules, numbered as in the steps, then sources of figures. */
function foot(
  ctx: RenderContext,
  rules: readonly string[],
  figures: readonly string[],
): TemplateResult {
  const { text, state } = ctx;
  const ofModel = things(ctx).includes('model')
    ? modelOf(state.model).sources?.architecture
    : undefined;
  const sources: (Source | undefined)[] = [
    ...rules.map((id) => sourceOf(id, text) ?? { title: id }),
    ...figures.map((id) => chipSources[id]),
    ofModel === undefined ? undefined : modelSources[ofModel],
  ];
  return html`<h2>${text.report.sources}</h2>
    <ol class="sources">
      ${sources.map((source) =>
        source
          ? html`<li>
              ${source.url ? html`<a href=${source.url}>${source.title}</a>` : source.title}
            </li>`
          : nothing,
      )}
    </ol>`;
}
