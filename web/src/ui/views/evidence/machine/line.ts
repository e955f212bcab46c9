// The line of JSON that measure.py prints, checked against its schema.

import schema from '../../../../../../shared/machine.schema.json';
import { ownValue } from '../../../../model/own-value.ts';

interface Timed {
  readonly seconds: number;
}
export interface Matmul extends Timed {
  readonly m: number;
  readonly k: number;
  readonly n: number;
}
/** The sizes of a model, as the command line of measure.py has them. */
interface Sizes {
  readonly hidden: number;
  readonly feedForward: number;
  readonly heads: number;
  readonly kvHeads: number;
  readonly headDim: number;
  readonly vocabulary: number;
}
export interface MeasuredStep extends Timed, Sizes {
  readonly trained: 'all' | 'lora';
  readonly layers: number;
  readonly sequences: number;
  readonly tokens: number;
  readonly rank?: number;
  readonly memory?: number;
}
export interface Machine {
  readonly kind: 'cuda' | 'cpu';
  readonly device: string;
  readonly cores: number;
  readonly memory: number;
  readonly torch: string;
  readonly format: 'bf16' | 'fp16';
  readonly matmuls: readonly Matmul[];
  readonly attention: {
    readonly sequences: number;
    readonly tokens: number;
    readonly heads: number;
    readonly headDim: number;
    readonly kernel: 'flash' | 'naive';
    readonly forward: number;
    readonly backward: number;
  };
  readonly copy: Timed & { readonly bytes: number };
  readonly launch: { readonly eager: number; readonly captured?: number };
  readonly reductions: readonly (Timed & { readonly devices: number; readonly bytes: number })[];
  readonly steps: readonly MeasuredStep[];
}

/** What is wrong with a line; `at` names the place: `matmuls[2].seconds`. */
export type Fault =
  | { readonly code: 'notJson' | 'version' }
  | { readonly code: 'missing' | 'object'; readonly at: string }
  | {
      readonly code: 'number' | 'whole' | 'text' | 'list';
      readonly at: string;
      readonly minimum: number;
      readonly maximum: number;
    }
  | { readonly code: 'choice'; readonly at: string; readonly choices: readonly string[] };

/** The parts of JSON schemas that this one uses. */
interface Rule {
  readonly $ref?: string;
  readonly type?: string;
  readonly const?: number;
  readonly enum?: readonly string[];
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Rule>>;
  readonly items?: Rule;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
}
const whole: Rule = schema as unknown as Rule;
const definitions: Readonly<Record<string, Rule>> = schema.$defs;
const resolved = (rule: Rule): Rule => definitions[rule.$ref?.split('/').at(-1) ?? ''] ?? rule;

/** No line is longer. */
const longest = 100_000;

/** Reads a line, with whatever else a terminal printed around it. */
export function readMachine(text: string): { machine: Machine } | { fault: Fault } {
  const line = text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1);
  let value: unknown;
  try {
    value = line.length <= longest ? JSON.parse(line) : undefined;
  } catch {
    value = undefined;
  }
  if (!isObject(value)) return { fault: { code: 'notJson' } };
  const fault = faultOf(whole, value, '');
  return fault ? { fault } : { machine: value as unknown as Machine };
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isWithin = (value: number, { minimum, maximum }: { minimum: number; maximum: number }) =>
  value >= minimum && value <= maximum;

/** The first fault, in the order of the schema. */
function faultOf(given: Rule, value: unknown, at: string): Fault | undefined {
  const rule = resolved(given);
  if (value === undefined || value === null) return { code: 'missing', at };
  if (rule.const !== undefined) return value === rule.const ? undefined : { code: 'version' };
  if (rule.enum) {
    const { enum: choices } = rule;
    return choices.some((each) => each === value) ? undefined : { code: 'choice', at, choices };
  }
  const [minimum = 0, maximum = 0] = [
    rule.minimum ?? rule.minItems ?? rule.minLength,
    rule.maximum ?? rule.maxItems ?? rule.maxLength,
  ];
  const range = { minimum, maximum };
  switch (rule.type) {
    case 'object': {
      if (!isObject(value)) return { code: 'object', at };
      for (const [key, each] of Object.entries(rule.properties ?? {})) {
        const inner = ownValue(value, key);
        if (inner === undefined && !rule.required?.includes(key)) continue;
        const fault = faultOf(each, inner, at ? `${at}.${key}` : key);
        if (fault) return fault;
      }
      return undefined;
    }
    case 'array': {
      if (!Array.isArray(value) || !isWithin(value.length, range))
        return { code: 'list', at, ...range };
      for (const [index, each] of value.entries()) {
        const fault = faultOf(rule.items ?? {}, each, `${at}[${index}]`);
        if (fault) return fault;
      }
      return undefined;
    }
    case 'string':
      return typeof value === 'string' && isWithin(value.length, range)
        ? undefined
        : { code: 'text', at, ...range };
    default: {
      const code = rule.type === 'integer' ? 'whole' : 'number';
      const fits =
        typeof value === 'number' &&
        isWithin(value, range) &&
        (code === 'number' || Number.isInteger(value));
      return fits ? undefined : { code, at, ...range };
    }
  }
}

/** The options of measure.py, by the sizes of a model. */
const options: Readonly<Record<keyof Sizes, string>> = {
  hidden: '--hidden',
  feedForward: '--feed-forward',
  heads: '--heads',
  kvHeads: '--kv-heads',
  headDim: '--head-dim',
  vocabulary: '--vocabulary',
};

/** The command that measures the shapes of a model; sizes that measure.py can't take stay its own. */
export function commandFor(sizes: Readonly<Partial<Record<keyof Sizes, number>>>): string {
  const { heads, kvHeads, headDim } = sizes;
  const refused = (key: keyof Sizes, value: number): boolean =>
    faultOf({ $ref: key === 'kvHeads' ? 'heads' : key }, value, key) !== undefined ||
    (key === 'kvHeads' && (heads === undefined || heads % value !== 0)) ||
    (key === 'headDim' && headDim! % 2 !== 0);
  const words = Object.entries(options).flatMap(([key, option]) => {
    const size = ownValue(sizes, key as keyof Sizes);
    return size === undefined || refused(key as keyof Sizes, size) ? [] : [`${option} ${size}`];
  });
  // Without a number of key heads, every head has its own.
  if (heads !== undefined && kvHeads === undefined) words.push(`--kv-heads ${heads}`);
  return ['python3 measure.py', ...words].join(' ');
}
