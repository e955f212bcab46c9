// JSON schemas of questions (draft 2020-12), made from a description in words.

import type { DescribedField, PresetGroup, WholeDescription } from './described.ts';
import type { GroupName } from './generated.ts';
import type { FieldInfo, QuestionName } from './types.ts';

export type Schema = { readonly [keyword: string]: unknown };

export interface SchemaOptions {
  /** Only the fields that the question in words names or whose values readers check; chips and models
   *  by their ids alone. For programs that read all schemas at once. */
  main?: boolean;
}

/** Groups that a preset fills wholly, so that its id can stand for them. */
const filled: readonly GroupName[] = ['chip', 'model'];

/** The schema of a question's input. */
export function schemaOf(
  description: WholeDescription,
  question: QuestionName,
  { main = false }: SchemaOptions = {},
): Schema {
  const { groups, name, sentence, when } = description.questions[question];
  const schemas = groups.map((group): [GroupName, Schema] => {
    const condition = when[group];
    const of = groupSchema(description, group, main);
    if (!condition) return [group, of];
    const { group: other, field, choices } = condition;
    const note = main
      ? `Only for some of ${other}.${field}.`
      : `Only where ${other}.${field} is ${choices.join(', ')}.`;
    return [group, { ...of, description: sentences(of['description'] as string, note) }];
  });
  return {
    ...(!main && { $schema: 'https://json-schema.org/draft/2020-12/schema' }),
    title: name,
    description: sentence,
    type: 'object',
    ...(!main && { additionalProperties: false }),
    properties: Object.fromEntries(schemas.filter(([, schema]) => !isEmpty(schema))),
    required: groups.filter((group) => filled.includes(group) && !when[group]),
  };
}

const sentences = (...all: string[]): string => all.filter(Boolean).join(' ');

const isEmpty = ({ properties }: Schema): boolean =>
  properties !== undefined && Object.keys(properties as object).length === 0;

/** The schema of a group: an object of its fields, or the id of a preset. */
function groupSchema(description: WholeDescription, group: GroupName, main: boolean): Schema {
  const { name, sentence } = description.groupWords[group];
  const words = { title: name, description: sentence };
  const presets = description.presets[group as PresetGroup] as { id: string }[] | undefined;
  const byId = presets && { enum: presets.map(({ id }) => id) };
  if (main && byId && filled.includes(group)) return { description: sentence, ...byId };
  const fields = description.groups[group];
  const shown = main ? fields.filter(({ rank }) => rank !== 'rare') : fields;
  const object = {
    type: 'object',
    // The others are fields, too.
    ...(!main && { additionalProperties: false }),
    properties: Object.fromEntries(
      shown.map((field) => [field.key, fieldSchema(fields, field, main)]),
    ),
    ...requirements(fields),
  };
  if (main) return { description: sentence, ...object };
  return byId ? { ...words, anyOf: [byId, object] } : { ...words, ...object };
}

function fieldSchema(
  fields: readonly DescribedField[],
  field: DescribedField,
  main: boolean,
): Schema {
  const { name, sentence, unit, when, default: usual, instead } = field;
  const note = when && !main ? `Matters only while ${conditionInWords(fields, when)}.` : '';
  const others = Object.entries(instead?.while ?? {})
    .map(([key, choices]) => `${key} is ${choices.join(' or ')}`)
    .join(', or ');
  const other = others ? `Default ${String(instead!.default)} while ${others}.` : '';
  const words = sentences(sentence, unit && `Unit: ${unit}.`, choicesInWords(field), note, other);
  return {
    ...(main
      ? { description: `${name}${unit && ` [${unit}]`}` }
      : { title: name, description: words }),
    ...valueSchema(field, main),
    // What is left out of all schemas at once: no, and nothing.
    ...(usual !== null && usual !== '' && (usual || !main) && { default: usual }),
  };
}

/** What the choices mean that do not say so themselves. */
function choicesInWords({ kind, choices, choiceNames }: DescribedField): string {
  if (kind !== 'choice') return '';
  const told = choices.flatMap((choice, index) => {
    const name = choiceNames[index]!;
    return name.toLowerCase() === choice.toLowerCase() ? [] : [`${choice}: ${name}`];
  });
  return told.length > 0 ? `${told.join('; ')}.` : '';
}

/** Of all schemas at once, ranges are not said, but for a start that is none of 0 and 1: who leaves
 *  them is told. */
function valueSchema({ kind, optional, min, max, choices }: FieldInfo, main: boolean): Schema {
  const plain = main && (min === 0 || min === 1);
  const range = { ...(!plain && { minimum: min }), ...(!main && { maximum: max }) };
  const typed = (type: string): { type: string | string[] } => ({
    type: optional ? [type, 'null'] : type,
  });
  switch (kind) {
    case 'choice':
      return { enum: choices };
    case 'flag':
      return { type: 'boolean' };
    case 'text':
      return { type: 'string', maxLength: max };
    case 'count':
      return { ...typed('integer'), ...range };
    case 'number':
      return { ...typed('number'), ...range };
  }
}

type When = NonNullable<FieldInfo['when']>;

const conditionInWords = (fields: readonly FieldInfo[], { field, choices }: When): string => {
  if (choices.length > 0) return `${field} is or has ${choices.join(', ')}`;
  return fields.find(({ key }) => key === field)?.kind === 'text'
    ? `${field} is empty`
    : `${field} is above 0`;
};

/** The fields that must be given: always, or while another has a value on which they depend. */
function requirements(fields: readonly FieldInfo[]): Schema {
  const needed = fields.filter(({ required }) => required);
  const always = needed.filter(({ when }) => !when).map(({ key }) => key);
  const dependent = needed.flatMap(({ key, when }) => (when ? [{ key, when }] : []));
  const conditions = new Map(dependent.map(({ when }) => [JSON.stringify(when), when]));
  const allOf = [...conditions].map(([id, when]) => ({
    if: conditionSchema(fields, when),
    then: {
      required: dependent.filter((each) => JSON.stringify(each.when) === id).map(({ key }) => key),
    },
  }));
  return {
    ...(always.length > 0 && { required: always }),
    ...(allOf.length > 0 && { allOf }),
  };
}

/** Whether a field has one of the values that make others matter; its default may be one. */
function conditionSchema(fields: readonly FieldInfo[], { field, choices }: When): Schema {
  const other = fields.find(({ key }) => key === field)!;
  const usual = other.default;
  const isText = other.kind === 'text';
  const [value, isUsual]: [Schema, boolean] =
    choices.length === 0 && isText
      ? [{ type: 'string', pattern: '^\\s*$' }, true]
      : choices.length === 0
        ? [
            other.kind === 'flag' ? { const: true } : { type: 'number', exclusiveMinimum: 0 },
            Number(usual) > 0,
          ]
        : isText
          ? [{ type: 'string', pattern: `[${choices.join('')}]` }, false]
          : [{ enum: choices }, choices.includes(String(usual))];
  return { properties: { [field]: value }, ...(!isUsual && { required: [field] }) };
}
