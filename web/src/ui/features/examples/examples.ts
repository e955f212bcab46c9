import { html, type TemplateResult } from 'lit';
import { disclosure } from '../../kit/disclosure.ts';
import { afterPresets, Feature } from '../../kit/lazily.ts';
import type { Features, RenderContext } from '../../kit/render-context.ts';
import { answeredPart, linkOf, openPart } from './quiz.ts';

// The questions and what draws them load when the panel opens, and what answers those of serving.
const list = new Feature(async (ctx) => {
  const [module] = await Promise.all([
    afterPresets(ctx, () => import('./examples-list.ts')),
    ctx.engine.serving(),
  ]);
  return module;
}, 'workedExamples');

/** The answer of the open question without a guess, if the page shows its state. */
function askedFor(ctx: RenderContext): string | undefined {
  const { description, open } = ctx;
  const asked = list.value
    ?.readExamples(description)
    .find(({ id }) => open.has(openPart(id)) && !open.has(answeredPart(id)));
  return asked?.link === linkOf(ctx) ? asked.answer : undefined;
}

/** What answers show of worked questions: which of them the quiz hides, and the book's notes. */
export const quiz: Required<Features>['quiz'] = {
  hides(ctx, answers) {
    const answer = askedFor(ctx);
    return answer !== undefined && answers.includes(answer);
  },
  note(ctx, answer) {
    const notes: Partial<Record<string, Partial<Record<string, string>>>> = ctx.text.examples.notes;
    return notes[linkOf(ctx)]?.[answer];
  },
};

/** The worked questions: each loads its state, and keeps its answer until it is guessed. */
export function examplesPanel(ctx: RenderContext): TemplateResult {
  const { text } = ctx;
  return html`<section class="examples" aria-labelledby="examples">
    <h2 id="examples">${text.examples.title}</h2>
    ${disclosure(
      ctx,
      {
        part: 'panel examples',
        kind: 'panel',
        summary: html`<span class="title">${text.examples.panel}</span>
          <span class="gist">${text.examples.gist}</span>`,
      },
      () => list.show(ctx, (words, { examplesList }) => examplesList(ctx, words)),
    )}
  </section>`;
}
