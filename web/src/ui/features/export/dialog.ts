import {
  html,
  nothing,
  type PropertyDeclarations,
  type PropertyValues,
  type TemplateResult,
} from 'lit';
import { define } from '../../../dom/define.ts';
import { download, png } from '../../../charts/kit/export.ts';
import { wrap } from '../../../charts/kit/text.ts';
import { addressOf, isPublic, readAddress } from '../../../export/address.ts';
import { card, type Paints } from '../../../export/card.ts';
import type { Shared, Shown } from '../../../export/shared.ts';
import { partsOf } from '../../../model/views.ts';
import type { PartTexts } from '../../../i18n/dictionary.ts';
import { copyImage, copyText } from '../../../dom/copy.ts';
import { drawnCard } from './drawn-card.ts';
import { formats, groupsFor, tellsOf, type FormatName, type Present } from './formats.ts';
import { gather } from './gather.ts';
import type { Written } from '../../../launch/write.ts';
import type { SoftwareId } from '../../../launch/software.ts';
import text from './share.css?inline';
import { radios } from '../../kit/radios.ts';
import type { RenderContext, View } from '../../kit/render-context.ts';
import { evaluate } from '../../../model/evaluate.ts';
import { isReady, viewOf } from '../../parts/view.ts';
import { progressOf } from '../../kit/lazily.ts';
import { isBeside } from '../../kit/title.ts';
import { sheetOf } from '../../../dom/sheet.ts';
import { dialogStyle } from '../../kit/dialog-style.ts';
import { LightElement } from '../../kit/light-element.ts';

const style = sheetOf(text);

/** A chart of the page, which can draw itself into a file. */
interface Drawn extends Element {
  data: { title: string };
  svg(): string;
}

const progressLine = ({ text }: RenderContext): TemplateResult =>
  html`<p class="lazy" data-state="loading">${text.ui.loading}</p>`;

/** Names of the site generators' templates. */
const siteFileName = 'scaling-calculator.html';

type Texts = PartTexts<'share'>;

/** The present state as link, element, table, picture, data. Renders into its parent's tree. */
export class Share extends LightElement {
  static override sheets = [dialogStyle, style];
  static override properties: PropertyDeclarations = {
    ctx: { attribute: false },
    texts: { attribute: false },
    format: { state: true },
    shown: { state: true },
    typed: { state: true },
    picture: { state: true },
    said: { state: true },
    launched: { state: true },
  };

  declare ctx: RenderContext;
  declare texts: Texts;
  declare private format: FormatName;
  declare private shown: Shown;
  /** The address of the calculator, where the page's own is not what others can open. */
  declare private typed: string;
  /** The picture: a chart of the page or the answers; initially a chart, if there is one. */
  declare private picture: Drawn | 'answers' | undefined;
  /** The result of copying. */
  declare private said: string;
  /** The launch that is shown, of which state. */
  declare private launched: { of: RenderContext; format: FormatName; written: Written } | undefined;

  private readonly own = addressOf(location);
  private charts: Drawn[] = [];
  private opened = false;
  /** The state without its address, which may change while this is open. */
  private state: Omit<Shared, 'address'> | undefined;

  constructor() {
    super();
    this.format = 'link';
    this.shown = {};
    this.typed = isPublic(this.own) ? '' : this.own;
    this.picture = undefined;
    this.said = '';
    this.launched = undefined;
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    // Going back in the browser's history changes the page under the dialog.
    if ((!this.state || changed.has('ctx')) && (this.shows.isPage || isReady(this.ctx))) {
      this.state = gather(this.ctx, this.texts.words);
    }
    // Another question has other launches.
    if (!tellsOf(this.format, this.shows)) this.format = 'link';
    if (formats[this.format].launches) void this.launch(this.format);
  }

  protected override updated(): void {
    const { dialog } = this;
    if (this.opened || !dialog || !this.isConnected) return;
    this.opened = true;
    dialog.showModal();
  }

  private get shows(): Present {
    const { ctx } = this;
    const { view, page } = ctx.state;
    return { view, isPage: page !== undefined, isBeside: isBeside(ctx) };
  }

  private get dialog(): HTMLDialogElement | null {
    return this.querySelector('dialog');
  }

  /** The address of the calculator; undefined until it is known. */
  private get address(): string | undefined {
    return isPublic(this.own) ? this.own : readAddress(this.typed);
  }

  private get shared(): Shared {
    return { ...this.state!, address: this.address ?? '' };
  }

