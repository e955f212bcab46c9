// Reads what an agent asks: plain groups of fields, as links say them.

import type { FieldInfo, FieldValue, GroupName } from '../engine/index.ts';
import { FieldLinks } from '../link/field-links.ts';
import { meantBy } from '../link/meant.ts';
import { linkOf } from '../link/questions.ts';
import { fieldInfo, type FieldId } from '../model/fields.ts';
import { own } from '../model/presets.ts';
import { countings, isCounting } from '../model/state.ts';
import { views, type Question } from '../model/views.ts';
import type { RenderContext } from '../ui/kit/render-context.ts';

/** What is wrong with an input, as sentences. */
export class Wrong extends Error {}

type Pair = readonly [key: string, value: string];
type Fields = Record<string, unknown>;

const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Groups that the id of a preset stands for. */
const isPreset = (group: string): group is 'chip' | 'model' =>
  group === 'chip' || group === 'model';

/** Longer values are no use in a message. */
const longest = 40;

/** A value as the agent wrote it, shortened; a number in quotes keeps them. */
export function written(value: unknown): string {
  const isWord = typeof value === 'string' && Number.isNaN(Number(value));
  const text = isWord ? value : (JSON.stringify(value) ?? 'undefined');
  return text.length > longest ? `${text.slice(0, longest)}…` : text;
}

export class InputReader {
  private readonly links: FieldLinks;

  /** `words` says what is wrong. */
  constructor(private readonly words: RenderContext) {
    this.links = FieldLinks.of(words.description);
  }

  /** The link that an input stands for. Throws `Wrong` with all that is wrong with it. */
  link(question: Question, input: unknown): string {
    const { description } = this.words;
    const { groups, when } = description.questions[question];
    const wrong: string[] = [];
    const pairs: Pair[] = [];
    if (!isObject(input)) throw new Wrong(this.cannotBe(question, input, [...groups]));
    for (const [group, given] of Object.entries(input)) {
      if (group === 'counting' && views[question].predictedBy) {
        if (isCounting(given)) pairs.push([group, given]);
        else wrong.push(this.cannotBe(group, given, countings));
      } else if (!groups.includes(group as GroupName)) wrong.push(this.unknown(group, groups));
      else pairs.push(...this.group(group as GroupName, given, wrong));
    }
    for (const group of groups.filter((each) => isPreset(each) && !when[each])) {
      if (input[group] === undefined)
        wrong.push(`“${group}” is missing: give the id of a preset; “describe” lists them`);
    }
    if (wrong.length > 0) throw new Wrong(wrong.join('\n'));
    return linkOf(description, question, pairs);
  }

  private group(group: GroupName, given: unknown, wrong: string[]): Pair[] {
    if (isPreset(group) && typeof given === 'string') return [[group, given]];
    const keys = this.words.description.groups[group].map(({ key }) => key);
    if (!isObject(given)) {
      wrong.push(this.cannotBe(group, given, keys));
      return [];
    }
    // Figures without a preset's below them are all the agent's own.
    const { base = own } = given;
    const pairs: Pair[] = isPreset(group)
      ? [[group, typeof base === 'string' ? base : written(base)]]
      : [];
    for (const [key, value] of Object.entries(given)) {
      if (isPreset(group) && key === 'base') continue;
      const id: FieldId = `${group}.${key}`;
      // Where no preset lies below it, nothing is what the field has anyway.
      if (value === null && base === own && this.isEmpty(id)) continue;
      if (!keys.includes(key)) wrong.push(this.unknown(id, this.links.ids));
      else {
        const fault = this.fault(id, value);
        if (fault === undefined) pairs.push([this.links.key(id), this.text(id, value)]);
        else wrong.push(`${id}: ${fault}`);
      }
    }
    return pairs;
  }

  /** Whether a field is one that has nothing until it is given. */
  private isEmpty(id: FieldId): boolean {
    const field = fieldInfo(this.words.description, id);
    return field !== undefined && field.required && field.default === null;
  }

  private text = (id: FieldId, value: unknown): string => this.links.write(id, value as FieldValue);

  /** What keeps a value from being one of the field at all; the core tells what else is wrong. */
  private fault(id: FieldId, value: unknown): string | undefined {
    const field = this.links.info(id);
    const { issues } = this.words.text;
    const parts = {
      field: this.words.label(id),
      typed: written(value),
      minimum: this.words.say(id, field.min),
      maximum: field.kind === 'text' ? String(field.max) : this.words.say(id, field.max),
    };
    const isOpen = field.kind !== 'text' && this.links.read(id, 'none') === null;
    if (value === null && isOpen) return undefined;
    switch (field.kind) {
      case 'number':
      case 'count':
        if (Number.isFinite(value)) return undefined;
        return this.words.fill(value === null ? issues.missing : issues.notANumber, parts);
      case 'text':
        if (typeof value !== 'string') return this.words.fill(issues.notText, parts);
        return value.length > field.max ? this.words.fill(issues.textTooLong, parts) : undefined;
      default:
        return isOneOf(field, value)
          ? undefined
          : this.cannotBe(parts.field, value, choicesOf(field));
    }
  }

  private cannotBe(key: string, value: unknown, others: readonly string[]): string {
    const said = this.words.fill(this.words.text.ui.linkProblem.badValue, {
      key,
      value: written(value),
    });
    return `${said} (${others.join(', ')})`;
  }

  /** Says that there is no such key, and which was probably meant, or which there are. */
  private unknown(key: string, all: readonly string[]): string {
    const said = this.words.fill(this.words.text.ui.linkProblem.unknownKey, { key });
    const dot = key.indexOf('.');
    if (dot < 0) return `${said} (${all.join(', ')})`;
    const [meant] =
      meantBy(this.words.description, {
        reason: 'unknownKey',
        key: key.slice(dot + 1),
        value: '',
      }) ?? [];
    return meant === undefined ? said : `${said} (${this.links.find(meant)}?)`;
  }
}

const choicesOf = ({ kind, choices }: FieldInfo): readonly string[] =>
  kind === 'flag' ? ['true', 'false'] : choices;

const isOneOf = ({ kind, choices }: FieldInfo, value: unknown): boolean =>
  kind === 'flag' ? typeof value === 'boolean' : choices.includes(value as string);
