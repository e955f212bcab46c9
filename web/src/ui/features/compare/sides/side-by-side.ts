import { html, nothing, type PropertyDeclarations, type TemplateResult } from 'lit';
import { define } from '../../../../dom/define.ts';
import { Lazy } from '../../../../engine/lazy.ts';
import { partOf } from '../../../../i18n/dictionary.ts';
import { FieldLinks } from '../../../../link/field-links.ts';
import { writeAddress } from '../../../../link/address.ts';
import type { ChartSettings } from '../../../../model/charts.ts';
import type { FieldId } from '../../../../model/fields.ts';
import { writeForLink } from '../../../../number/write.ts';
import { lazily, progressOf } from '../../../kit/lazily.ts';
import { LightElement } from '../../../kit/light-element.ts';
import type { RenderContext } from '../../../kit/render-context.ts';
import { fold } from '../../../parts/folds.ts';
import { columns, headRows } from './cells.ts';
import { CollectedSides } from './collected.ts';
import { refusals, sets, tools, type Wrong } from './controls.ts';
import { difference, summary, type Drawn, type SidesWords } from './differences.ts';
import { factsOf } from './facts.ts';
import { sidesTable } from './files.ts';
import { limitsOf, plain, readLimit } from './limits.ts';
import { alone, sizedState, writeThing, type Sized } from './rows.ts';
import {
  itemIn,
  mostSides,
  usualSides,
  writeSides,
  type Along,
  type Sides as Setting,
} from './setting.ts';
import { show } from './shown.ts';
import { sidesStyle } from './style.ts';
import { within, tradeChart } from './trade.ts';
import { sayOnChips } from './words.ts';

const drawing = new Lazy(() => import('../rivals/sides.ts'));

/** Two to six questions beside each other, each with the layout that is best for it. */
export class SideBySide extends LightElement {
  static override sheets = [sidesStyle];
  static override properties: PropertyDeclarations = {
    ctx: { attribute: false },
    words: { attribute: false },
    wrong: { state: true },
  };

  declare ctx: RenderContext;
  declare words: SidesWords;
  declare private wrong: Wrong | undefined;
  private readonly all = new CollectedSides(() => this.requestUpdate());

  override connectedCallback(): void {
    super.connectedCallback();
    this.classList.add('beside-each-other');
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.all.stop();
  }

  protected override willUpdate(): void {
    this.all.update(this.ctx);
  }

  protected override updated(): void {
    // Strict policies let no style stand in attributes.
    const rows = String(factsOf(this.ctx).length + headRows);
    this.querySelector<HTMLElement>('.columns')?.style.setProperty('--facts', rows);
  }

  // ---- what the reader does

  private change(settings: ChartSettings): void {
    this.wrong = undefined;
    this.ctx.actions.chart(settings);
  }

  private show(setting: Setting): void {
    this.change({ sides: writeSides(this.ctx.description, setting) });
  }

  private choose(along: Along): void {
    const { ctx } = this;
    if (along === 'kept') this.show({ along, items: this.questions() });
    else this.show(usualSides(ctx.description, ctx.state, along));
  }

  /** The sides, each as a question of its own; without any, the present one. */
  private questions(): string[] {
    const { ctx } = this;
    const { setting, sides } = this.all;
    const { description } = ctx;
    if (setting?.along === 'kept') return [...setting.items];
    const links = sides.map((side) => writeAddress(description, side.state(), false));
    return links.length > 0 ? links : [this.present()];
  }

  private present(): string {
    return writeAddress(this.ctx.description, alone(this.ctx, this.ctx.state), false);
  }

  private add(item: string): void {
    const { along, items } = this.all.setting!;
    if (items.includes(item) || items.length >= mostSides) return;
    this.show({ along, items: [...items, item] });
  }

  private drop(item: string): void {
    const { along, items } = this.all.setting!;
    this.show({ along, items: items.filter((each) => each !== item) });
  }

  /** One of the reader's own chips or models, or a preset. */
  private addThing(which: 'chip' | 'model', id: string): void {
    const { ctx } = this;
    const kept = ctx.features.customPresets?.stateWith(ctx, which, id);
    this.add(kept ? writeThing(ctx, kept, which) : id);
  }