  /** The text of the present format; undefined before the address that it needs is known. */
  private get written(): string | undefined {
    const { write, holds, alone, launches } = formats[this.format];
    if (launches) return this.present?.text;
    if (!write) return this.drawing;
    if (!alone && !this.address) return undefined;
    const shown = Object.entries(this.shown).filter(([key]) => holds?.includes(key as keyof Shown));
    return write(this.shared, Object.fromEntries(shown));
  }

  /** The launch of the present format and state, once it is written. */
  private get present(): Written | undefined {
    const { launched, ctx, format } = this;
    return launched?.of === ctx && launched.format === format ? launched.written : undefined;
  }

  /** Writes a launch; what writes them loads with the first. */
  private async launch(format: FormatName): Promise<void> {
    const { ctx } = this;
    if (this.present || !isReady(ctx)) return;
    try {
      await this.writeLaunch(ctx, format);
    } catch {
      this.said = ctx.text.ui.notLoaded;
    }
  }

  private async writeLaunch(ctx: RenderContext, format: FormatName): Promise<void> {
    const [{ writeLaunch }, { givenOf }] = await Promise.all([
      import('../../../launch/write.ts'),
      import('../../../launch/state.ts'),
      ctx.features.presets.more.get(),
    ]);
    const reply = evaluate(ctx.engine, ctx.state);
    const given = givenOf(ctx.engine, ctx.state, reply.ok ? reply.answers : {});
    const written = await writeLaunch(ctx.engine.describe(), format as SoftwareId, given);
    if (this.ctx === ctx && this.format === format) this.launched = { of: ctx, format, written };
  }

  /** What draws the card of this view, where its state has one: a quiz hides the drawing, too. */
  private get stills(): View['stills'] {
    const { ctx, state } = this;
    if (isBeside(ctx)) return ctx.features.besideStills;
    const hides = ctx.hides(
      ...ctx.description.questions[ctx.state.view].answers.map(({ key }) => key),
    );
    return hides || !state?.headlineAnswers.length ? undefined : viewOf(ctx).stills;
  }

  /** The picture; undefined until what draws it has loaded. */
  private get drawing(): string | undefined {
    const { picture, stills, ctx } = this;
    if (typeof picture === 'object') return picture.svg();
    if (stills) {
      const draws = stills.use(ctx.actions);
      return draws && drawnCard(ctx, this.shared, draws, this.querySelector('dialog')!);
    }
    const of = (selector: string) => getComputedStyle(this.querySelector(selector)!);
    const paints: Paints = {
      paper: of('dialog').backgroundColor,
      ink: of('dialog').color,
      quiet: of('.needs').color,
      hairline: of('dialog').borderTopColor,
    };
    return card(this.shared, paints, wrap);
  }

  /** Some are only drawn while this is open. */
  private findCharts(): void {
    const root = this.getRootNode() as ShadowRoot;
    this.charts = [...root.querySelectorAll('*')].filter(
      (element): element is Drawn =>
        (element as Partial<Drawn>).svg !== undefined &&
        element.shadowRoot?.querySelector('.plot') != null,
    );
    if (!this.stills) this.picture ??= this.charts[0];
  }

  // ---- what the reader does

  private choose(format: FormatName): void {
    this.format = format;
    if (formats[format].group === 'picture') this.findCharts();
    this.said = '';
  }

  private show(change: Record<string, string | undefined>): void {
    const shown = { ...this.shown, ...change };
    this.shown = Object.fromEntries(Object.entries(shown).filter(([, value]) => value)) as Shown;
    this.said = '';
  }

  private async copy(): Promise<void> {
    const { texts } = this;
    if (formats[this.format].raster) {
      this.said = (await copyImage(() => this.pixels())) ? texts.copied : texts.notCopied;
      return;
    }
    const field = this.querySelector('textarea')!;
    this.said = (await copyText(field)) ? texts.copied : texts.selected;
  }

  /** A card has as many pixels as feeds ask for. */
  private pixels(): Promise<Blob> {
    const isCard = this.stills && typeof this.picture !== 'object';
    return png(this.drawing!, isCard ? 1 : 2);
  }

  private async save(): Promise<void> {
    const { ending, type, raster } = formats[this.format];
    const content = raster ? await this.pixels() : new Blob([this.written!], { type });
    download(content, `scaling-calculator.${ending!}`);
  }

  private saveSiteFile(content: string): void {
    download(new Blob([content], { type: 'text/html' }), siteFileName);
  }

  // ---- drawing

