// Writes the constants of shared/efficiency.json as a table of the core: what the build compiles
// instead of reading a file. `node web/tools/efficiency.mjs FILE OUT`; CMake calls it.

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Failure, main, root } from './run.mjs';

/** The file of constants. */
export const constantsFile = path.join(root, 'shared/efficiency.json');

const capital = (name) => `${name[0].toUpperCase()}${name.slice(1)}`;
const snake = (name) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/**
 * The constants of a generation: for each kind of kernel, one set, or sets by format or kernel. What
 * a generation does not say, the one it is like says; its figures then count as not fitted.
 */
function ratesOf({ kinds, generations }, name, seen = []) {
  if (!generations[name]) throw new Failure(`efficiency.json: no generation ${name}`);
  if (seen.includes(name)) throw new Failure(`efficiency.json: ${name} is like itself`);
  const { like, rates: own } = generations[name];
  const base = like ? ratesOf({ kinds, generations }, like, [...seen, name]) : undefined;
  const setOf = (kind, given, inherited, place) => {
    const values = Object.fromEntries(
      Object.keys(kinds[kind].constants).map((key) => {
        const value = given?.values[key] ?? inherited?.values[key] ?? 0;
        if (!Number.isFinite(value)) throw new Failure(`efficiency.json: ${place}.${key}`);
        return [key, value];
      }),
    );
    for (const key of Object.keys(given?.values ?? {})) {
      if (!(key in values)) throw new Failure(`efficiency.json: ${place} has no constant ${key}`);
    }
    return { values, fitted: given?.measurements > 0 };
  };
  return Object.fromEntries(
    Object.entries(kinds).map(([kind, { by }]) => {
      const given = own[kind];
      const place = `${name}.${kind}`;
      if (!by) return [kind, setOf(kind, given, base?.[kind], place)];
      for (const key of Object.keys(given ?? {})) {
        if (!by.includes(key)) throw new Failure(`efficiency.json: ${place} has ${key}`);
      }
      const sets = by.map((key) => setOf(kind, given?.[key], base?.[kind][by.indexOf(key)], place));
      return [kind, sets];
    }),
  );
}

/** Kinds of kernels that trainings run. */
const inTrainings = ['matmul', 'prefill', 'latentPrefill'];

/** A number that C++ reads as the same double. */
const literal = (value) => (Number.isInteger(value) ? `${value}.0` : String(value));

/**
 * A number as digits and a power of ten, which take a third of a double's room in a module. Their
 * product, or quotient, is the same double: both are exact.
 */
function decimalOf(value, place) {
  const [, whole, fraction = '', exponent] = /^(\d)(?:\.(\d+))?e([+-]\d+)$/.exec(
    value.toExponential(),
  );
  const digits = Number(whole + fraction);
  const power = digits === 0 ? 0 : Number(exponent) - fraction.length;
  if (digits >= 2 ** 15) throw new Failure(`efficiency.json: ${place}: more than four digits`);
  if (Math.abs(power) > 22) throw new Failure(`efficiency.json: ${place}: out of range`);
  return { digits, power };
}

/** The names of constants, by which derivations tell them. None has the first place. */
class Names {
  all = [{ key: '', of: '', symbol: '', source: '' }];

  get next() {
    return this.all.length;
  }

  add(name) {
    for (const [part, said] of Object.entries(name)) {
      if (typeof said !== 'string') throw new Failure(`efficiency.json: ${name.key}: no ${part}`);
    }
    return this.all.push(name) - 1;
  }
}

/** Sources of what was fitted, in shared/sources.json; others are named by their basis. */
const fittedTo = {
  kernels: 'measured-kernels',
  step: 'measured-steps',
  serving: 'measured-serving',
  reward: 'measured-reward',
};

const listOf = (numbers) => `{{\n    ${numbers.join(', ')}}}`;

