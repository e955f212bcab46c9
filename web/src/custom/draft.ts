import type { FieldInfo, FieldValue, ModelFields } from '../engine/index.ts';
import type { Given, Keys } from './keys.ts';

export type ModelKey = keyof ModelFields;

/** A field that the file gives. */
export interface Recognised {
  field: ModelKey;
  value: FieldValue;
  key: string;
  written: string;
}

/** A field that the file does not give, what was taken, and by which reason. */
export interface Assumption {
  code:
    | 'architecture' // its layers are so, whatever the file says
    | 'library' // the library takes this where `key` is left out
    | 'usual' // nothing says so: as in most models
    | 'headDim' // hidden size over heads
    | 'kvHeads' // as many as query heads
    | 'widening' // a multiple of the hidden size
    | 'expertWidth' // the experts have the size that the file gives for the feed-forward
    | 'noDenseWidth' // no size for layers without experts: that of an expert
    | 'expertLayers' // as many layers with experts, but in other places
    | 'activation' // by the name of the activation function
    | 'epsilon' // by the name of the key for the norm's epsilon
    | 'pattern' // which layers have a window is part of the architecture
    | 'everyLayer' // every layer has the window
    | 'zeroExperts' // others that a token chooses compute nothing
    | 'noLayers' // no layer has it
    | 'imageSize' // images are of any size: as for one of a usual size
    | 'parallel'; // parts that stand side by side are written as layers one after the other
  field: ModelKey;
  value: FieldValue;
  key?: string;
}

/** The reason why a key does not give its field. */
export interface Problem {
  code:
    | 'missing'
    | 'notANumber'
    | 'notWhole'
    | 'belowMinimum'
    | 'aboveMaximum'
    | 'notAFlag'
    | 'notAList'
    | 'varies' // differs from layer to layer
    | 'spokenOf' // a key that is not understood may say otherwise than would be assumed
    | 'notDivisible' // the head size does not come out whole
    | 'listLength'; // a list of layers is not as long as there are layers
  field: ModelKey;
  key: string;
  written: string;
}

/** A model in the making: values that the core would take, and what was wrong with the others. */
export class Draft {
  readonly model: Partial<Record<ModelKey, FieldValue>> = {};
  readonly recognised: Recognised[] = [];
  readonly assumptions: Assumption[] = [];
  readonly problems: Problem[] = [];
  /** Kinds of layers, and parts of them, that no field describes. */
  readonly unknown: string[] = [];
  private readonly infos: ReadonlyMap<string, FieldInfo>;

  constructor(
    infos: readonly FieldInfo[],
    readonly keys: Keys,
  ) {
    this.infos = new Map(infos.map((info) => [info.key, info]));
  }

  has(field: ModelKey): boolean {
    return Object.hasOwn(this.model, field);
  }

  /** A number that was set before; fields that have none, or a mistaken one, count as nothing. */
  number(field: ModelKey): number | undefined {
    const value = this.model[field];
    return typeof value === 'number' ? value : undefined;
  }

  failed(field: ModelKey): boolean {
    return this.problems.some((problem) => problem.field === field);
  }

  /** Whether the field matters to this model: those of experts do if there are some. */
  matters(field: ModelKey): boolean {
    const when = this.infos.get(field)?.when;
    return !when || when.choices.length > 0 || Boolean(this.number(when.field as ModelKey));
  }

  /** Reads a count behind the first of `keys` that the file has; true if any has. */
  count(field: ModelKey, ...keys: string[]): boolean {
    const given = this.keys.find(...keys);
    if (!given) return false;
    this.take(field, given);
    return true;
  }

  /** Takes a count as it was given, or `value`, which was made of it. */
  take(field: ModelKey, given: Given, value?: number): void {
    const number = this.check(field, given, value);
    if (number !== undefined) this.set(field, number, given);
  }

  /** The count, if the field can have it; else it is told why not. */
  check(field: ModelKey, given: Given, value = this.single(field, given)): number | undefined {
    const code = value === undefined ? undefined : this.fault(field, value);
    if (code) this.fail(code, field, given);
    return code ? undefined : value;
  }

