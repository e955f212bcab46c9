// Reads and writes the settings of charts in links.

import type { FieldValue, MapField } from '../engine/index.ts';
import {
  mapFields,
  mostLines,
  mostModels,
  mostOverlays,
  scalings,
  type Axis,
  type ChartSettings,
  type Lines,
} from '../model/charts.ts';
import { charts } from '../model/views.ts';
import { isNumeric, rangeFits, valueFits } from '../model/fields.ts';
import { ownValue } from '../model/own-value.ts';
import { own, presetIds } from '../model/presets.ts';
import type { FieldLinks } from './field-links.ts';
import { currentValue } from './migrations.ts';

interface Codec<Value> {
  read(text: string, links: FieldLinks): Value | undefined;
  write(value: Value, links: FieldLinks): string;
}

/** `op.batch`, or with its ends `op.batch:1..64K`. */
const axis: Codec<Axis> = {
  read(text, links) {
    const [key = '', range] = text.split(':');
    const field = links.find(key);
    if (!field || !isNumeric(links.info(field))) return undefined;
    if (range === undefined) return { field, range };
    const [from, to, ...others] = range.split('..').map((end) => links.read(field, end));
    if (typeof from !== 'number' || typeof to !== 'number' || others.length > 0) return undefined;
    return rangeFits(links.info(field), from, to) ? { field, range: [from, to] } : undefined;
  },
  write({ field, range }, links) {
    const ends = range ? `:${range.map((end) => links.write(field, end)).join('..')}` : '';
    return links.key(field) + ends;
  },
};

/** `op.weightFormat:bf16,int8`; of several fields `op.contraction=op.output:1024,4096`. */
const lines: Codec<Lines> = {
  read(text, links) {
    const [keys = '', list = ''] = text.split(':');
    const fields = unique(keys.split('=').map((key) => links.find(key)));
    const known = fields.filter((field) => field !== undefined);
    if (known.length < fields.length) return undefined;
    // No chart has lines that differ in a text, which may hold commas too.
    if (known.some((field) => links.info(field).kind === 'text')) return undefined;
    const values = unique(list.split(',').map((value) => links.read(known[0]!, value)));
    const allowed = values.filter((value): value is FieldValue =>
      known.every((field) => valueFits(links.info(field), value)),
    );
    const all = allowed.length === values.length && values.length <= mostLines;
    return all ? { fields: known, values: allowed } : undefined;
  },
  write: ({ fields, values }, links) =>
    `${fields.map((field) => links.key(field)).join('=')}:${values
      .map((value) => links.write(fields[0]!, value))
      .join(',')}`,
};

const overlay: Codec<readonly string[]> = {
  read(text) {
    const ids = unique(text.split(',').map((id) => currentValue('chip', id)));
    return ids.every((id) => presetIds.chip.has(id)) && ids.length <= mostOverlays
      ? ids
      : undefined;
  },
  write: (ids) => ids.join(','),
};

const models: Codec<readonly string[]> = {
  read(text) {
    const ids = unique(text.split(',').map((id) => currentValue('model', id)));
    const all = ids.every((id) => id !== own && presetIds.model.has(id));
    return all && ids.length <= mostModels ? ids : undefined;
  },
  write: (ids) => ids.join(','),
};

/** `tensor,pipeline` */
const map: Codec<readonly [x: MapField, y: MapField]> = {
  read(text) {
    const [x, y, ...others] = text.split(',').map((key) => mapFields.find((each) => each === key));
    return x && y && x !== y && others.length === 0 ? [x, y] : undefined;
  },
  write: (axes) => axes.join(','),
};

/** Refuses the names that every object has: no run or group of runs is called so. */
const bare = [[], () => 0, new Map()];

/** Kept as it stands: what shows it reads it. */
const asItStands: Codec<string> = {
  read: (text) =>
    /^[\w.+():, -]{1,300}$/.test(text) && !bare.some((each) => Reflect.has(each, text))
      ? text
      : undefined,
  write: (text) => text,
};

const codecs: { [Key in keyof ChartSettings]-?: Codec<NonNullable<ChartSettings[Key]>> } = {
  chart: { read: (text) => charts.find((chart) => chart === text), write: (chart) => chart },
  overlay,
  models,
  over: axis,
  against: axis,
  answer: {
    read: (text, links) => (links.answers.has(text) ? text : undefined),
    write: (answer) => answer,
  },
  lines,
  map,
  scaling: { read: (text) => scalings.find((each) => each === text), write: (each) => each },
  kernels: { read: (text) => (text === 'shown' ? text : undefined), write: (text) => text },
  measure: asItStands,
  runs: asItStands,
  by: asItStands,
  run: asItStands,
  measured: asItStands,
  target: asItStands,
  sides: {
    read: (text) => (/^\w[\w.]*:[\w.,%~!*'()-]{1,6000}$/.test(text) ? text : undefined),
    write: (text) => text,
  },
  deadline: asItStands,
  budget: asItStands,
  columns: asItStands,
  sort: asItStands,
  concept: asItStands,
  reading: asItStands,
};

export const chartKeys = Object.keys(codecs) as (keyof ChartSettings)[];
export const isChartKey = (key: string): key is keyof ChartSettings => Object.hasOwn(codecs, key);

/** A setting from a link; undefined if it is invalid. */
export function readChartSetting(
  key: keyof ChartSettings,
  text: string,
  links: FieldLinks,
): ChartSettings | undefined {
  const value = codecs[key].read(text, links);
  return value === undefined ? undefined : { [key]: value };
}

export function writeChartSetting(
  key: keyof ChartSettings,
  settings: ChartSettings,
  links: FieldLinks,
): string | undefined {
  const value = ownValue(settings, key);
  return value === undefined ? undefined : (codecs[key] as Codec<unknown>).write(value, links);
}

const unique = <T>(values: T[]): T[] => [...new Set(values)];