/** The table, as C++. */
export function tableOf(file) {
  const constants = JSON.parse(readFileSync(file, 'utf8'));
  const names = Object.keys(constants.generations);
  const lines = [
    '// Written by web/tools/efficiency.mjs from shared/efficiency.json; not to be edited.',
    '#pragma once',
    '',
    '#include <array>',
    '#include <cstdint>',
    '#include <string_view>',
    '',
    '#include "scaling/quantity/constant.hpp"',
    '#include "scaling/hardware/kernel_rates.hpp"',
    '',
    'namespace scaling {',
    '',
    `inline constexpr std::array<std::string_view, kChipGenerations> kTableGenerations{{${names
      .map((name) => `"${name}"`)
      .join(', ')}}};`,
    'static_assert([] {',
    '  for (std::size_t i = 0; i < kChipGenerations; ++i) {',
    '    if (kTableGenerations[i] != kChipGenerationNames[i]) return false;',
    '  }',
    '  return true;',
    '}());',
    '',
  ];
  const kinds = Object.entries(constants.kinds).filter(([kind]) => kind !== 'training');
  const all = names.map((name) => [name, ratesOf(constants, name)]);
  for (const [kind, { constants: members }] of kinds) {
    const type = `${capital(kind)}Rates`;
    const pointers = Object.keys(members).map((key) => `&${type}::${snake(key)}`);
    lines.push(
      `inline constexpr Constant ${type}::*k${type}[] = {`,
      `    ${pointers.join(', ')}};`,
    );
  }
  const listed = new Names();
  // Modules that price trainings alone do without the constants of other kernels.
  const groups = [
    { name: 'training', kinds: kinds.filter(([kind]) => inTrainings.includes(kind)) },
    { name: 'other', kinds: kinds.filter(([kind]) => !inTrainings.includes(kind)) },
  ];
  for (const { name: group, kinds } of groups) {
    const table = capital(group);
    const first = listed.next;
    for (const [kind, { by, source, constants: members }] of kinds) {
      for (const of of by ?? ['']) {
        for (const [key, { symbol }] of Object.entries(members)) {
          listed.add({ key: `${kind}.${key}`, of, symbol, source });
        }
      }
    }
    const decimals = all.flatMap(([name, rates]) =>
      kinds.flatMap(([kind]) =>
        [rates[kind]]
          .flat()
          .flatMap(({ values, fitted }) => [
            ...Object.entries(values).map(([key, value]) =>
              decimalOf(value, `${name}.${kind}.${key}`),
            ),
            { digits: Number(fitted), power: 0 },
          ]),
      ),
    );
    lines.push(
      '',
      `/// Calls \`read\` with each set of constants of ${group} kernels and the list of its members.`,
      'template <class Read>',
      `void each_${group}_set(KernelRates& rates, Read read) {`,
      ...kinds.map(([kind, { by }]) => {
        const members = `k${capital(kind)}Rates`;
        const member = `rates.${snake(kind)}`;
        return by
          ? `  for (auto& set : ${member}) read(set, ${members});`
          : `  read(${member}, ${members});`;
      }),
      '}',
      '',
      `/// The name of the first constant of these; the others' follow in their order.`,
      `inline constexpr ConstantId k${table}Names = ${first};`,
      '',
      '/// Of each generation, each set and each member, and whether the set was fitted: digits, and',
      '/// the power of ten that they count.',
      `inline constexpr std::array<std::int16_t, ${decimals.length}> k${table}Digits${listOf(decimals.map(({ digits }) => digits))};`,
      `inline constexpr std::array<std::int16_t, ${decimals.length}> k${table}Powers${listOf(decimals.map(({ power }) => power))};`,
    );
  }
  lines.push('', 'inline constexpr std::array<TrainingRates, kChipGenerations> kTrainingRates{{');
  const { source: ofTrainings, constants: inTraining } = constants.kinds.training;
  const trainingNames = new Map(
    Object.entries(inTraining).map(([key, { symbol }]) => [
      key,
      listed.add({ key: `training.${key}`, of: '', symbol, source: ofTrainings }),
    ]),
  );
  for (const [name, { training }] of all) {
    const members = Object.entries(training.values).map(
      ([key, value]) => `.${snake(key)} = Constant(${literal(value)}, ${trainingNames.get(key)})`,
    );
    lines.push(
      `    // ${name}`,
      `    {${[...members, `.fitted = ${training.fitted}`].join(', ')}},`,
    );
  }
  lines.push('}};');
  const each = (set, keys) =>
    lines.push(
      '',
      `/// Calls \`use\` with the name of each constant of \`${set}\` and the constant.`,
      'template <class Constants, class Use>',
      `void each_${set}_constant(Constants& constants, Use use) {`,
      ...keys.map((key) => `  use("${key}", constants.${snake(key)});`),
      '}',
    );
  each('training', Object.keys(inTraining));
  each('step', Object.keys(constants.step));
  // Templates, so that a file that sets one set needs no declaration of the other.
  for (const name of ['kernels', 'step', 'serving', 'reward']) {
    lines.push(
      '',
      `/// Sets the constants of \`${name}\`, which hold for any chip.`,
      'template <class Constants>',
      `constexpr void set_${name}_constants(Constants& constants) {`,
    );
    for (const [key, { value, symbol, basis }] of Object.entries(constants[name])) {
      if (!Number.isFinite(value)) throw new Failure(`efficiency.json: ${name}.${key}`);
      const source = basis === 'fitted' ? fittedTo[name] : basis;
      const id = listed.add({ key: `${name}.${key}`, of: '', symbol, source });
      lines.push(`  constants.${snake(key)} = Constant(${literal(value)}, ${id});`);
    }
    lines.push('}');
  }
  lines.push(
    '',
    '/// The names of all constants, each at its place.',
    `inline constexpr std::array<ConstantName, ${listed.next}> kNames{{`,
    ...listed.all.map(
      (name) =>
        `    {${['key', 'of', 'symbol', 'source'].map((part) => JSON.stringify(name[part])).join(', ')}},`,
    ),
    '}};',
  );
  lines.push('', '}  // namespace scaling', '');
  return lines.join('\n');
}

/** Writes the table into a folder, under the name by which the core includes it. */
export function writeTable(folder) {
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, 'efficiency_table.hpp'), tableOf(constantsFile));
}

await main(import.meta, ([file, out]) => {
  if (!file || !out) throw new Failure('node web/tools/efficiency.mjs FILE OUT');
  mkdirSync(path.dirname(out), { recursive: true });
  writeFileSync(out, tableOf(file));
});
