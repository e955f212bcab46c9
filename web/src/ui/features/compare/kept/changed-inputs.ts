// The inputs that two states differ in.

import { html, type TemplateResult } from 'lit';
import type { Thing } from '../../../../compare/inputs.ts';
import { countingOf, type State } from '../../../../model/state.ts';
import type { RenderContext } from '../../../kit/render-context.ts';
import { disclosure } from '../../../kit/disclosure.ts';
import { sayField, type Telling } from './reasons.ts';

const nameOf = ({ text }: RenderContext, thing: Thing | 'counting'): string => {
  if (thing === 'counting') return text.ui.counting.label;
  return thing === 'figures' ? text.panels.chip.label : text.ui[thing];
};

/** First those that the reader set, then those that a preset brought along. */
export function renderInputs(telling: Telling, pinned: State): TemplateResult {
  const { ctx, words, inputs } = telling;
  const { things, fields, follow } = inputs;
  if (things.length + fields.length === 0) return html`<p class="means">${words.nothing}</p>`;
  const say = (state: State, thing: (typeof things)[number]): string => {
    if (thing === 'counting') return ctx.text.ui.counting[countingOf(state)];
    if (thing === 'figures') return ctx.text.ui.figuresChoice[state.figures];
    if (thing === 'optimizer') return ctx.optimizer(state.optimizer).name;
    return ctx.called(thing, state);
  };
  return html`<h3>${words.inputs}</h3>
    <ul class="inputs">
      ${things.map((thing) => {
        const label = nameOf(ctx, thing);
        return html`<li data-input=${thing}>
          ${ctx.fill(words.moved, {
            name: label,
            from: say(pinned, thing),
            to: say(ctx.state, thing),
          })}
        </li>`;
      })}
      ${fields.map((field) => html`<li data-input=${field.id}>${sayField(telling, field)}</li>`)}
    </ul>
    ${follow.map(({ thing, fields: brought }) => {
      const n = brought.length;
      return disclosure(
        ctx,
        {
          part: `compared ${thing}`,
          kind: 'other',
          summary: html`${ctx.fill(words.follow[thing], { n: String(n) }, { n })}`,
        },
        () =>
          html`<ul class="inputs">
            ${brought.map(
              (field) => html`<li data-input=${field.id}>${sayField(telling, field)}</li>`,
            )}
          </ul>`,
      );
    })}`;
}
