import {
  html,
  nothing,
  type PropertyDeclarations,
  type PropertyValues,
  type TemplateResult,
} from 'lit';
import { define } from '../../../dom/define.ts';
import { isPlain } from '../../../dom/plain-click.ts';
import { sheetOf } from '../../../dom/sheet.ts';
import { stay } from '../../../dom/stay.ts';
import { Lazy } from '../../../engine/lazy.ts';
import { loadPart, partOf, type PartTexts } from '../../../i18n/dictionary.ts';
import { languages } from '../../../i18n/language.ts';
import { interpolate } from '../../../i18n/interpolate.ts';
import { writeAddress } from '../../../link/address.ts';
import type { FieldId } from '../../../model/fields.ts';
import { spokenUnit } from '../../../model/presentation.ts';
import { withView, type State } from '../../../model/state.ts';
import { draw } from '../../../charts/concepts/draw.ts';
import { pictures } from '../../../charts/concepts/pictures.ts';
import { progressOf } from '../../kit/lazily.ts';
import { LightElement } from '../../kit/light-element.ts';
import type { RenderContext } from '../../kit/render-context.ts';
import { nameOfQuestion } from '../../kit/title.ts';
import {
  calledOf,
  concepts,
  groups,
  type Group,
  isMeant,
  readings,
  type Concept,
  type Terms,
} from './concepts.ts';
import { Counting } from './counting.ts';
import { asked, infoOf, isFound, type Found, type Missing, type Value } from './numbers.ts';
import text from './concepts.css?inline';

type Words = PartTexts<'concepts'>;

const style = sheetOf(text);
const isPictured = new Set(concepts.map(({ id }) => id));

/** Readers search in any language. */
const called = new Lazy(async () =>
  calledOf(await Promise.all(languages.map((language) => loadPart(language, 'terms')))),
);

/** All terms: those with a picture and a number, and all others. Renders into its parent's tree. */
class ConceptIndex extends LightElement {
  static override sheets = [style];
  static override properties: PropertyDeclarations = {
    ctx: { attribute: false },
    words: { attribute: false },
    typed: { state: true },
  };

  declare ctx: RenderContext;
  declare words: Words;
  declare private typed: string;
  private counting: Counting | undefined;
  /** The term that was last brought into view. */
  private shown: string | undefined;

  constructor() {
    super();
    this.typed = '';
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.counting?.stop();
  }

  protected override willUpdate(): void {
    this.counting ??= new Counting(
      () => this.ctx,
      () => this.requestUpdate(),
    );
    this.counting.look();
  }

  private get terms(): Terms | undefined {
    return partOf(this.ctx.language, 'terms').use(this.ctx.actions);
  }

  /** Brings the term that the link names into view, once it is drawn. */
  protected override updated(_: PropertyValues): void {
    const { concept } = this.ctx.state.charts;
    if (concept === this.shown) return;
    const at = concept && this.querySelector<HTMLElement>(`[data-concept="${concept}"]`);
    if (concept && !at) return;
    this.shown = concept;
    if (!at) return;
    at.scrollIntoView({ block: 'center' });
    (at.querySelector('a') ?? at).focus({ preventScroll: true });
  }

  // ---- what is shown

  private isShown(key: string): boolean {
    const { reading } = this.ctx.state.charts;
    const among = readings.find(({ id }) => id === reading)?.concepts;
    if (among && !among.includes(key)) return false;
    const names = called.use(this.ctx.actions) ?? calledOf(this.terms ? [this.terms] : []);
    return isMeant(names.get(key), this.typed);
  }

