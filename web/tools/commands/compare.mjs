// npm run compare -- BUILD BUILD: holds the answers of two builds of the engine against each other,
// to the bit, on random inputs. Shows that a change of the code left the answers as they were.

import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { Failure, main, root, say, step } from '../run.mjs';

const usage =
  'npm run compare -- BUILD BUILD [--count N] [--seed N]; a BUILD is a folder with engine.js, or that file';

/** Numbers from 0 to 1 that only the seed decides (mulberry32). */
function randomOf(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Draws inputs around presets and defaults, so that most have answers. */
function inputsOf(random) {
  const read = (name) =>
    JSON.parse(readFileSync(path.join(root, 'shared', `${name}.json`), 'utf8'));
  const presets = {
    chip: read('chips').chips.map(({ figures }) =>
      Object.fromEntries(Object.entries(figures).map(([key, { value }]) => [key, value])),
    ),
    model: read('models').models.map(({ architecture }) => architecture),
  };
  const one = (list) => list[Math.floor(random() * list.length)];
  const powerOfTwo = (most) => 2 ** Math.floor(random() * (most + 1));

  /** A value that the field allows; in one of a hundred, one that it refuses. */
  function valueOf({ kind, shown, min, max, default: usual, choices, optional }, present) {
    if (random() < 0.01) return one([NaN, Infinity, -1, max * 2, 'none such', null]);
    if (optional && random() < 0.1) return null;
    if (kind === 'flag') return random() < 0.5;
    if (kind === 'choice') return one(choices);
    const base = typeof present === 'number' ? present : usual;
    const near = shown === 'doubling' ? powerOfTwo(5) : (base || 1) * 2 ** (6 * random() - 3);
    const anywhere = Math.max(min, 1e-9) * (max / Math.max(min, 1e-9)) ** random();
    const value = Math.min(max, Math.max(min, random() < 0.9 ? near : anywhere));
    return kind === 'count' ? Math.round(value) : value;
  }

  return ({ groups, questions }, question) => {
    const input = {};
    for (const group of questions[question].groups) {
      const fields = groups[group];
      input[group] = presets[group] ? { ...one(presets[group]) } : {};
      const known = new Set(fields.map(({ key }) => key));
      for (const key of Object.keys(input[group])) if (!known.has(key)) delete input[group][key];
      for (const field of fields) {
        // Every kind of operation and of collective gets its turn.
        if (field.key === 'kind' || random() < (presets[group] ? 0.02 : 0.1)) {
          input[group][field.key] = valueOf(field, input[group][field.key]);
        }
      }
    }
    // Numbers that have to divide each other would hardly ever do so by chance.
    if (input.run && random() < 0.95) {
      input.run.sequenceLength = 2 ** (9 + Math.floor(random() * 7));
      input.run.batchTokens = input.run.sequenceLength * powerOfTwo(11);
      input.run.chips = powerOfTwo(13);
      input.run.slices = random() < 0.8 ? 1 : 2;
    }
    return input;
  };
}

/** The engine of a build, with the answers of the planner and of serving beside its own. */
async function load(build) {
  const place = path.resolve(build ?? '');
  const files = [place, path.join(place, 'engine.js'), path.join(place, 'dist/engine.js')];
  const file = files.find((each) => each.endsWith('.js') && existsSync(each));
  if (!build || !file) throw new Failure(`no engine.js in ${build ?? 'the first build'}; ${usage}`);
  const { createEngine } = await import(pathToFileURL(file).href);
  const engine = await createEngine();
  const [planner, serving] = await Promise.all([engine.planner(), engine.serving()]);
  return {
    // Serving describes itself once it is loaded.
    description: merged(engine.describe(), serving.describe()),
    ask: {
      training: (input) => engine.estimate(input),
      operation: (input) => engine.roofline(input),
      collective: (input) => engine.collective(input),
      plan: (input) => planner.estimate(input),
      serving: (input) => serving.estimate(input),
    },
  };
}

const merged = (one, other) => ({
  groups: { ...one.groups, ...other.groups },
  questions: { ...one.questions, ...other.questions },
});

/** The description with only the fields that both builds have. */
function common({ groups, questions }, other) {
  const shared = Object.entries(groups).map(([group, fields]) => {
    const keys = new Set((other.groups[group] ?? []).map(({ key }) => key));
    return [group, fields.filter(({ key }) => keys.has(key))];
  });
  return { groups: Object.fromEntries(shared), questions };
}

/** The first difference of two outcomes: an answer, or the list of issues or notices. */
function difference(one, other) {
  const parts = (outcome) => ({
    issues: outcome.issues ?? [],
    notices: outcome.notices ?? [],
    ...outcome.answers,
  });
  const [ones, others] = [parts(one), parts(other)];
  const keys = Object.keys(ones).filter((key) => key in others);
  return keys.find((key) => !isDeepStrictEqual(ones[key], others[key]));
}

const mostShown = 5;

await main(import.meta, async (words) => {
  const builds = [];
  const options = { count: 10_000, seed: 1 };
  for (let i = 0; i < words.length; ++i) {
    const name = words[i].startsWith('--') ? words[i].slice(2) : undefined;
    if (name === undefined) {
      builds.push(words[i]);
      continue;
    }
    const value = Number(words[++i]);
    if (!(name in options) || !(value >= 1 && Number.isSafeInteger(value)))
      throw new Failure(usage);
    options[name] = value;
  }
  if (builds.length !== 2) throw new Failure(usage);
  const [before, after] = [await load(builds[0]), await load(builds[1])];
  const description = common(before.description, after.description);
  const questions = Object.keys(before.ask).filter((name) => description.questions[name]);
  const random = randomOf(options.seed);
  const draw = inputsOf(random);
  const counts = Object.fromEntries(questions.map((name) => [name, { inputs: 0, answered: 0 }]));
  let different = 0;
  step(`asking both builds ${options.count.toLocaleString('en')} questions`);
  for (let i = 0; i < options.count; ++i) {
    const question = questions[i % questions.length];
    const input = draw(description, question);
    const [one, other] = [before, after].map(({ ask }) => ask[question](input));
    counts[question].inputs += 1;
    counts[question].answered += one.ok ? 1 : 0;
    const where = difference(one, other);
    if (where === undefined && one.ok === other.ok) continue;
    different += 1;
    if (different <= mostShown) say(`${question}, ${where}: ${JSON.stringify(input)}`);
  }
  for (const [question, { inputs, answered }] of Object.entries(counts)) {
    say(`${question}: ${inputs} inputs, ${answered} with answers`);
  }
  say(different === 0 ? 'no difference' : `${different} inputs differ`);
  return different === 0 ? 0 : 1;
});
