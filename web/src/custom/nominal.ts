// The size that a model's name gives: "Qwen3-30B-A3B", "Mixtral-8x7B", "gemma-3-270m".

export interface Nominal {
  /** The name that says so. */
  name: string;
  parameters: number | undefined;
  active: number | undefined;
}

const units: Record<string, number> = { M: 1e6, B: 1e9, T: 1e12 };

/** `8x22B`, `A3B`, `0.6B`, and no part of a longer word. */
const size =
  /(?<![A-Za-z0-9.])(A|E)?(?:(\d{1,3})x)?(\d{1,4}(?:\.\d{1,3})?)([MBT])(?![A-Za-z0-9])/gi;

export function nominalOf(name: string): Nominal | undefined {
  let parameters: number | undefined;
  let active: number | undefined;
  for (const [, sign, times, number, unit] of name.matchAll(size)) {
    const count = Number(times ?? 1) * Number(number) * units[unit!.toUpperCase()]!;
    // Gemma's effective sizes leave out what lies in slower memory.
    if (sign?.toUpperCase() === 'A') active ??= count;
    // `1M` beside `7B` is a length of context.
    else if (!sign) parameters = Math.max(parameters ?? 0, count);
  }
  return parameters || active ? { name, parameters, active } : undefined;
}

/** Names round: what is called 2B may have 2.6. */
const allowed = 1.5;

const near = (one: number, other: number): boolean =>
  one < other * allowed && other < one * allowed;

/** Whether a count is so far from the name's that one of both is wrong. */
export function contradicts({ parameters, active }: Nominal, all: number, each: number): boolean {
  // Llama 4's names give what is active alone.
  if (parameters) return !near(parameters, all) && !(each < all && near(parameters, each));
  return active !== undefined && !near(active, each);
}
