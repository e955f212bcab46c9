import { html, type TemplateResult } from 'lit';
import { fieldInfo, type FieldId } from '../state/state.ts';
import { weave } from '../text/weave.ts';
import { control, messages } from './field.ts';
import { chipOptions, modelOptions } from './options.ts';
import type { Option } from './preset-control.ts';
import type { Scope } from './scope.ts';
import { viewOf } from './view.ts';

/** What stands in a place of the sentence: a field, or again the value of one that came before. */
interface Place {
  name: string;
  id: FieldId;
  again: boolean;
}

function placesOf(scope: Scope): Place[] {
  const view = viewOf(scope);
  const names = [...view.sentence(scope).matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  return names.flatMap((name) => {
    // A size that comes twice, as D does in X[B, D] Y[D, F], is set where it comes first.
    const key = name.replace(/2$/, '');
    const id = view.groups
      .map((group): FieldId => `${group}.${key}`)
      .find((each) => fieldInfo(scope.description, each));
    return id ? [{ name, id, again: key !== name }] : [];
  });
}

/** Fields whose control is in the sentence, not in a panel. */
export const questionFields = (scope: Scope): FieldId[] =>
  placesOf(scope).flatMap(({ id, again }) => (again ? [] : [id]));

/** The question as a sentence with controls in it, and what is wrong with them. */
export function question(scope: Scope): TemplateResult {
  const parts: Record<string, TemplateResult | string> = {
    chip: preset(scope, 'chip', chipOptions(scope)),
    model: preset(scope, 'model', modelOptions),
  };
  const places = placesOf(scope);
  for (const { name, id, again } of places) {
    parts[name] = again ? scope.say(id, scope.value(id)) : control(scope, id);
  }
  const plural = (name: string): number => {
    const place = places.find((each) => each.name === name);
    return scope.format.plural(place ? Number(scope.value(place.id)) : 0);
  };
  return html`<p class="question" data-question=${scope.state.view}>
      ${words(weave(viewOf(scope).sentence(scope), parts, plural))}
    </p>
    <div class="messages">
      ${places.map(({ id, again }) => (again ? '' : messages(scope, id)))}
    </div>`;
}

/** A line never breaks between a control and the bracket or comma beside it. */
function words(pieces: (string | TemplateResult)[]): (string | TemplateResult)[] {
  const words: (string | TemplateResult)[] = [];
  let whole: (string | TemplateResult)[] = [];
  const close = (): void => {
    if (whole.length > 0) words.push(html`<span class="whole">${whole}</span>`);
    whole = [];
  };
  for (const piece of pieces) {
    if (typeof piece !== 'string') {
      whole.push(piece);
      continue;
    }
    for (const run of piece.split(/([ \p{L}\p{N}]+)/u).filter(Boolean)) {
      if (/^[ \p{L}\p{N}]/u.test(run)) {
        close();
        words.push(run);
      } else {
        whole.push(run);
        if (!/[[(（]$/.test(run)) close();
      }
    }
  }
  close();
  return words;
}

export function preset(
  scope: Scope,
  which: 'chip' | 'model',
  options: readonly Option[],
): TemplateResult {
  const edited = Object.keys(scope.state.edits[which]).length > 0;
  return html`<scaling-preset
    class="control"
    .fieldId=${which}
    .label=${scope.text.ui[which]}
    .options=${options}
    .value=${scope.state[which]}
    .mark=${edited ? ` ${scope.text.ui.edited}` : ''}
    .nothingFound=${scope.text.ui.nothingFound}
    @choose=${(event: CustomEvent<string>) => scope.actions.choosePreset(which, event.detail)}
  ></scaling-preset>`;
}
