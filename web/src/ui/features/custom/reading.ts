import { html, nothing, type TemplateResult } from 'lit';
import type { FieldValue } from '../../../engine/index.ts';
import type { Reading } from '../../../custom/config.ts';
import type { Nominal } from '../../../custom/nominal.ts';
import type { Quantised } from '../../../custom/quantised.ts';
import type { FieldId } from '../../../model/fields.ts';
import { contradiction, problemOf, reasonOf, type Counted, type Says } from './words.ts';

/** The reading of a config: its fields, the keys behind them, and the unused keys. */
export function readingOf(
  says: Says,
  reading: Reading,
  counted: Counted,
  nominal: Nominal | undefined,
): TemplateResult {
  const { own, ctx } = says;
  const { standing, architecture, fields, assumptions, unsupported, problems } = reading;
  const { model, quantised, ignored, unused: n } = reading;
  const troubles = [...problems.map((each) => problemOf(says, each, model)), ...counted.issues];
  const doubt = contradiction(says, nominal, counted);
  const warning =
    standing === 'known' ? nothing : html`<p class="warning">${warningOf(says, reading)}</p>`;
  return html`<div class="reading">
    ${isRefused(reading) ? warning : nothing}
    <p class="counts">${counted.counts || own.counts.none}</p>
    ${architecture ? html`<p class="quiet">${ctx.fill(own.of, { architecture })}</p>` : nothing}
    ${isRefused(reading) ? nothing : warning}
    ${doubt ? html`<p class="warning">${doubt}</p>` : nothing}
    ${troublesOf(own.problems.heading, troubles)}
    ${recognised(
      says,
      fields.map((each) => ({ ...each, field: idOf(each.field) })),
    )}
    ${assumed(
      says,
      assumptions.map((each) => [
        reasonOf(says, each, reading),
        { field: idOf(each.field), value: each.value },
      ]),
    )}
    ${quantised ? quantisedOf(says, quantised) : nothing}
    ${
      unsupported.length > 0
        ? html`<ul class="left-out">
            ${unsupported.map((code) => html`<li>${own.leftOut[code]}</li>`)}
          </ul>`
        : nothing
    }
    ${unusedKeys(says, ignored, n)}
  </div>`;
}

/** A field with its value. */
interface Valued {
  field: FieldId;
  value: FieldValue;
}

/** The fields that a text gives, each with the key that it stands behind. */
export const recognised = (
  says: Says,
  fields: readonly (Valued & { key: string })[],
): TemplateResult | typeof nothing =>
  fields.length === 0
    ? nothing
    : html`<table>
        <caption>
          ${says.own.recognised}
        </caption>
        <thead>
          <tr>
            <th scope="col">${says.own.columns.key}</th>
            <th scope="col">${says.own.columns.field}</th>
            <th scope="col">${says.own.columns.value}</th>
          </tr>
        </thead>
        <tbody>
          ${fields.map(
            ({ key, field, value }) =>
              html`<tr>
                <td><code>${key.split(/(?<=[_.-])/).map((word) => html`${word}<wbr />`)}</code></td>
                <td>${says.ctx.label(field)}</td>
                <td class=${classOf(says, field)}>${says.ctx.say(field, value)}</td>
              </tr>`,
          )}
        </tbody>
      </table>`;

/** The keys from which nothing was read: the first of them, and the number of all. */
export const unusedKeys = (
  { own, ctx }: Says,
  keys: readonly string[],
  n = keys.length,
): TemplateResult | typeof nothing =>
  n === 0
    ? nothing
    : html`<details class="ignored">
        <summary>${ctx.fill(own.ignored, { n: String(n) }, { n })}</summary>
        <p>
          ${keys.map((key) => html`<code>${key}</code> `)}
          ${n > keys.length ? ctx.fill(own.more, { n: String(n - keys.length) }) : nothing}
        </p>
      </details>`;

/** The formats of weights, and what follows from them. */
function quantisedOf({ own, ctx }: Says, { method, server, listed }: Quantised): TemplateResult {
  const parts: Record<string, string> = own.quantised.parts;
  const formats: Record<string, string> = own.quantised.names;
  const fields = Object.entries(server).filter(([field]) => Object.hasOwn(parts, field));
  const sentence = server['weights'] === undefined ? own.quantised.other : own.quantised.formats;
  return html`<div class="quantised">
    <p>${ctx.fill(sentence, { method })}</p>
    ${
      fields.length > 0
        ? html`<ul>
            ${fields.map(
              ([field, value]) =>
                html`<li>
                  ${ctx.fill(own.quantised.part, {
                    part: parts[field]!,
                    format: formats[String(value)] ?? String(value).toUpperCase(),
                  })}
                </li>`,
            )}
          </ul>`
        : nothing
    }
    ${
      listed > 1
        ? html`<p class="quiet">
            ${ctx.fill(own.quantised.listed, { n: ctx.say('model.layers', listed) }, { n: listed })}
          </p>`
        : nothing
    }
  </div>`;
}

const idOf = (field: string): FieldId => `model.${field}`;
/** Numbers stay whole, patterns of layers break anywhere. */
const classOf = ({ ctx }: Says, field: FieldId): string =>
  ctx.info(field).kind === 'text' ? 'value pattern' : 'value';

/** The list of problems. */
export function troublesOf(
  heading: string,
  troubles: readonly string[],
): TemplateResult | typeof nothing {
  if (troubles.length === 0) return nothing;
  return html`<div class="troubles">
    <p>${heading}</p>
    <ul>
      ${troubles.map((trouble) => html`<li>${trouble}</li>`)}
    </ul>
  </div>`;
}

/** It is of a kind that the calculator does not know: its numbers would be another model's. */
export const isRefused = ({ standing }: Reading): boolean =>
  !['known', 'unknown', 'unnamed'].includes(standing);

export function warningOf({ own, ctx }: Says, { standing, architecture }: Reading): string {
  if (standing === 'unknown' || standing === 'unnamed') {
    return ctx.fill(own.standing[standing], { architecture });
  }
  if (standing === 'known') return '';
  return `${ctx.fill(own.refused[standing], { architecture })} ${own.standing.other}`;
}

/** Assumptions by their reasons: several fields share one. */
export function assumed(
  says: Says,
  assumptions: readonly (readonly [reason: string, Valued])[],
): TemplateResult | typeof nothing {
  const { own, ctx } = says;
  if (assumptions.length === 0) return nothing;
  const byReason = new Map<string, Valued[]>();
  for (const [reason, each] of assumptions) {
    byReason.set(reason, [...(byReason.get(reason) ?? []), each]);
  }
  return html`<table>
    <caption>
      ${own.assumed}
    </caption>
    <thead>
      <tr>
        <th scope="col">${own.columns.field}</th>
        <th scope="col">${own.columns.value}</th>
      </tr>
    </thead>
    ${[...byReason].map(
      ([reason, list]) =>
        html`<tbody>
          <tr>
            <th scope="rowgroup" colspan="2">${reason}</th>
          </tr>
          ${list.map(
            ({ field, value }) =>
              html`<tr>
                <td>${ctx.label(field)}</td>
                <td class=${classOf(says, field)}>${ctx.say(field, value)}</td>
              </tr>`,
          )}
        </tbody>`,
    )}
  </table>`;
}