  protected override render(): unknown {
    const { ctx, words, terms } = this;
    if (!terms || !this.counting) return progressOf(ctx, partOf(ctx.language, 'terms'));
    const shown = new Set(Object.keys(terms).filter((key) => this.isShown(key)));
    const sections = groups.filter((group) =>
      concepts.some((each) => each.group === group && shown.has(each.id)),
    );
    const others = Object.entries(terms).filter(([key]) => shown.has(key) && !isPictured.has(key));
    return html`<div class="concepts">
      <h2>${words.title}</h2>
      ${this.renderLead()} ${this.renderTools(shown.size)} ${progressOf(ctx, this.counting.awaited)}
      ${sections.length > 1 ? this.renderJumps(sections) : nothing}
      ${sections.map(
        (group) =>
          html`<section aria-labelledby="concepts-${group}">
            <h3 id="concepts-${group}" tabindex="-1">${words.groups[group]}</h3>
            <ul class="cards">
              ${concepts
                .filter((each) => each.group === group && shown.has(each.id))
                .map((concept) => this.renderCard(concept, terms))}
            </ul>
          </section>`,
      )}
      ${
        others.length > 0
          ? html`<section aria-labelledby="concepts-further">
              <h3 id="concepts-further">${words.further}</h3>
              <dl>
                ${others.map(
                  ([key, { name, says }]) =>
                    html`<div data-concept=${key} tabindex="-1" ?data-chosen=${this.isChosen(key)}>
                      <dt>${name}</dt>
                      <dd>${says}</dd>
                    </div>`,
                )}
              </dl>
            </section>`
          : nothing
      }
    </div>`;
  }

  private isChosen = (key: string): boolean => this.ctx.state.charts.concept === key;

  /** Whose numbers these are, with the way back to them. */
  private renderLead(): TemplateResult {
    const { ctx, words } = this;
    const plan = withView(asked(ctx.description, ctx.state, 'training'), 'plan');
    const question = html`${this.renderLink(plan, nameOfQuestion(ctx.at(plan)))}`;
    return html`<p class="lead">${interpolate<unknown>(words.lead, { question })}</p>`;
  }

  private renderTools(count: number): TemplateResult {
    const { ctx, words } = this;
    const { reading } = ctx.state.charts;
    const chosen = readings.find(({ id }) => id === reading);
    const titles: Record<string, string> = {
      ...partOf(ctx.language, 'workedExamples').use(ctx.actions)?.chapters,
      ...words.readings,
    };
    return html`<form class="tools" role="search" @submit=${stay}>
      <label
        ><span>${words.find}</span
        ><input
          type="search"
          data-find
          autocomplete="off"
          spellcheck="false"
          placeholder=${words.findHint}
          .value=${this.typed}
          @input=${(event: Event) => (this.typed = (event.target as HTMLInputElement).value)}
      /></label>
      <label
        ><span>${words.reading}</span
        ><select
          data-reading
          @change=${(event: Event) => {
            const { value } = event.target as HTMLSelectElement;
            ctx.actions.chart({ reading: value || undefined });
          }}
        >
          <option value="" .selected=${!chosen}>${words.all}</option>
          ${(['book', 'article'] as const).map(
            (kind) =>
              html`<optgroup label=${words[kind]}>
                ${readings
                  .filter((each) => each.kind === kind)
                  .map(
                    ({ id }) =>
                      html`<option value=${id} .selected=${id === chosen?.id}>
                        ${titles[id] ?? id}
                      </option>`,
                  )}
              </optgroup>`,
          )}
        </select></label
      >
      <p class="count">
        <span role="status"
          >${
            count > 0 ? ctx.fill(words.count, { n: String(count) }, { n: count }) : words.none
          }</span
        >
        ${
          this.typed || chosen
            ? html`<button
                type="button"
                data-all
                @click=${() => {
                  this.typed = '';
                  ctx.actions.chart({ reading: undefined });
                }}
              >
                ${words.reset}
              </button>`
            : nothing
        }
        ${
          chosen?.url
            ? html`<a href=${chosen.url} rel="noreferrer" target="_blank">${titles[chosen.id]}</a>`
            : nothing
        }
      </p>
    </form>`;
  }

