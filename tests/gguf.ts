// Files of llama.cpp, small ones, and what its loader logs of them.

export type Pairs = Record<string, string | number | readonly number[]>;

/** The lines of llama.cpp's log when it loads a file. */
export const logOf = (pairs: Pairs, tokens = 0): string =>
  [
    ...Object.entries(pairs).map(([key, value], index) => {
      const type = typeof value === 'string' ? 'str' : 'u32';
      const said = `${key.padStart(42)} ${type.padEnd(20)} = ${String(value)}`;
      return `llama_model_loader: - kv ${String(index).padStart(3)}: ${said}`;
    }),
    `llama_model_loader: - kv  40: tokenizer.ggml.tokens arr[str,${tokens}]  = ["!", "#", "$", ...`,
  ].join('\n');

export const under = (architecture: string, own: Pairs, general: Pairs = {}): Pairs => ({
  'general.architecture': architecture,
  ...Object.fromEntries(
    Object.entries(general).map(([key, value]) => [`general.${key}`, value] as const),
  ),
  ...Object.fromEntries(
    Object.entries(own).map(([key, value]) => [`${architecture}.${key}`, value] as const),
  ),
});

/** Llama 3.1 8B in Q4_K_M. */
export const llama = under(
  'llama',
  {
    ...{ block_count: 32, context_length: 131072, embedding_length: 4096 },
    ...{ feed_forward_length: 14336, vocab_size: 128256, 'rope.dimension_count': 128 },
    ...{ 'attention.head_count': 32, 'attention.head_count_kv': 8 },
  },
  { name: 'Meta Llama 3.1 8B Instruct', file_type: 15 },
);
/** A file of version 3: pairs, tokens, and tensors. */
export function fileOf(
  pairs: Pairs,
  tokens: number,
  tensors: readonly string[],
): Uint8Array<ArrayBuffer> {
  const parts: Uint8Array[] = [];
  const u32 = (value: number): void =>
    void parts.push(new Uint8Array(Uint32Array.of(value).buffer));
  const u64 = (value: number): void =>
    void parts.push(new Uint8Array(BigUint64Array.of(BigInt(value)).buffer));
  const text = (value: string): void => {
    const bytes = new TextEncoder().encode(value);
    u64(bytes.length);
    parts.push(bytes);
  };
  [0x46554747, 3].forEach(u32);
  u64(tensors.length);
  u64(Object.keys(pairs).length + 1);
  text('tokenizer.ggml.tokens');
  [9, 8].forEach(u32);
  u64(tokens);
  for (let token = 0; token < tokens; ++token) text(`▁${token}`);
  for (const [key, value] of Object.entries(pairs)) {
    text(key);
    if (typeof value === 'string') {
      u32(8);
      text(value);
    } else if (typeof value === 'number') {
      u32(4);
      u32(value);
    } else {
      [9, 4].forEach(u32);
      u64(value.length);
      value.forEach(u32);
    }
  }
  for (const name of tensors) {
    text(name);
    u32(2);
    [4096, 128256].forEach(u64);
    u32(12);
    u64(0);
  }
  return new Uint8Array(Buffer.concat(parts));
}