  protected override render(): TemplateResult | typeof nothing {
    const { texts, format } = this;
    if (!this.state) return nothing;
    return html`<dialog
      class="share"
      aria-labelledby="share-title"
      closedby="any"
      @close=${() => this.dispatchEvent(new CustomEvent('close'))}
    >
      <div class="head">
        <h2 id="share-title">${texts.title}</h2>
        <button type="button" class="close" @click=${() => this.dialog?.close()}>
          ${texts.close}
        </button>
      </div>
      ${radios(
        html`<div class="formats" role="radiogroup" aria-label=${texts.format}>
          ${groupsFor(this.shows).map(
            ([group, names]) =>
              html`<div class="group">
                <h3>${texts.groups[group]}</h3>
                ${names.map(
                  (name) =>
                    html`<label
                      ><input
                        type="radio"
                        name="format"
                        value=${name}
                        .checked=${name === format}
                        ?autofocus=${name === format}
                        @change=${() => this.choose(name)}
                      />${texts.formats[name]}</label
                    >`,
                )}
              </div>`,
          )}
        </div>`,
      )}
      <div class="made" data-format=${format}>${this.renderMade(texts)}</div>
    </dialog>`;
  }

  private renderMade(texts: Texts): TemplateResult {
    const { format, written } = this;
    const { ending, holds, raster, siteFile, group } = formats[format];
    const isPicture = group === 'picture';
    const fill = (sentence: string): string =>
      this.ctx.fill(sentence, {
        file: siteFileName,
        origin: this.address ? new URL(this.address).origin : '…',
      });
    const needs: Partial<Record<string, string>> = texts.need;
    const need =
      needs[format] ??
      (holds ? texts.need.element : group === 'launch' ? texts.need.launch : texts.need.data);
    return html`<p class="what">${fill(texts.what[format])}</p>
      ${
        this.state!.headlineAnswers.length === 0 && ending && !isBeside(this.ctx)
          ? html`<p class="mistaken">${texts.mistaken}</p>`
          : nothing
      }
      ${
        group === 'launch'
          ? this.renderLaunch(texts)
          : isPicture
            ? this.renderPicture(texts, written)
            : this.renderAddress(texts)
      }
      ${holds ? this.renderShown(texts, holds) : nothing}
      ${
        written === undefined || raster
          ? nothing
          : html`<textarea
              readonly
              spellcheck="false"
              rows=${ending && !isPicture ? 10 : 3}
              aria-label=${texts.formats[format]}
              .value=${written}
            ></textarea>`
      }
      <p class="needs">${texts.needs}${fill(need)}</p>
      <p class="buttons">
        <button type="button" data-copy ?disabled=${written === undefined} @click=${this.copy}>
          ${texts.copy}
        </button>
        ${
          ending
            ? html`<button
                type="button"
                data-save
                ?disabled=${written === undefined}
                @click=${this.save}
              >
                ${texts.download}
              </button>`
            : nothing
        }
        ${
          siteFile
            ? html`<button type="button" data-site-file @click=${() => this.saveSiteFile(siteFile)}>
                ${fill(texts.downloadFile)}
              </button>`
            : nothing
        }
      </p>
      <p class="said" role="status">${this.said}</p>`;
  }

  /** What the software refuses of the layout, and what it can't say. */
  private renderLaunch({ launch, formats: names }: Texts): TemplateResult | typeof nothing {
    const { present, ctx, format } = this;
    if (!present) return progressLine(ctx);
    const { lost, refusals, withoutModel, instances } = present;
    const software = names[format];
    const notes = [
      ...(withoutModel ? [launch.model] : []),
      ...(instances > 1
        ? [ctx.fill(launch.instances, { n: ctx.format.count(instances) }, { n: instances })]
        : []),
    ];
    return html`${
      refusals.length > 0
        ? html`<div class="mistaken">
            <p>${ctx.fill(launch.refuses, { software })}</p>
            <ul>
              ${refusals.map(({ says }) => html`<li>${says}</li>`)}
            </ul>
          </div>`
        : nothing
    }
    ${
      lost.length > 0
        ? html`<p class="hint">${ctx.fill(launch.lost, { software })}</p>
            <ul class="hint">
              ${lost.map(({ field, value, becomes }) => {
                const parts = { software, field: ctx.label(field), value: ctx.say(field, value) };
                const said =
                  becomes === undefined
                    ? ctx.fill(launch.left, parts)
                    : ctx.fill(launch.instead, { ...parts, becomes: ctx.say(field, becomes) });
                return html`<li>${said}</li>`;
              })}
            </ul>`
        : nothing
    }
    ${notes.map((note) => html`<p class="hint">${note}</p>`)}
    ${
      ctx.features.customPresets
        ? html`<p class="hint">
            <button type="button" class="why" data-read-launch @click=${this.read}>
              ${launch.reading}
            </button>
          </p>`
        : nothing
    }`;
  }