  private addValue(id: FieldId, input: HTMLInputElement | HTMLSelectElement): void {
    const { ctx } = this;
    const item = itemIn(FieldLinks.of(ctx.description), id, input.value.trim());
    if (item === undefined) {
      this.wrong = { where: 'add', says: ctx.draftMessage(id, input.value) };
      return;
    }
    this.add(item);
    if (input instanceof HTMLInputElement) input.value = '';
  }

  private limit(which: 'deadline' | 'budget', text: string): void {
    const typed = text.trim();
    const value = readLimit(typed.replace(/^\$/, ''));
    if (typed === '') this.change({ [which]: undefined });
    else if (value !== undefined) this.change({ [which]: writeForLink(value, plain) });
    else {
      const { limits } = this.words;
      const field = limits[which][this.ctx.state.view as 'plan'];
      this.wrong = { where: which, says: this.ctx.fill(limits.wrong, { field, typed }) };
    }
  }

  // ---- drawing

  protected override render(): unknown {
    const { ctx, words, all } = this;
    const part = partOf(ctx.language, 'compare');
    const common = part.use(ctx.actions);
    if (!common) return progressOf(ctx, part);
    const { setting, sides, sidesLeft, pointsLeft } = all;
    const drawn = { ctx, words, common, all };
    show(drawn);
    const controls = this.controls(drawn);
    const left = sidesLeft + pointsLeft;
    const said =
      sidesLeft > 0
        ? ctx.fill(words.searching, {
            done: String(sides.length - sidesLeft),
            all: String(sides.length),
          })
        : summary(drawn);
    const limits = limitsOf(ctx);
    const chips = setting && sayOnChips(ctx, words, setting.along);
    return html`<section class="sides" aria-labelledby="sides">
      <div class="head">
        <h2 id="sides">${words.title}</h2>
        <button
          type="button"
          class="back"
          @click=${() => this.change({ sides: undefined, deadline: undefined, budget: undefined })}
        >
          ${words.back}
        </button>
      </div>
      <p class="best-said" role="status" data-progress=${left > 0 ? 'asking' : 'done'}>${said}</p>
      ${within(drawn, limits)}
      ${sides.length > 1 ? lazily(ctx, drawing, ({ rivals }) => rivals(drawn, (side) => ctx.actions.go(side.state()))) : nothing}
      ${sets(controls, (along) => this.choose(along))}
      ${setting ? [tools(controls, common, setting), ...refusals(ctx, setting)] : nothing}
      ${chips ? html`<p class="note on-chips">${chips}</p>` : nothing}
      ${
        sides.length === 0
          ? html`<p class="means">${words.nothing}</p>`
          : [
              tradeChart(drawn, limits, (sized) => this.take(sized)),
              fold(ctx, 'why', () =>
                columns(drawn, {
                  take: (side) => ctx.actions.go(side.state()),
                  drop: (side) => this.drop(side.id),
                }),
              ),
            ]
      }
    </section>`;
  }

  /** Takes over a point of the chart, alone. */
  private take(sized: Sized): void {
    this.ctx.actions.go(sizedState(this.ctx, sized));
  }

  private controls({ ctx, words, common, all }: Drawn): Parameters<typeof tools>[0] {
    return {
      ctx,
      words,
      setting: all.setting,
      wrong: this.wrong,
      addPresent: () => this.add(this.present()),
      addThing: (which, id) => this.addThing(which, id),
      addValue: (id, input) => this.addValue(id, input),
      limit: (which, text) => this.limit(which, text),
      files: () =>
        sidesTable(ctx, words, common, all.sides, all.of, (index, info) =>
          difference({ ctx, words, common, all }, index, info),
        ),
    };
  }
}

/** The questions beside each other. */
export function sides(ctx: RenderContext, words: SidesWords): TemplateResult {
  define('scaling-sides', SideBySide);
  return html`<scaling-sides .ctx=${ctx} .words=${words}></scaling-sides>`;
}
