import { html, nothing, type PropertyDeclarations, type TemplateResult } from 'lit';
import { define } from '../../../dom/define.ts';
import { live } from 'lit/directives/live.js';
import { withFormats, type Quantised } from '../../../custom/quantised.ts';
import * as storage from '../../../custom/storage.ts';
import {
  isSame,
  stateWith,
  customPresetOf,
  type Kind,
  type CustomPreset,
} from '../../../custom/custom-presets.ts';
import { cleanName } from '../../../link/address.ts';
import { following } from '../../../i18n/language.ts';
import type { RenderContext } from '../../kit/render-context.ts';
import { readAny, type AnyFound, type FoundLaunch, type Place } from './any.ts';
import { draftOf, takeFile } from './drafts.ts';
import { nominalOfReading, presetOf, sayFound, suggestedName, summaryOf } from './found.ts';
import { currentKept, downloadPreset, keptOf } from './kept-presets.ts';
import { launchOf } from './launch.ts';
import { sourceOf, type SourceActions } from './source.ts';
import { keptList, type KeptActions } from './stored-list.ts';
import text from './preset-library.css?inline';
import { readingOf, troublesOf } from './reading.ts';
import { countedOf, refusal, presetProblemOf, type Says, type Words } from './words.ts';
import { sheetOf } from '../../../dom/sheet.ts';
import { dialogStyle } from '../../kit/dialog-style.ts';
import { LightElement } from '../../kit/light-element.ts';

const style = sheetOf(text);

/** Pause after typing before the result is announced [ms]. */
const pause = 600;

export { currentKept, keptOptions, stateWithKept, takeKept } from './kept-presets.ts';

/** Reads a file that was dropped; tells which dialog is to show it. */
export const receive = (ctx: RenderContext, file: File): Promise<Place> => takeFile(ctx, file);

/** The dialog in which the reader's own chips or models are read and kept. */
class PresetLibrary extends LightElement {
  static override sheets = [dialogStyle, style];
  static override properties: PropertyDeclarations = {
    ctx: { attribute: false },
    kind: {},
    words: { attribute: false },
    heard: { state: true },
    said: { state: true },
    trouble: { state: true },
    renaming: { state: true },
    deleted: { state: true },
  };

  declare ctx: RenderContext;
  declare kind: Place;
  declare words: Words;
  /** The announcement of a reading to screen readers. */
  declare private heard: string;
  /** The result of the reader's last action. */
  declare private said: string;
  declare private trouble: string;
  /** The preset whose name is being changed, and the name so far. */
  declare private renaming: { preset: CustomPreset; name: string } | undefined;
  declare private deleted: CustomPreset | undefined;
  private found: { text: string; found: AnyFound | undefined } | undefined;
  private telling: ReturnType<typeof setTimeout> | undefined;

  constructor() {
    super();
    this.heard = '';
    this.said = '';
    this.trouble = '';
  }

  override connectedCallback(): void {
    super.connectedCallback();
    addEventListener('storage', this.refresh);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    removeEventListener('storage', this.refresh);
    clearTimeout(this.telling);
  }

  /** Another tab has kept or deleted something. */
  private readonly refresh = (): void => this.requestUpdate();

  protected override updated(): void {
    const dialog = this.querySelector('dialog');
    if (!dialog || dialog.open || !this.isConnected) return;
    dialog.showModal();
    if (this.present) this.tell();
  }

  // ---- what lies before the reader

  private get draft() {
    return draftOf(this.ctx, this.kind);
  }

  /** The source of the text: chosen, dropped or typed. */
  private get present(): AnyFound | undefined {
    const { file, typed } = this.draft;
    if (file) return file.found;
    if (typed.trim() === '') return undefined;
    if (this.found?.text !== typed) void this.readTyped(typed);
    return this.found?.found;
  }

  /** Reads what was typed; what was read before stays until then. */
  private async readTyped(typed: string): Promise<void> {
    this.found = { text: typed, found: this.found?.found };
    const found = await readAny(this.ctx, typed);
    if (this.found.text !== typed) return;
    this.found = { text: typed, found };
    this.requestUpdate();
  }

  private get says(): Says {
    return { own: this.words, ctx: this.ctx };
  }

  // ---- what the reader does

  private close(): void {
    this.querySelector('dialog')?.close();
  }

  private readonly closed = (): void => this.ctx.actions.toggle(`own ${this.kind}`);

  private readonly source: SourceActions = {
    type: (text) => this.type(text),
    choose: (input) => this.choose(input),
  };

  private type(typed: string): void {
    const { draft } = this;
    draft.typed = typed;
    draft.file = undefined;
    draft.name = undefined;
    this.requestUpdate();
    clearTimeout(this.telling);
    this.telling = setTimeout(() => this.tell(), pause);
  }

