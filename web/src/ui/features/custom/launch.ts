// What was read of a launch: its model, its fields, and what of it could not be used.

import { html, nothing, type TemplateResult } from 'lit';
import type { Launch, Trouble } from '../../../launch/read.ts';
import { chipOf, modelOf } from '../../../model/presets.ts';
import type { FoundLaunch } from './any.ts';
import { assumed, recognised, troublesOf, unusedKeys } from './reading.ts';
import { countedOf, problemOf, reasonOf, type Says } from './words.ts';

/** The sentences on the model and the chip. */
export function leadOf({ own, ctx }: Says, launch: Launch, software: string): string[] {
  const { model, chip, question } = launch;
  const stays = ctx.called('model');
  const of = own.launch.model;
  const said = (): string => {
    switch (model?.by) {
      case 'name':
      case 'sizes':
        return ctx.fill(of[model.by], {
          model: modelOf(model.preset).name,
          written: model.written,
        });
      case 'own': {
        const { counts } = countedOf({ own, ctx }, model.reading.model);
        return counts ? ctx.fill(of.own, { counts }) : of.uncounted;
      }
      case 'unknown':
        return ctx.fill(of.unknown, { written: model.written, model: stays });
      default:
        return ctx.fill(of.none, { model: stays });
    }
  };
  const { named, none } = own.launch.chip;
  return [
    ctx.fill(own.launch.of[question], { software }),
    said(),
    chip === undefined
      ? ctx.fill(none, { chip: ctx.called('chip') })
      : ctx.fill(named, { chip: chipOf(chip).name }),
  ];
}

/** Says what could not be used. */
export function troubleOf({ own, ctx }: Says, { code, key, written, field }: Trouble): string {
  const info = field && ctx.info(field);
  return ctx.fill(own.launch.troubles[code], {
    key,
    written,
    field: field ? ctx.label(field) : '',
    minimum: field ? ctx.say(field, info!.min) : '',
    maximum: field ? ctx.say(field, info!.max) : '',
  });
}

/** A sentence for screen readers. */
export const sayLaunch = (says: Says, found: FoundLaunch): string =>
  says.ctx.sentences([
    ...leadOf(says, found.launch, found.software),
    says.ctx.fill(
      says.own.launch.read,
      { n: String(found.launch.used.length) },
      { n: found.launch.used.length },
    ),
  ]);

export function launchOf({ own, ctx: page }: Says, found: FoundLaunch): TemplateResult {
  const ctx = page.with({ text: found.text });
  const says: Says = { own, ctx };
  const { launch, software } = found;
  const { model } = launch;
  const reading = model?.by === 'own' ? model.reading : undefined;
  const [first, ...others] = leadOf({ own, ctx: page }, launch, software);
  // The software's own words say it, where it refuses the same.
  const issues = found.refusals.length > 0 ? [] : found.issues;
  return html`<div class="reading">
    <p class="counts">${first}</p>
    ${others.map((sentence) => html`<p class="quiet">${sentence}</p>`)}
    ${troublesOf(
      ctx.fill(own.launch.refuses, { software }),
      found.refusals.map((words) => ctx.fill(own.launch.words, { words })),
    )}
    ${troublesOf(own.problems.heading, [
      ...issues,
      ...(reading?.problems.map((each) => problemOf(says, each, reading.model)) ?? []),
      ...launch.troubles.map((each) => troubleOf(says, each)),
    ])}
    ${recognised(says, [
      ...(reading?.fields.map((each) => ({ ...each, field: `model.${each.field}` as const })) ??
        []),
      ...launch.used,
    ])}
    ${assumed(says, [
      ...launch.assumptions.map(
        (each) => [ctx.fill(own.launch.reasons[each.code], { software }), each] as const,
      ),
      ...(reading?.assumptions.map(
        (each) =>
          [
            reasonOf(says, each, reading),
            { field: `model.${each.field}` as const, value: each.value },
          ] as const,
      ) ?? []),
    ])}
    ${
      launch.unplaced.length > 0
        ? html`<p class="unplaced">
            ${ctx.fill(own.launch.unplaced, { software })}
            ${launch.unplaced.map((key) => html`<code>${key}</code> `)}
          </p>`
        : nothing
    }
    ${unusedKeys(says, launch.unknown)}
  </div>`;
}
