// Tells what the schemas of the questions leave out: all fields, answers and presets.

import type { Asking } from '../asking/asking.ts';
import type {
  DescribedAnswer,
  DescribedField,
  PresetGroup,
  WholeDescription,
} from '../engine/described.ts';
import type { GroupName } from '../engine/index.ts';
import { meantBy } from '../link/meant.ts';
import {
  chipOf,
  chipSources,
  citedOf,
  modelOf,
  modelSources,
  type Source,
} from '../model/presets.ts';
import { pagePresets } from '../model/page-presets.ts';
import { ownValue } from '../model/own-value.ts';
import { servers, withServer } from '../model/servers.ts';
import { stacks, withStack } from '../model/stacks.ts';
import { initialState, inputOf, type InputGroups } from '../model/state.ts';
import { questions, type Question } from '../model/views.ts';
import type { RenderContext } from '../ui/kit/render-context.ts';
import type { Defaults } from './defaults.ts';
import { written } from './input.ts';
import { refused, told, type Told } from './reply.ts';

/** A part of a description: lines to read, and the same as data. */
interface Part {
  lines: string[];
  data: Record<string, unknown>;
}

export class Describing {
  static readonly sentence =
    'Lists the answers of a question and the fields that its tool takes beside those of its schema, the fields and presets of a group, or the figures of a preset.';

  private readonly description: WholeDescription;
  private readonly groups: GroupName[];
  readonly schema: object;

  constructor(
    private readonly asking: Asking,
    private readonly defaults: Defaults,
  ) {
    this.description = asking.describe();
    this.groups = Object.keys(this.description.groups) as GroupName[];
    this.schema = {
      type: 'object',
      additionalProperties: false,
      minProperties: 1,
      properties: {
        question: { enum: questions },
        group: { enum: this.groups },
        preset: {
          type: 'string',
          description: 'the id of a chip, a model, a training framework or an inference engine',
        },
      },
    };
  }

  async tell(input: unknown): Promise<Told> {
    const words = await this.asking.words();
    const parts: Part[] = [];
    const wrong: string[] = [];
    const kinds: Record<string, (name: unknown) => Promise<Part | undefined> | Part | undefined> = {
      question: (name) => this.question(words, name as Question),
      group: (name) => this.group(words, name as GroupName),
      preset: (name) => this.preset(words, String(name)),
    };
    const { linkProblem } = words.text.ui;
    for (const [kind, name] of Object.entries(input as object)) {
      const tell = Object.hasOwn(kinds, kind) ? kinds[kind] : undefined;
      const part = await tell?.(name);
      if (part) parts.push(part);
      else if (tell) {
        const said = words.fill(linkProblem.badValue, { key: kind, value: written(name) });
        wrong.push(`${said} (${this.instead(kind, String(name))})`);
      } else {
        const said = words.fill(linkProblem.unknownKey, { key: kind });
        wrong.push(`${said} (${Object.keys(kinds).join(', ')})`);
      }
    }
    if (wrong.length > 0) return refused(wrong.join('\n'));
    if (parts.length === 0) return refused(`give one of: ${Object.keys(kinds).join(', ')}`);
    return told(
      parts.flatMap(({ lines }) => [...lines, '']).join('\n'),
      Object.assign({}, ...parts.map(({ data }) => data)) as Record<string, unknown>,
    );
  }

  /** What may be given in place of a name that there is not. */
  private instead(kind: string, name: string): string {
    if (kind === 'question') return questions.join(', ');
    if (kind === 'group') return this.groups.join(', ');
    const { engine } = this.asking;
    const meant = (['chip', 'model'] as const).flatMap((key) => {
      const pair = meantBy(engine.describe(), { reason: 'badValue', key, value: name });
      return pair ? [`${pair[1]}?`] : [];
    });
    return meant.join(' ') || 'describe a group to see the ids of its presets';
  }

  private question(words: RenderContext, question: Question): Part | undefined {
    if (!questions.includes(question)) return undefined;
    const { name, sentence, groups, when, answers, first } = this.description.questions[question];
    const rare = groups
      .filter((group) => group !== 'chip' && group !== 'model')
      .flatMap((group) =>
        this.description.groups[group]
          .filter(({ rank }) => rank === 'rare')
          .map((field) => this.field(words, group, field)),
      );
    return {
      lines: [
        `${question}: ${name}. ${sentence}`,
        '',
        'Groups of its input:',
        ...groups.map((group) => {
          const condition = when[group];
          const only = condition
            ? ` Only where ${condition.group}.${condition.field} is ${condition.choices.join(', ')}.`
            : '';
          return `- ${group}: ${this.description.groupWords[group].sentence}${only}`;
        }),
        'In place of its id, a chip or a model can be { "base": id, and the fields that differ }.',
        ...(rare.length > 0 ? ['', 'Fields beside those of its schema:'] : []),
        ...rare.map(({ line }) => line),
        '',
        'Answers, the first ones first:',
        ...[
          ...first.map((key) => answers.find((each) => each.key === key)!),
          ...answers.filter(({ key }) => !first.includes(key)),
        ].map(answerLine),
      ],
      data: { question, groups, when, fields: rare.map(({ data }) => data), answers },
    };
  }