  /** The way to each section: the address holds the state, so these are no links. */
  private renderJumps(sections: readonly Group[]): TemplateResult {
    const jump = (group: Group): void => {
      const heading = this.querySelector<HTMLElement>(`#concepts-${group}`);
      heading?.scrollIntoView({ block: 'start' });
      heading?.focus({ preventScroll: true });
    };
    return html`<nav class="jumps" aria-label=${this.words.sections}>
      ${sections.map(
        (group) =>
          html`<button type="button" data-jump=${group} @click=${() => jump(group)}>
            ${this.words.groups[group]}
          </button>`,
      )}
    </nav>`;
  }

  private renderCard(concept: Concept, terms: Terms): TemplateResult {
    const { id, number } = concept;
    const { name, says } = terms[id]!;
    const outcome = this.counting!.known.get(id);
    const picture = pictures[id] ?? this.counting!.pictures?.[id] ?? [];
    const { description, state } = this.ctx;
    const there = outcome?.state ?? withView(asked(description, state, 'training'), number.view);
    return html`<li class="concept" data-concept=${id} ?data-chosen=${this.isChosen(id)}>
      ${draw(picture, id)}
      <h4>${this.renderLink(there, name)}</h4>
      ${outcome ? this.renderNumber(concept, outcome) : html`<p class="number">…</p>`}
      <p class="says">${says}</p>
      ${outcome && isFound(outcome) ? this.renderSet(outcome) : nothing}
    </li>`;
  }

  /** A way into the calculator. */
  private renderLink(state: State, content: unknown): TemplateResult {
    const { actions, description } = this.ctx;
    return html`<a
      href="#${writeAddress(description, state)}"
      @click=${(event: MouseEvent) => {
        if (!isPlain(event)) return;
        event.preventDefault();
        actions.go(state);
      }}
      >${content}</a
    >`;
  }

  private renderNumber(concept: Concept, outcome: Found | Missing): TemplateResult {
    const { ctx, words } = this;
    const { number } = concept;
    const there = ctx.at(outcome.state);
    if (!isFound(outcome)) {
      const [issue] = outcome.issues;
      const why = issue ? there.issueMessage(issue) : ctx.text.ui.noAnswers;
      return html`<p class="number missing">${ctx.fill(words.noNumber, { why })}</p>`;
    }
    const { value, before } = outcome;
    const isSame = before !== undefined && this.say(concept, before) === this.say(concept, value);
    return html`<p class="number">
      <span class="label">${ctx.answer(number.answer).label}</span>
      ${
        before === undefined || isSame
          ? nothing
          : html`<span class="before">${this.say(concept, before)}</span>
              <span aria-hidden="true">→ </span><span class="hidden">${words.to}</span>`
      }<strong>${this.say(concept, value)}</strong>
    </p>`;
  }

  /** What the number is of, where the reader's question is not like that. */
  private renderSet({ state, set, isOther }: Found): TemplateResult | typeof nothing {
    const there = this.ctx.at(state);
    const all = [
      ...(isOther ? [nameOfQuestion(there)] : []),
      ...[...new Set(set)].map((id) => this.saySet(there, id)),
    ];
    return all.length > 0
      ? html`<p class="of ${isOther ? 'other' : ''}">${all.join(' · ')}</p>`
      : nothing;
  }

  private saySet = (there: RenderContext, id: FieldId): string =>
    this.ctx.fill(this.words.set, {
      field: there.label(id),
      value: there.say(id, there.value(id)),
    });

  private say({ number }: Concept, value: Value): string {
    const { ctx } = this;
    if (typeof value === 'string') return ctx.choiceOfAnswer(number.answer, value);
    return ctx.format.say(value, spokenUnit(infoOf(ctx.description, number)));
  }
}

/** The index. */
export function conceptIndex(ctx: RenderContext, words: Words): TemplateResult {
  define('scaling-concepts', ConceptIndex);
  return html`<scaling-concepts .ctx=${ctx} .words=${words}></scaling-concepts>`;
}
