// Links of earlier versions keep working: what they say, in today's words.

interface Migration {
  /** A key, or a key with one of its values: a choice, a preset. */
  was: string;
  is: string;
  /** What had no words of its own and went without saying. */
  meant?: string;
}

/** What has changed its name. Nothing is ever taken out of here: somewhere there is a link. */
const migrations: readonly Migration[] = [
  { was: 'op.chips', is: 'mesh.x' },
  { was: 'op.kind=splitMatmul', is: 'op.kind=shardedMatmul', meant: 'mesh.x=2' },
];
const current: ReadonlyMap<string, string> = new Map(migrations.map(({ was, is }) => [was, is]));

export const currentKey = (key: string): string => current.get(key) ?? key;

export const currentValue = (key: string, value: string): string =>
  current.get(`${key}=${value}`)?.slice(key.length + 1) ?? value;

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