  private async choose(input: HTMLInputElement): Promise<void> {
    const file = input.files?.[0];
    if (!file) return;
    const place = await takeFile(this.ctx, file, this.kind);
    input.value = ''; // the same file may be chosen again
    if (place !== this.kind) {
      this.ctx.actions.toggle(`own ${this.kind}`);
      this.ctx.actions.toggle(`own ${place}`);
      return;
    }
    this.requestUpdate();
    this.tell();
  }

  /** Says in a sentence what was read; what was refused says so itself. */
  private tell(): void {
    this.heard = sayFound(this.says, this.present);
  }

  private async use(preset: CustomPreset, quantised?: Quantised): Promise<void> {
    const { ctx } = this;
    this.close();
    if (quantised?.server['weights'] === undefined) {
      ctx.actions.go(stateWith(ctx.description, ctx.state, preset));
      return;
    }
    // The module of serving describes a server; before it has loaded, only the model is kept.
    const loaded = await ctx.engine.serving().catch(() => undefined);
    const { description, state } = this.ctx;
    const taken = stateWith(description, state, preset);
    this.ctx.actions.go(
      loaded ? withFormats(ctx.engine.describe(), taken, quantised.server) : taken,
    );
  }

  private async useLaunch({ launch }: FoundLaunch): Promise<void> {
    this.close();
    // Both modules have loaded with the reading.
    const { stateOf } = await import('../../../launch/state.ts');
    const { engine, state, actions } = this.ctx;
    actions.go(stateOf(engine.describe(), state, launch));
  }

  private keep(preset: CustomPreset): void {
    const { description, state, actions } = this.ctx;
    if (!this.fits(preset.name)) return;
    const trouble = storage.keep(description, preset);
    // The preset in use takes the new name.
    const inUse = isSame(description, preset, customPresetOf(state, preset.kind, preset.name));
    if (!trouble && inUse) actions.go(stateWith(description, state, preset));
    this.settle(trouble, 'kept', preset.name);
  }

  private fits(name: string): boolean {
    if (name) return true;
    this.said = '';
    this.trouble = this.words.trouble.unnamed;
    return false;
  }

  /** Says how it went. */
  private settle(
    trouble: storage.StorageProblem | undefined,
    done: 'kept' | 'renamed' | 'deleted',
    name: string,
  ): void {
    const { own, ctx } = this.says;
    this.trouble = trouble
      ? ctx.fill(own.trouble[trouble], { n: String(storage.mostCustomPresets) })
      : '';
    this.said = trouble ? '' : ctx.fill(own.said[done], { name });
    if (done !== 'deleted') this.deleted = undefined;
    ctx.actions.refresh(); // the list of presets has them, too
    this.requestUpdate();
  }

  private readonly kept: KeptActions = {
    use: (preset) => this.use(preset),
    export: (preset) => downloadPreset(preset),
    remove: (preset) => {
      const trouble = storage.remove(this.ctx.description, preset);
      if (!trouble) this.deleted = preset;
      this.settle(trouble, 'deleted', preset.name);
    },
    beginRenaming: (preset) => {
      this.renaming = { preset, name: preset.name };
      void this.updateComplete.then(() =>
        this.querySelector<HTMLInputElement>('.renaming input')?.select(),
      );
    },
    type: (name) => {
      if (this.renaming) this.renaming = { ...this.renaming, name };
    },
    endRenaming: (save) => this.rename(save),
  };

  private rename(save: boolean): void {
    const { renaming, ctx } = this;
    if (!renaming) return;
    const { preset } = renaming;
    const to = cleanName(renaming.name);
    if (save && to !== preset.name) {
      if (!this.fits(to)) return;
      if (storage.find(storage.kept(ctx.description).presets, preset.kind, to) >= 0) {
        this.said = '';
        this.trouble = ctx.fill(this.words.trouble.taken, { name: to });
        return;
      }
      this.settle(storage.rename(ctx.description, preset, to), 'renamed', to);
    }
    this.renaming = undefined;
    void this.updateComplete.then(() =>
      this.querySelector<HTMLElement>(
        `[data-rename="${CSS.escape(save ? to : preset.name)}"]`,
      )?.focus(),
    );
  }

  // ---- drawing

  protected override render(): TemplateResult {
    const { words: own, kind } = this;
    const found = this.present;
    return html`<dialog
      class="own"
      aria-labelledby="own-title"
      closedby="any"
      @close=${this.closed}
    >
      <div class="head">
        <h2 id="own-title">${own.title[kind]}</h2>
        <button type="button" class="close" @click=${() => this.close()}>${own.close}</button>
      </div>
      <p class="lead">${own.lead[kind]}</p>
      <p class="lead">${own.private}</p>
      ${sourceOf(this.says, kind, this.draft, found?.is === 'refused', this.source)}
      ${found ? this.renderFound(own, found) : nothing}
      ${kind === 'launch' ? nothing : html`${this.renderPresent(own, kind)} ${this.renderKept(own, kind)}`}
      <div class="hidden" role="status">${this.heard}</div>
      <div class="foot">
        <p role="alert">${this.trouble}</p>
        <p role="status">
          ${this.said}
          ${
            this.deleted
              ? html`<button type="button" class="plain" @click=${() => this.keep(this.deleted!)}>
                  ${own.undo}
                </button>`
              : nothing
          }
        </p>
      </div>
    </dialog>`;
  }

