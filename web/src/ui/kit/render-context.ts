import type { Told } from '../../engine/told.ts';
import type { TemplateResult } from 'lit';
import type {
  Description,
  Engine,
  Explanation,
  FieldInfo,
  FieldValue,
  GroupName,
  Issue,
  Step,
} from '../../engine/index.ts';
import type { Lazy } from '../../engine/lazy.ts';
import type { Formatter } from '../../number/format.ts';
import { parseNumber } from '../../number/parse.ts';
import { writeForControl, writeForReading } from '../../number/write.ts';
import { ownValue } from '../../model/own-value.ts';
import { own, type InputGroup } from '../../model/presets.ts';
import { isMoney } from '../../number/unit.ts';
import { notationOf, spokenUnit } from '../../model/presentation.ts';
import { constantLabel } from '../../model/sources.ts';
import type { ChartSettings } from '../../model/charts.ts';
import { applies, baseOf, inputOf, nameOf, type State } from '../../model/state.ts';
import { asksFor, fieldInfo, splitId, type FieldId } from '../../model/fields.ts';
import type { Dictionary } from '../../i18n/dictionary.ts';
import type { Language } from '../../i18n/language.ts';
import { interpolate } from '../../i18n/interpolate.ts';
import type { FeaturesFor } from './features.ts';
import type { Edit } from './number-control.ts';
import type { ViewFor } from './view.ts';

/** Draws how answers came about. */
export type DrawDerivation = (
  ctx: RenderContext,
  steps: readonly Step[],
  answers: readonly string[],
) => TemplateResult;

type Labels = Record<string, { label: string }>;

/** The actions that a reader can take. */
export interface Actions {
  edit(id: FieldId, edit: Edit): void;
  set(id: FieldId, value: FieldValue): void;
  reset(id: FieldId): void;
  choosePreset(preset: 'chip' | 'model' | 'optimizer' | 'figures', id: string): void;
  go(state: State): void;
  /** Changes which charts are shown, or how. */
  chart(settings: ChartSettings, edit?: { name: string; done: boolean }): void;
  /** Sets fields to the values that the reader dragged to in a chart. */
  move(places: readonly (readonly [FieldId, FieldValue])[], done: boolean): void;
  /** Renders again, because something has loaded or failed to load. */
  refresh(): void;
  /** Loads the texts of the views opened so far. */
  readonly texts: Lazy<Dictionary>;
  /** Loads derivations of the present view and what draws them. */
  readonly derivations: Lazy<DrawDerivation>;
  /** Opens or closes a part of the page, e.g. `why cost` or `panel chip`. */
  toggle(part: string): void;
  /** The derivations of the answers that are shown: another map for other answers. */
  readonly explanations: ReadonlyMap<string, Explanation>;
  /** Explains an answer; undefined until `derivations` has loaded. Called only where it is shown. */
  explain(answer: string): Explanation | undefined;
  /** Announces a text once to screen readers. */
  say(text: string): void;
}

/** The field in whose control the reader is: the control stays where it is. */
export interface Focused {
  id: string;
  /** In the sentence, below it, or elsewhere. */
  place: 'sentence' | 'below' | undefined;
}

/** What is drawn, and with what. */
export interface Drawn {
  readonly language: Language;
  readonly text: Dictionary;
  readonly format: Formatter;
  readonly engine: Engine;
  readonly features: Features;
  readonly state: State;
  readonly issues?: readonly Issue[];
  readonly notices?: readonly Issue[];
  readonly drafts?: ReadonlyMap<FieldId, string>;
  /** The parts of the page that are open; closed parts are not rendered at all. */
  readonly open: ReadonlySet<string>;
  readonly actions: Actions;
  readonly present?: RenderContext;
  readonly focused?: Focused | undefined;
  /** Tells which fields the sentence shows as words instead of controls. */
  readonly fixed?: (name: string) => boolean;
  /** Whether fields may be shown beside the answers that depend on them. */
  readonly besides?: boolean;
  /** Labels that replace those of answers. */
  readonly labels?: Labels;
}

/** What the features of a calculator and its views draw with. */
export type Features = FeaturesFor<RenderContext>;
export type View = ViewFor<RenderContext>;