  flag(field: ModelKey, given: Given, turned = false): void {
    if (typeof given.value !== 'boolean') this.fail('notAFlag', field, given);
    else this.set(field, given.value !== turned, given);
  }

  /** Sets a text, if the field has room for it. */
  text(field: ModelKey, value: string, given: Given): void {
    if (value.length > (this.infos.get(field)?.max ?? 0)) this.fail('varies', field, given);
    else this.set(field, value, given);
  }

  /** Names a further key from which the field was read. */
  also(field: ModelKey, { key, written, by }: Given): void {
    const value = this.model[field];
    if (by === 'file' && value !== undefined) this.recognised.push({ field, value, key, written });
  }

  /** Gives what was read for one field to another. */
  move(from: ModelKey, to: ModelKey): void {
    const value = this.model[from];
    if (value === undefined || this.failed(to)) return;
    this.remove(to);
    delete this.model[from];
    this.model[to] = value;
    for (const each of [...this.recognised, ...this.assumptions]) {
      if (each.field === from) each.field = to;
    }
  }

  /** A field that says the same as the one that stands in for it is not needed. */
  dropIfSame(field: ModelKey, other: ModelKey): void {
    const value = this.number(field);
    if (value === undefined || value !== this.number(other)) return;
    delete this.model[field];
    for (const each of [...this.recognised, ...this.assumptions]) {
      if (each.field === field) each.field = other;
    }
  }

  private remove(field: ModelKey): void {
    if (!this.has(field)) return;
    delete this.model[field];
    for (const list of [this.recognised, this.assumptions]) {
      const kept = (list as { field: ModelKey }[]).filter((each) => each.field !== field);
      list.splice(0, list.length, ...(kept as never[]));
    }
  }

  /** Sets what the file says, or the library in its place. */
  set(field: ModelKey, value: FieldValue, { key, written, by }: Given): void {
    if (this.failed(field)) return;
    this.remove(field);
    this.model[field] = value;
    if (by === 'library') this.assumptions.push({ code: 'library', field, value, key });
    else this.recognised.push({ field, value, key, written });
  }

  /** Sets what the file does not say. */
  assume(code: Assumption['code'], field: ModelKey, value: FieldValue): void {
    const fault = typeof value === 'number' ? this.fault(field, value) : undefined;
    if (fault) {
      this.problem(fault, field, '', String(value));
      return;
    }
    if (this.failed(field)) return;
    this.remove(field);
    this.model[field] = value;
    this.assumptions.push({ code, field, value });
  }

  fail(code: Problem['code'], field: ModelKey, given: Given): void {
    this.problem(code, field, given.key, given.written);
  }

  missing(field: ModelKey, key: string): void {
    if (!this.failed(field)) this.problem('missing', field, key, '');
  }

  /** Leaves mistaken values out and puts nothing in their place. */
  problem(code: Problem['code'], field: ModelKey, key: string, written: string): void {
    this.remove(field);
    this.problems.push({ code, field, key, written });
  }

  /** The number given; of a list with one for each layer, the one that all of them have. */
  private single(field: ModelKey, given: Given): number | undefined {
    const { value } = given;
    if (typeof value === 'number') return value;
    if (!Array.isArray(value) || !value.every((each) => typeof each === 'number')) {
      this.fail('notANumber', field, given);
      return undefined;
    }
    const [first] = value as number[];
    if (first !== undefined && value.every((each) => each === first)) return first;
    this.fail('varies', field, given);
    return undefined;
  }

  private fault(field: ModelKey, value: number): Problem['code'] | undefined {
    const { min, max } = this.infos.get(field)!;
    // JSON has no infinity, but 1e400 is read as one.
    if (Number.isNaN(value)) return 'notANumber';
    if (value < min) return 'belowMinimum';
    if (value > max) return 'aboveMaximum';
    return Number.isInteger(value) ? undefined : 'notWhole';
  }
}
