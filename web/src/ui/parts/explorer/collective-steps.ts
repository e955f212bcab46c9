import {
  html,
  nothing,
  type PropertyDeclarations,
  type PropertyValues,
  type TemplateResult,
} from 'lit';
import { live } from 'lit/directives/live.js';
import type { Schedule } from '../../../engine/index.ts';
import { inputsOf } from '../../../model/evaluate.ts';
import { sheetOf } from '../../../dom/sheet.ts';
import type { InputGroup } from '../../../model/presets.ts';
import type { RenderContext } from '../../kit/render-context.ts';
import text from './collective-steps.css?inline';
import { LightElement } from '../../kit/light-element.ts';

const style = sheetOf(text);

/** The engine's limit of chips. */
const mostChips = 16;
/** Shades between holding nothing of a part and all of it. */
const shades = 4;

type Mesh = Record<'x' | 'y' | 'z', number>;

/** A collective step by step: which chip holds how much of which part. Renders into its parent's tree. */
export class CollectiveSteps extends LightElement {
  static override sheets = [style];
  static override properties: PropertyDeclarations = {
    ctx: { attribute: false },
    step: { state: true },
  };

  declare ctx: RenderContext;
  /** Steps done, of what the second table shows. */
  declare private step: number;
  private schedule: Schedule | undefined;
  private mesh: Mesh = { x: 1, y: 1, z: 1 };

  constructor() {
    super();
    this.step = Infinity;
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (!changed.has('ctx') || changed.get('ctx')?.state === this.ctx.state) return;
    const { engine, state } = this.ctx;
    const input = inputsOf(engine, state);
    this.mesh = small(input.mesh ?? {});
    const told = engine
      .loaded('operations')!
      .schedule({ ...input, mesh: { ...input.mesh, ...this.mesh } });
    const drawable = told.ok && told.chips > 1 && told.steps > 0;
    // Other bytes take the same steps: the reader stays at theirs.
    if (!drawable || !alike(told, this.schedule)) this.step = Infinity;
    this.schedule = drawable ? told : undefined;
  }

  protected override render(): TemplateResult | typeof nothing {
    const { ctx, schedule } = this;
    if (!schedule) return nothing;
    const { holdings: words } = ctx.text;
    const { chips, steps } = schedule;
    const step = Math.min(this.step, steps);
    const sends = ctx.value('collective.kind') === 'pointToPoint';
    const whole = completeOf(ctx, chips);
    const { x, y, z } = this.mesh;
    const asked = ['x', 'y', 'z'].map((axis) => Number(ctx.value(`mesh.${axis}`)));
    const reduced = asked.reduce((product, axis) => product * axis) !== chips;
    const after = this.called(step);
    const held = sends ? '' : this.held(step, whole);
    return html`<section class="holdings" aria-labelledby="holdings">
      <h2 id="holdings">${words.title}</h2>
      <div class="pictures">
        ${this.frames(step).map((each) => this.table(each, each === step, whole))}
      </div>
      <p class="steps">
        <button
          type="button"
          class="small"
          aria-label=${words.back}
          ?disabled=${step === 0}
          @click=${() => (this.step = step - 1)}
        >
          ‹
        </button>
        <input
          type="range"
          min="0"
          max=${steps}
          step="1"
          aria-label=${words.step}
          aria-valuetext=${[after, held].filter(Boolean).join(ctx.text.holdings.stop)}
          .value=${live(String(step))}
          @input=${(event: Event) => (this.step = Number((event.target as HTMLInputElement).value))}
        />
        <button
          type="button"
          class="small"
          aria-label=${words.next}
          ?disabled=${step === steps}
          @click=${() => (this.step = step + 1)}
        >
          ›
        </button>
        <span class="held">${held}</span>
      </p>
      <p class="note">
        ${whole > 1 ? words.numbers : nothing}
        ${
          reduced
            ? ctx.fill(words.fewer, {
                mesh: [x, y, z].filter((axis) => axis > 1).join(' × '),
              })
            : nothing
        }
        ${[x, y, z].filter((axis) => axis > 1).length > 1 ? words.axes : nothing}
      </p>
    </section>`;
  }

