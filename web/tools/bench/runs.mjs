// Steps of trainings as papers have them, beside the planner's bounds and what it expects. All three
// are at the rates that the files of runs state.

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { Failure, root } from '../run.mjs';

const read = (...names) => JSON.parse(readFileSync(path.join(root, ...names), 'utf8'));

/** The fields of presets by id. */
function presets() {
  const chips = read('shared/chips.json').chips.map(({ id, figures }) => [
    id,
    Object.fromEntries(Object.entries(figures).map(([key, { value }]) => [key, value])),
  ]);
  const models = read('shared/models.json').models.map(({ id, architecture }) => [
    id,
    architecture,
  ]);
  return { chips: Object.fromEntries(chips), models: Object.fromEntries(models) };
}

/** Measured seconds, or those that follow from the published rate or chip-hours. */
function secondsOf(run, flopsPerToken) {
  if (run.seconds) return run.seconds;
  const tokens = run.run.batchTokens / run.run.chips;
  return run.rate ? (tokens * flopsPerToken) / run.rate : (tokens / 1e12) * run.chipHours * 3600;
}

export async function measuredRuns() {
  const { createEngine } = await import(pathToFileURL(path.join(root, 'dist/engine.js')));
  const planner = await (await createEngine()).planner();
  const { chips, models } = presets();
  return ['runs.json', 'large-runs.json'].flatMap((name) => {
    const file = read('tests/golden', name);
    return file.runs.map((run) => {
      const group = (key) => ({ ...file.common[key], ...run[key] });
      const outcome = planner.estimate({
        chip: chips[run.chip ?? file.chip],
        model: models[run.model] ?? group('model'),
        run: group('run'),
        layout: group('layout'),
        assumptions: group('assumptions'),
      });
      if (!outcome.ok) throw new Failure(`${run.id}: ${JSON.stringify(outcome.issues)}`);
      const { trainingFlopsPerToken, stepLower, stepExpected, stepUpper } = outcome.answers;
      return {
        id: run.id,
        measured: secondsOf(run, trainingFlopsPerToken),
        lower: stepLower,
        expected: stepExpected,
        upper: stepUpper,
      };
    });
  });
}
