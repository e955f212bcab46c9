import { html, type TemplateResult } from 'lit';
import type { Engine } from '../../../engine/index.ts';
import { afterPresets } from '../../../model/presets.ts';
import { disclosure } from '../../kit/disclosure.ts';
import { Feature } from '../../kit/lazily.ts';
import type { RenderContext } from '../../kit/render-context.ts';
import { askWorked } from './quiz.ts';

let engine: Engine | undefined;

// The questions and what draws them load when the panel opens, and what answers those of serving.
const list = new Feature(async () => {
  const [{ readExamples }, { loadServing }] = await Promise.all([
    afterPresets(() => import('./examples-list.ts')),
    import('../../../model/divide-servers.ts'),
  ]);
  if (engine) await loadServing(engine);
  askWorked(({ description }) => readExamples(description));
  return readExamples;
}, 'worked');

/** The worked questions: each loads its state, and keeps its answer until it is guessed. */
export function examplesPanel(ctx: RenderContext): TemplateResult {
  const { text } = ctx;
  engine = ctx.engine;
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
      () =>
        list.show(
          ctx,
          (words) => html`<scaling-examples .ctx=${ctx} .words=${words}></scaling-examples>`,
        ),
    )}
  </section>`;
}