  private renderFound(own: Words, found: AnyFound): TemplateResult {
    const { says, draft } = this;
    if (found.is === 'refused') {
      return html`<p class="refused" id="own-refused" role="alert">
        ${refusal(says, found.reason)}
      </p>`;
    }
    if (found.is === 'launch') {
      return html`${launchOf(says, found)}
        <p class="actions">
          <button type="button" class="button main" @click=${() => this.useLaunch(found)}>
            ${own.use}
          </button>
        </p>`;
    }
    const preset = presetOf(says, draft, found)!;
    return html`${
        found.is === 'config'
          ? readingOf(
              says,
              found.reading,
              countedOf(says, found.reading.model),
              nominalOfReading(found.reading, draft),
            )
          : html`<p>${summaryOf(this.says, preset)}</p>
              ${troublesOf(
                own.problems.heading,
                found.problems.map((problem) => presetProblemOf(says, preset, problem)),
              )}`
      }
      ${this.renderNaming('own-name', draft.name ?? suggestedName(says, draft, found), (name) => {
        draft.name = name;
      })}
      <p class="actions">
        <button
          type="button"
          class="button main"
          @click=${() =>
            this.use(preset, found.is === 'config' ? found.reading.quantised : undefined)}
        >
          ${own.use}
        </button>
        ${this.keepButton(own, preset)}
      </p>`;
  }

  private renderNaming(id: string, name: string, change: (name: string) => void): TemplateResult {
    return html`<label class="above" for=${id}>${this.words.name}</label>
      <input
        id=${id}
        type="text"
        class="name"
        maxlength="60"
        autocomplete="off"
        spellcheck="false"
        .value=${live(name)}
        @input=${(event: Event) => {
          change((event.target as HTMLInputElement).value);
          this.requestUpdate();
        }}
      />`;
  }

  private keepButton(own: Words, preset: CustomPreset): TemplateResult {
    const { description } = this.ctx;
    const { presets } = storage.kept(description);
    const there = presets[storage.find(presets, preset.kind, preset.name)];
    if (there && isSame(description, there, preset)) {
      return html`<span class="quiet">${own.isKept}</span>`;
    }
    return html`<button
      type="button"
      class="button"
      data-keep=${preset.kind}
      @click=${() => this.keep(preset)}
    >
      ${there ? this.ctx.fill(own.replace, { name: preset.name }) : own.keep}
    </button>`;
  }

  /** Offers to store the present chip or model, if it is more than a preset. */
  private renderPresent(own: Words, kind: Kind): TemplateResult {
    const { ctx, draft } = this;
    const { state } = ctx;
    const edited = Object.keys(state.edits[kind]).length > 0;
    const heading = html`<h3>${own.present[kind]}</h3>`;
    const called = ctx.called(kind);
    if (!edited) {
      return html`${heading}
        <p class="quiet">${ctx.fill(own.unchanged[kind], { name: called })}</p>`;
    }
    if (currentKept(ctx, kind)) {
      return html`${heading}
        <p class="quiet">${ctx.fill(own.presentKept, { name: called })}</p>`;
    }
    const suggested = state.names[kind] ?? called + following(ctx.text.ui.edited);
    const preset = customPresetOf(state, kind, draft.presentName ?? suggested);
    return html`${heading}
      <p class="quiet">${summaryOf(this.says, preset)}</p>
      ${this.renderNaming('own-present', draft.presentName ?? suggested, (name) => {
        draft.presentName = name;
      })}
      <p class="actions">
        ${this.keepButton(own, preset)}
        <button type="button" class="plain" @click=${() => downloadPreset(preset)}>
          ${own.export}
        </button>
      </p>`;
  }

  private renderKept(own: Words, kind: Kind): TemplateResult {
    const { ctx } = this;
    const { trouble } = storage.kept(ctx.description);
    const presets = keptOf(ctx, kind);
    return html`<h3>${own.kept}</h3>
      ${trouble ? html`<p class="warning">${ctx.fill(own.trouble[trouble])}</p>` : nothing}
      ${
        presets.length > 0
          ? keptList(
              this.says,
              presets,
              (preset) => summaryOf(this.says, preset),
              this.renaming,
              this.kept,
            )
          : trouble
            ? nothing
            : html`<p class="quiet">${own.none}</p>`
      }`;
  }
}

/** The dialog. */
export function libraryDialog(ctx: RenderContext, kind: Place, words: Words): TemplateResult {
  define('scaling-own', PresetLibrary);
  return html`<scaling-own .ctx=${ctx} .kind=${kind} .words=${words}></scaling-own>`;
}