/** Everything that a part needs to draw itself, and nothing changes it. Each render creates a new one. */
export class RenderContext {
  declare readonly language: Language;
  declare readonly text: Dictionary;
  declare readonly format: Formatter;
  declare readonly engine: Engine;
  declare readonly features: Features;
  declare readonly state: State;
  declare readonly open: ReadonlySet<string>;
  declare readonly actions: Actions;
  readonly issues: readonly Issue[] = [];
  readonly notices: readonly Issue[] = [];
  readonly drafts: ReadonlyMap<FieldId, string> = new Map();
  readonly focused: Focused | undefined = undefined;
  readonly besides: boolean = true;
  readonly fixed: (name: string) => boolean = () => false;
  private readonly labels: Labels = {};
  readonly description: Description;
  /** The context of the present state, if these answers belong to an earlier state. */
  readonly present: RenderContext;
  private readonly inputs = new Map<GroupName, InputGroup>();
  private readonly bases = new Map<GroupName, InputGroup>();

  constructor(private readonly given: Drawn) {
    Object.assign(this, given);
    this.description = given.engine.describe();
    this.present = ownValue(given, 'present') ?? this;
  }

  /** The same but for some of it. */
  with(changes: Partial<Drawn>): RenderContext {
    return new RenderContext({ ...this.given, ...changes });
  }

  /** The context of another state, without drafts or issues. */
  at(state: State): RenderContext {
    const { language, text, format, engine, features, open, actions } = this;
    return new RenderContext({ language, text, format, engine, features, state, open, actions });
  }

  /** Whether the quiz hides any of these answers until the reader has guessed. */
  hides(...answers: string[]): boolean {
    return this.features.quiz?.hides(this, answers) ?? false;
  }

  info(id: FieldId): FieldInfo {
    return fieldInfo(this.description, id)!;
  }

  value(id: FieldId): FieldValue {
    const [group, key] = splitId(id);
    return ownValue(this.input(group), key) ?? null;
  }

  base(id: FieldId): FieldValue {
    const [group, key] = splitId(id);
    const base = this.bases.get(group) ?? baseOf(this.description, this.state, group);
    this.bases.set(group, base);
    return ownValue(base, key) ?? null;
  }

  private input(group: GroupName): InputGroup {
    const input = this.inputs.get(group) ?? inputOf(this.description, this.state, group);
    this.inputs.set(group, input);
    return input;
  }

  edited(id: FieldId): boolean {
    const [group, key] = splitId(id);
    return Object.hasOwn(this.state.edits[group], key) || this.drafts.has(id);
  }

  /** Names the chip or model, even a custom one without a name. */
  called(thing: 'chip' | 'model', state = this.state): string {
    return nameOf(state, thing) || this.text.ui.own[thing];
  }

  /** Whether a field differs from its preset; custom presets have no base to differ from. */
  differs(id: FieldId): boolean {
    const [group] = splitId(id);
    const preset = group === 'chip' || group === 'model' ? this.state[group] : undefined;
    return preset === own ? this.drafts.has(id) : this.edited(id);
  }

  /** Whether the field matters, given the others of its group. */
  applies(id: FieldId): boolean {
    return applies(this.description, id, this.input(splitId(id)[0]));
  }

  /** Whether the present question asks for a group. */
  asksFor(group: GroupName): boolean {
    const question = this.description.questions[this.state.view];
    return asksFor(question, group, (id) => this.value(id));
  }

  label(id: FieldId): string {
    const [group, key] = splitId(id);
    const labels = ownValue(this.text.fields, group) as Labels | undefined;
    return (labels && ownValue(labels, key)?.label) ?? id;
  }

  /** A choice in words; number formats are their own names. */
  choice(id: FieldId, choice: string): string {
    const [group, key] = splitId(id);
    const groups: Record<string, Record<string, Record<string, string>>> = this.text.choices;
    const words = ownValue(ownValue(groups, group) ?? {}, key);
    return (words && ownValue(words, choice)) ?? choice;
  }

  /** A field's value in words, as its control shows it. */
  say(id: FieldId, value: FieldValue): string {
    if (value === null) return this.text.ui.notGiven;
    if (typeof value === 'boolean') return value ? this.text.ui.yes : this.text.ui.no;
    if (typeof value === 'string') return this.choice(id, value);
    const written = writeForReading(value, notationOf(this.info(id)), this.language);
    return isMoney(this.info(id).unit) ? `$${written}` : written;
  }

  /** An answer that is a choice, in words; most such are bounds. */
  choiceOfAnswer(key: string, choice: string): string {
    const words: Record<string, Record<string, string>> = this.text.answerChoices;
    const said = ownValue(words, key) ?? (this.text.bounds as Record<string, string>);
    return ownValue(said, choice) ?? choice;
  }

  /** An answer or a part of its derivation, in words. */
  sayQuantity({ key = '', value, choice, ...told }: Quantity): string {
    return choice ? this.choiceOfAnswer(key, choice) : this.format.say(value, spokenUnit(told));
  }

