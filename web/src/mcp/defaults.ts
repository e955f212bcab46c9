// What the page takes for a field that an input leaves out. It is told where that is one value,
// whatever the chip and the model are; presets and searches give the others.

import type { Description, FieldValue, GroupName } from '../engine/index.ts';
import type { Schema } from '../engine/schema.ts';
import { fieldIds, type FieldId } from '../model/fields.ts';
import { chipEntries, modelEntries, own as ownId } from '../model/presets.ts';
import { baseOf, initialState, leftToSearch } from '../model/state.ts';

export class Defaults {
  private readonly byId = new Map<FieldId, FieldValue>();

  constructor(description: Description) {
    const states = [
      ...chipEntries.map(({ id }) => ({ ...initialState, chip: id })),
      ...modelEntries.map(({ id }) => ({ ...initialState, model: id })),
    ];
    const searched = leftToSearch(description, initialState).map((key) => `layout.${key}`);
    for (const group of Object.keys(description.groups) as GroupName[]) {
      // A chip or a model that names no preset has the core's own.
      const isPreset = group === 'chip' || group === 'model';
      const own = { ...initialState, chip: ownId, model: ownId };
      const bases = (isPreset ? [own] : states).map((state) => baseOf(description, state, group));
      for (const id of fieldIds(description, group)) {
        const values = new Set(bases.map((base) => base[id.slice(group.length + 1)]!));
        const [value] = values;
        const isTold = values.size === 1 && value !== null && value !== '';
        if (isTold && !searched.includes(id)) this.byId.set(id, value!);
      }
    }
  }

  get(id: FieldId): FieldValue | undefined {
    return this.byId.get(id);
  }

  /** A question's schema with these defaults. */
  in({ properties, ...schema }: Schema): Schema {
    const groups = Object.entries(properties as Record<string, Schema>).map(([group, own]) => {
      const { properties: fields } = own;
      if (fields === undefined) return [group, own];
      const told = Object.entries(fields as Record<string, Schema>).map(
        ([key, { default: _, ...field }]) => {
          const value = this.get(`${group as GroupName}.${key}`);
          return [key, { ...field, ...(value !== undefined && { default: value }) }];
        },
      );
      return [group, { ...own, properties: Object.fromEntries(told) }];
    });
    return { ...schema, properties: Object.fromEntries(groups) };
  }
}