  /** The steps whose tables stand beside each other: before all, and the last ones up to `step`, as
   * many as there is room for. */
  private frames(step: number): number[] {
    const { chips, steps } = this.schedule!;
    const most = chips > 8 ? 2 : chips > 4 ? 3 : 5;
    const last = Math.max(step, Math.min(steps, most));
    const first = Math.max(1, last - most + 1);
    return [0, ...Array.from({ length: last - first + 1 }, (_, index) => first + index)];
  }

  private called(step: number): string {
    const { holdings: words } = this.ctx.text;
    return step === 0
      ? words.before
      : this.ctx.fill(words.after, { step: String(step), steps: String(this.schedule!.steps) });
  }

  /** The parts that any chip ever has: of a transfer, one. */
  private get parts(): number[] {
    const { chips, holds } = this.schedule!;
    const held = new Set<number>();
    holds.forEach((pieces, index) => {
      if (pieces > 0) held.add(index % chips);
    });
    return [...held].sort((a, b) => a - b);
  }

  private pieces(step: number, chip: number, part: number): number {
    const { chips, holds } = this.schedule!;
    return holds[(step * chips + chip) * chips + part] ?? 0;
  }

  /** The number of parts that chips hold in full: one number, or the least to the most. */
  private held(step: number, whole: number): string {
    const { chips } = this.schedule!;
    const all = [...Array(chips).keys()];
    const counts = all.map(
      (chip) => all.filter((part) => this.pieces(step, chip, part) >= whole).length,
    );
    const [least, most] = [Math.min(...counts), Math.max(...counts)];
    return this.ctx.fill(this.ctx.text.holdings.held, {
      count: least === most ? String(least) : `${least}–${most}`,
      all: String(chips),
    });
  }

  private table(step: number, chosen: boolean, whole: number): TemplateResult {
    const { ctx } = this;
    const { holdings: words } = ctx.text;
    const { chips } = this.schedule!;
    const all = [...Array(chips).keys()];
    return html`<table
      class=${chips > 8 ? 'many' : ''}
      aria-current=${chosen ? 'step' : nothing}
      @click=${() => (this.step = step)}
    >
      <caption>
        ${this.called(step)}
      </caption>
      <thead>
        <tr>
          <td></td>
          ${all.map(
            (chip) =>
              html`<th scope="col">
                <span class="hidden">${words.chip}</span>
                ${chip + 1}
              </th>`,
          )}
        </tr>
      </thead>
      <tbody>
        ${this.parts.map(
          (part) =>
            html`<tr>
              <th scope="row">
                <span class="hidden">${words.part}</span>
                ${letter(part)}
              </th>
              ${all.map((chip) => {
                const held = this.pieces(step, chip, part);
                const fresh = step > 0 && held > this.pieces(step - 1, chip, part);
                return html`<td
                  data-shade=${Math.ceil((Math.min(held, whole) * shades) / whole)}
                  ?data-fresh=${fresh}
                >
                  ${
                    whole > 1
                      ? held || html`<span class="hidden">0</span>`
                      : html`<span class="hidden">${held > 0 ? words.has : words.lacks}</span>`
                  }
                </td>`;
              })}
            </tr>`,
        )}
      </tbody>
    </table>`;
  }
}

/** A part is whole with one piece of a gather or a transfer, with one of each chip otherwise. */
function completeOf(ctx: RenderContext, chips: number): number {
  const kind = ctx.value('collective.kind');
  return kind === 'allGather' || kind === 'pointToPoint' ? 1 : chips;
}

/** The mesh, or of one with more chips than can be drawn the like with fewer. */
function small(mesh: InputGroup): Mesh {
  const axes: Mesh = { x: Number(mesh.x), y: Number(mesh.y), z: Number(mesh.z) };
  while (axes.x * axes.y * axes.z > mostChips) {
    const { x, y, z } = axes;
    const longest = x >= y && x >= z ? 'x' : y >= z ? 'y' : 'z';
    axes[longest] = Math.ceil(Math.min(axes[longest], 2 * mostChips) / 2);
  }
  return axes;
}

const alike = (one: Schedule, other: Schedule | undefined): boolean =>
  one.holds.length === other?.holds.length &&
  one.holds.every((pieces, index) => pieces === other.holds[index]);

const letter = (part: number): string => 'ABCDEFGHIJKLMNOP'.charAt(part);