  private group(words: RenderContext, group: GroupName): Part | undefined {
    if (!this.groups.includes(group)) return undefined;
    const { name, sentence } = this.description.groupWords[group];
    const fields = this.description.groups[group].map((field) => this.field(words, group, field));
    const { [group]: presets = [] } = this.description.presets as Partial<
      Record<GroupName, { id: string; name: string }[]>
    >;
    return {
      lines: [
        `${group}: ${name}. ${sentence}`,
        ...fields.map(({ line }) => line),
        ...(presets.length > 0 ? ['', 'Presets:'] : []),
        ...presets.map((preset) => `- ${preset.id}: ${preset.name}`),
      ],
      data: { group, fields: fields.map(({ data }) => data), presets },
    };
  }

  private field(words: RenderContext, group: GroupName, field: DescribedField) {
    const id = `${group}.${field.key}` as const;
    const { kind, min, max, unit, when } = field;
    const values =
      kind === 'choice'
        ? field.choices.map((choice, index) => named(choice, field.choiceNames[index]!)).join(', ')
        : kind === 'flag'
          ? 'true, false'
          : kind === 'text'
            ? `≤ ${max}`
            : `${words.say(id, min)} … ${words.say(id, max)}${unit && ` (in ${unit})`}`;
    const usual = this.defaults.get(id);
    const told = usual === undefined ? '' : `; default ${usual}`;
    const needed = field.required ? '; required' : field.optional ? '; may be null' : '';
    const onText = when && words.info(`${group}.${when.field}`).kind === 'text';
    const condition = when
      ? `; only while ${when.field} is ${when.choices.join(', ') || (onText ? 'empty' : 'above 0')}`
      : '';
    return {
      line: `- ${id}: ${field.name}. ${field.sentence} [${values}${told}${needed}${condition}]`,
      data: { id, ...field, default: usual ?? null },
    };
  }

  private async preset(words: RenderContext, id: string): Promise<Part | undefined> {
    const { presets } = this.description;
    const groups = Object.keys(presets) as PresetGroup[];
    const group = groups.find((each) => presets[each].some((preset) => preset.id === id));
    if (!group) return undefined;
    const { name } = presets[group].find((preset) => preset.id === id)!;
    await pagePresets.sources.get();
    const { input, sources } = this.figures(group, id);
    const fields = Object.entries(input).flatMap(([of, values]) =>
      Object.entries(values).map(([key, value]) => [`${of as GroupName}.${key}`, value] as const),
    );
    return {
      lines: [
        `${id}: ${name}, a preset of “${group}”`,
        ...fields.map(([field, value]) => {
          const source = sources[field]?.title;
          return `- ${field}: ${words.label(field)} ${words.say(field, value)}${source ? ` (${source})` : ''}`;
        }),
      ],
      data: { preset: id, name, input, sources },
    };
  }

  /** The fields that a preset sets, as an input has them, and the sources of its figures. */
  private figures(
    group: PresetGroup,
    id: string,
  ): { input: InputGroups; sources: Record<string, Source> } {
    const description = this.asking.engine.describe();
    if (group === 'stack' || group === 'server') {
      const { edits } =
        group === 'stack'
          ? withStack(
              description,
              initialState,
              stacks.find((each) => each.id === id)!,
            )
          : withServer(
              description,
              initialState,
              servers.find((each) => each.id === id)!,
            );
      const set = Object.entries(edits).filter(([, fields]) => Object.keys(fields).length > 0);
      return { input: Object.fromEntries(set), sources: {} };
    }
    const fields = inputOf(description, { ...initialState, [group]: id }, group);
    const all = group === 'chip' ? chipSources : modelSources;
    const sourceOf = group === 'chip' ? sourceOfChip : sourceOfModel;
    const sources = Object.keys(fields).flatMap((key) => {
      const found = all[sourceOf(id, key) ?? ''];
      return found ? [[`${group}.${key}`, found] as const] : [];
    });
    return { input: { [group]: fields }, sources: Object.fromEntries(sources) };
  }
}

const { figures: startingFigures } = initialState;

function sourceOfChip(id: string, key: string): string | undefined {
  const figure = ownValue(chipOf(id).figures, key);
  return figure && citedOf(figure, startingFigures).source;
}

function sourceOfModel(id: string, key: string): string | undefined {
  const { architecture, sources, book = {} } = modelOf(id);
  if (startingFigures === 'book' && Object.hasOwn(book, key)) return book[key]!.source;
  return Object.hasOwn(architecture, key) ? sources?.architecture : undefined;
}

const named = (choice: string, name: string): string =>
  choice.toLowerCase() === name.toLowerCase() ? choice : `${choice}: ${name}`;

function answerLine({ key, name, sentence, unit, bounds, kind, choices }: DescribedAnswer): string {
  const values = kind === 'choice' ? choices.join(', ') : unit;
  const end = bounds ? `; ${bounds.kind} end of ${bounds.answer}` : '';
  return `- ${key}: ${name}. ${sentence}${values || end ? ` [${`${values}${end}`.replace(/^; /, '')}]` : ''}`;
}