  private readonly read = (): void => {
    const { ctx } = this;
    this.dialog?.close();
    ctx.features.customPresets?.open(ctx, 'launch');
  };

  private renderAddress(texts: Texts): TemplateResult | typeof nothing {
    if (isPublic(this.own)) return nothing;
    const wrong = this.typed !== '' && this.address === undefined;
    const hint = this.own ? texts.addressLocal : texts.addressFile;
    return html`<label class="address"
        >${texts.address}
        <input
          type="url"
          name="address"
          autocomplete="url"
          placeholder="https://"
          aria-describedby="share-address"
          aria-invalid=${wrong}
          .value=${this.typed}
          @input=${(event: Event) => {
            this.typed = (event.target as HTMLInputElement).value;
            this.said = '';
          }}
      /></label>
      <p id="share-address" class="hint">${wrong ? texts.addressWrong : hint}</p>`;
  }

  private renderPicture(texts: Texts, drawing: string | undefined): TemplateResult {
    const { charts, picture, stills, ctx } = this;
    if (drawing === undefined) return html`${stills ? progressOf(ctx, stills) : nothing}`;
    return html`${
        charts.length > 0
          ? html`<label
              >${texts.picture}
              <select
                name="picture"
                @change=${(event: Event) => {
                  const { value } = event.target as HTMLSelectElement;
                  this.picture = charts[Number(value)] ?? 'answers';
                  this.said = '';
                }}
              >
                ${charts.map(
                  ({ data }, index) =>
                    html`<option value=${index} .selected=${charts[index] === picture}>
                      ${data.title}
                    </option>`,
                )}
                <option value="answers" .selected=${typeof picture !== 'object'}>
                  ${texts.answersPicture}
                </option>
              </select></label
            >`
          : nothing
      }<img
        class="preview"
        src="data:image/svg+xml;charset=utf-8,${encodeURIComponent(drawing)}"
        alt=${typeof picture === 'object' ? picture.data.title : texts.answersPicture}
      />`;
  }

  /** Display settings of the calculator. */
  private renderShown(texts: Texts, holds: readonly (keyof Shown)[]): TemplateResult {
    const { shown, ctx } = this;
    const { view } = ctx.state;
    const one = holds.includes('answer') ? shown.answer : undefined;
    const names: Record<string, string> = texts.views;
    const option = (value: string, label: string, chosen: boolean): TemplateResult =>
      html`<option value=${value} .selected=${chosen}>${label}</option>`;
    const choice = (name: keyof Shown, label: string, choices: Record<string, string>) =>
      holds.includes(name) && one === undefined
        ? html`<label
            >${label}
            <select
              name=${name}
              @change=${(event: Event) =>
                this.show({ [name]: (event.target as HTMLSelectElement).value })}
            >
              ${Object.entries(choices).map(([value, said], index) =>
                option(
                  index === 0 ? '' : value,
                  said,
                  (shown[name] ?? '') === (index === 0 ? '' : value),
                ),
              )}
            </select></label
          >`
        : nothing;
    return html`<div class="shown">
      <label
        >${texts.shows}
        <select
          name="shows"
          @change=${(event: Event) => {
            const [name, value] = (event.target as HTMLSelectElement).value.split(' ');
            this.show({ view: undefined, answer: undefined, [name!]: value });
          }}
        >
          ${option('view', texts.everything, true)}
          ${partsOf(view).map((name) => option(`view ${name}`, names[name]!, shown.view === name))}
          ${
            holds.includes('answer')
              ? html`<optgroup label=${texts.oneNumber}>
                  ${this.state!.headlineAnswers.map(({ key, label }) =>
                    option(`answer ${key}`, label, one === key),
                  )}
                </optgroup>`
              : nothing
          }
        </select></label
      >
      ${choice('controls', texts.controls, texts.controlsChoice)}
      ${choice('theme', texts.theme, texts.themes)}
      ${choice('reveal', texts.starts, texts.startsChoice)}
    </div>`;
  }
}

/** The dialog. */
export function shareDialog(ctx: RenderContext, texts: Texts, close: () => void): TemplateResult {
  define('scaling-share', Share);
  return html`<scaling-share .ctx=${ctx} .texts=${texts} @close=${close}></scaling-share>`;
}
