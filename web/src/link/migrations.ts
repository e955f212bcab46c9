// Links of earlier versions keep working: what they say, in today's words.

interface Migration {
  /** A key, or a key with one of its values: a choice, a preset. */
  was: string;
  is: string;
  /** Fields that the old word implied. */
  meant?: string;
}

/** Renamed words. Entries are never removed, since old links exist. */
const migrations: readonly Migration[] = [
  { was: 'op.chips', is: 'mesh.x' },
  { was: 'op.kind=splitMatmul', is: 'op.kind=shardedMatmul', meant: 'mesh.x=2' },
];
const current: ReadonlyMap<string, string> = new Map(migrations.map(({ was, is }) => [was, is]));

export const currentKey = (key: string): string => current.get(key) ?? key;

export const currentValue = (key: string, value: string): string =>
  current.get(`${key}=${value}`)?.slice(key.length + 1) ?? value;

interface Implication {
  /** Any of these keys says it too, where the link says nothing of it itself. */
  by: readonly string[];
  key: string;
  value: string;
}

/** Fields that links imply by their keys, from before there was another choice. */
const implications: readonly Implication[] = [
  {
    by: [
      ...['compute', 'memory', 'network'].map((which) => `assume.${which}Efficiency`),
      ...['Tensor', 'Context', 'Expert', 'Data', 'Pipeline'].map((of) => `assume.overlap${of}`),
    ],
    key: 'assume.rates',
    value: 'stated',
  },
];

/** The fields that a link with these keys implies. */
export const impliedBy = (keys: ReadonlySet<string>): readonly Implication[] =>
  implications.filter(({ by, key }) => !keys.has(key) && by.some((each) => keys.has(each)));

/** The batch of a link of a training that says none: trainings started with it, the book's. */
export const unsaidBatch = 4e6;

/** Puts a link into today's words; where it has both, today's own win. */
export function migrate(pairs: URLSearchParams): void {
  const give = (key: string, value: string): void => {
    if (!pairs.has(key)) pairs.set(key, value);
  };
  for (const { was, is, meant } of migrations) {
    const [key = '', value] = was.split('=');
    const said = pairs.get(key);
    if (said === null || (value !== undefined && value !== said)) continue;
    pairs.delete(key);
    const [keyNow = '', valueNow = said] = is.split('=');
    give(keyNow, valueNow);
    if (meant) give(...(meant.split('=') as [string, string]));
  }
}
