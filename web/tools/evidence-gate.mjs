// What a change does to the figures of the evidence: which of them it makes worse, and the history
// of the main ones. Without commands, so that tests can import it.

/** How far a figure is from the best that it can be, by its name; others are no measure of worth. */
const distances = {
  median: (value) => value,
  ninth: (value) => value,
  regretNinth: (value) => value,
  times: (value) => value,
  over: (value) => value,
  missed: (value) => value,
  lower: (value) => 100 - value,
  upper: (value) => 100 - value,
  sound: (value) => 100 - value,
  right: (value) => 100 - value,
  // Ranges are to hold nine of ten, no more.
  band: (value) => Math.abs(90 - value),
  sourceLeftOut: (value) => Math.abs(90 - value),
  held: (value) => Math.abs(90 - value),
};

/** The least difference of two figures, which have one digit behind the point. */
const least = 0.05;

/** The part of the evidence whose ranges are too narrow on purpose, to compare with. */
const compared = 'asKnown';

/**
 * Each figure that has a better and a worse, by the names of its groups.
 * @returns {{ name: string, key: string, value: number }[]}
 */
export function figuresOf(evidence, path = []) {
  return Object.entries(evidence).flatMap(([key, value]) => {
    if (key === compared) return [];
    if (typeof value === 'object') return figuresOf(value, [...path, key]);
    return Object.hasOwn(distances, key) && typeof value === 'number'
      ? [{ name: [...path, key].join(' / '), key, value }]
      : [];
  });
}

/**
 * The figures that are further from their best in `after`, or no longer there.
 * @returns {{ name: string, from: number, to: number | null }[]}
 */
export function worseIn(before, after) {
  const now = new Map(figuresOf(after).map(({ name, value }) => [name, value]));
  return figuresOf(before).flatMap(({ name, key, value: from }) => {
    const to = now.get(name);
    const isWorse = to === undefined || distances[key](to) > distances[key](from) + least;
    return isWorse ? [{ name, from, to: to ?? null }] : [];
  });
}

/** The groups that the history shows: of trainings and servings that were kept from the fit. */
const shown = {
  dense: ({ sixFold }) => [sixFold.errors['GPU, dense'], sixFold.coverage?.['GPU, dense']],
  moe: ({ sixFold }) => [sixFold.errors['GPU, MoE'], sixFold.coverage?.['GPU, MoE']],
  tpu: ({ sixFold }) => [sixFold.errors.TPU, sixFold.coverage?.TPU],
  software: ({ softwareLeftOut: left }) => left && [left.errors.all, left.coverage.all],
  tuningStep: ({ tuning }) => tuning && [tuning.sourceLeftOut.stepTime.all],
  tuningMemory: ({ tuning }) => tuning && [tuning.sourceLeftOut.memory.all],
  outputSpeed: ({ serving }) => [serving.groupLeftOut.tokensPerSecond],
  tokenTime: ({ serving }) => [serving.groupLeftOut.timePerToken],
  firstToken: ({ serving }) => [serving.groupLeftOut['timeToFirstToken loaded']],
  engineSpeed: ({ serving }) => [serving.engineLeftOut?.tokensPerSecond],
  engineToken: ({ serving }) => [serving.engineLeftOut?.timePerToken],
  engineFirst: ({ serving }) => [serving.engineLeftOut?.['timeToFirstToken loaded']],
};

/** Of each group its median error, that of nine of ten, and the share in the range, in percent. */
export const mainFigures = (evidence) =>
  Object.fromEntries(
    Object.entries(shown).map(([key, of]) => {
      const parts = Object.assign({}, ...(of(evidence) ?? []));
      return [key, of(evidence) ? [parts.median, parts.ninth, parts.band ?? null] : null];
    }),
  );

/**
 * The history with the figures of a day. Those of a day that is there already take their place; what
 * it makes worse, and why, stays.
 */
export function withVersion(history, date, evidence, worse, why) {
  const before = history.versions.filter((each) => each.date !== date);
  const today = history.versions.find((each) => each.date === date);
  const added = worse.length > 0 ? [{ why, figures: worse.map((each) => each.name) }] : [];
  const reasons = [...(today?.worse ?? []), ...added];
  const version = {
    date,
    figures: mainFigures(evidence),
    ...(reasons.length > 0 && { worse: reasons }),
  };
  return { ...history, versions: [...before, version] };
}

/** What is wrong with a history beside the evidence that it ends in; empty: nothing. */
export function faultsOf({ since, versions }, evidence) {
  const faults = [];
  const last = versions.at(-1);
  if (JSON.stringify(last?.figures) !== JSON.stringify(mainFigures(evidence))) {
    faults.push('the last version has other figures than the evidence');
  }
  versions.forEach(({ date, figures, worse = [] }, index) => {
    const before = versions[index - 1];
    if (!before) return;
    if (before.date >= date) faults.push(`${date}: not after ${before.date}`);
    if (date <= since) return;
    const keys = ['median', 'ninth', 'band'];
    for (const [group, values] of Object.entries(figures)) {
      keys.forEach((key, at) => {
        const from = before.figures[group]?.[at];
        const to = values?.[at];
        if (typeof from !== 'number') return;
        if (typeof to === 'number' && distances[key](to) <= distances[key](from) + least) return;
        if (worse.length === 0) faults.push(`${date}: ${group}, ${key} is worse, without a reason`);
      });
    }
  });
  return faults;
}