  answer(key: string): { label: string } {
    if (key.startsWith('constants.')) return { label: constantLabel(key, this.text) };
    // A second quantity of the same name has its place behind it.
    const [name = key] = key.split('#');
    const { labels } = this;
    if (Object.hasOwn(labels, name)) return labels[name]!;
    return ownValue(this.text.answers as Labels, name) ?? { label: key };
  }

  /** A convention for optimizer states, and on the page the parts of a parameter's bytes. */
  optimizer(id: string): { name: string; parts?: string } {
    const optimizers: Record<string, { name: string; parts?: string }> = this.text.optimizers;
    return optimizers[id]!;
  }

  fill(
    sentence: string,
    parts: Record<string, string> = {},
    numbers: Record<string, number> = {},
  ): string {
    const text = interpolate(sentence, parts, (name) =>
      this.format.plural(numbers[name] ?? 0),
    ).join('');
    return spaced(text);
  }

  /** Sentences one after the other; those of Chinese bring their own space. */
  sentences(all: readonly string[]): string {
    return all
      .filter(Boolean)
      .join(' ')
      .replace(/(?<=[。！？]) /g, '');
  }

  /** Issues and notices at a field, as sentences. */
  messages(id: FieldId): string[] {
    const draft = this.drafts.get(id);
    if (draft !== undefined) return [this.draftMessage(id, draft)];
    return [...this.issues, ...this.notices]
      .filter(({ field }) => field === id)
      .map((issue) => this.issueMessage(issue));
  }

  draftMessage(id: FieldId, draft: string, label = this.label(id)): string {
    const { issues } = this.text;
    const info = this.info(id);
    const parsed = parseNumber(draft, notationOf(info));
    const whole = !parsed.ok || info.kind !== 'count' || Number.isInteger(parsed.value);
    const reason = parsed.ok ? (whole ? 'tooLarge' : 'notWhole') : parsed.reason;
    const sentence = {
      empty: issues.missing,
      notANumber: issues.notANumber,
      notWhole: issues.notWhole,
      tooLarge: issues.aboveMaximum,
    }[reason];
    return this.fill(sentence, { ...this.rangeOf(id), field: label, typed: draft.trim() });
  }

  issueMessage(issue: Issue): string {
    const id = issue.field as FieldId;
    const sentences: Record<string, string> = this.text.issues;
    const parts: Record<string, string> = { ...this.rangeOf(id), field: this.label(id) };
    const numbers: Record<string, number> = {};
    for (const [name, argument] of Object.entries(issue.arguments)) {
      numbers[name] = argument;
      const limits = name === 'minimum' || name === 'maximum';
      // Both arguments are bytes if blocks and operands are too large.
      const inBytes = Object.hasOwn(issue.arguments, 'bytes');
      parts[name] = inBytes
        ? this.format.say(argument, 'B')
        : this.isPercent(name)
          ? this.format.say(argument, '%')
          : limits
            ? this.say(id, argument)
            : this.sayCount(argument);
    }
    // A peak that is not known is told by its format.
    const [, format] = /^chip\.peak(\w+)$/.exec(id) ?? [];
    parts.typed = format ? format.toLowerCase() : this.say(id, this.value(id));
    return this.fill(sentences[issue.code] ?? issue.code, parts, numbers);
  }

  /** Whether the argument of an issue is named like a field or an answer that is said in percent. */
  private isPercent(name: string): boolean {
    const { groups, questions } = this.description;
    return [
      ...Object.values(groups).flat(),
      ...Object.values(questions).flatMap(({ answers }) => answers),
    ].some(({ key, shown }) => key === name && shown === 'percent');
  }

  /** Writes a count as briefly as it allows: 4,096, 1M, 977. */
  private sayCount(count: number): string {
    if (!Number.isInteger(count)) return this.format.count(count);
    return writeForControl(count, { unit: '', percent: false }, this.language);
  }

  private rangeOf(id: FieldId): Record<string, string> {
    const { min, max } = this.info(id);
    return { minimum: this.say(id, min), maximum: this.say(id, max) };
  }

  invalid(id: FieldId): boolean {
    return this.drafts.has(id) || this.issues.some(({ field }) => field === id);
  }
}

/** A value to be said: an answer, or a part of a derivation. */
export interface Quantity extends Told {
  key?: string;
  value: number;
  choice?: string;
}

/** Chinese sets a space beside Latin words, whichever part of a sentence they come from. */
const spaced = (text: string): string =>
  text.replace(/(\p{Script=Han})(?=[A-Za-z])|([A-Za-z])(?=\p{Script=Han})/gu, '$& ');
