import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const folder = path.resolve(import.meta.dirname, '../../build/packed');

const options = ['--format=raw', '--lzma1=preset=9e,lc=3,lp=0,pb=0', '--stdout'];

/** Bytes packed by LZMA, in base64. */
export const lzma = (bytes: Buffer): string =>
  execFileSync('xz', options, { input: bytes, maxBuffer: 1 << 26 }).toString('base64');

/**
 * Packs bytes by LZMA, which leaves a sixth less of a module than deflate; `unpack.wasm` has the
 * same parameters. Gives JSON of a `Packed`, which is kept in build/: the page, the engine, the
 * element's scripts and the tests share the same few modules.
 */
export function pack(bytes: Buffer): string {
  const key = createHash('sha256').update(JSON.stringify(options)).update(bytes).digest('hex');
  const kept = path.join(folder, key);
  if (!existsSync(kept)) {
    mkdirSync(folder, { recursive: true });
    // A reader beside this one sees the whole file, or none.
    const unfinished = `${kept}.${process.pid}`;
    writeFileSync(unfinished, JSON.stringify({ base64: lzma(bytes), size: bytes.length }));
    renameSync(unfinished, kept);
  }
  return readFileSync(kept, 'utf8');
}
