// Rows of numbers as modules hand them out: each column has the name that the module gives it.

type Numbers = ArrayLike<number>;

/** Numbers by name, from the place `from` on. */
const named = <Key extends string>(
  names: readonly Key[],
  numbers: Numbers,
  from = 0,
): Record<Key, number> =>
  Object.fromEntries(names.map((name, index) => [name, numbers[from + index]!])) as Record<
    Key,
    number
  >;

/** Rows as objects. */
export const rowsOf = <Key extends string>(
  names: readonly Key[],
  numbers: Numbers,
): Record<Key, number>[] =>
  Array.from({ length: numbers.length / names.length }, (_, row) =>
    named(names, numbers, row * names.length),
  );

/** Rows of several parts, which follow each other. */
export function partedRows<Parts extends Record<string, readonly string[]>>(
  parts: Parts,
  numbers: Numbers,
): { [Part in keyof Parts]: Record<Parts[Part][number], number> }[] {
  const names = Object.entries(parts);
  const width = names.reduce((total, [, each]) => total + each.length, 0);
  return Array.from({ length: numbers.length / width }, (_, row) => {
    let from = row * width;
    const read = names.map(([part, each]) => {
      const values = named(each, numbers, from);
      from += each.length;
      return [part, values] as const;
    });
    return Object.fromEntries(read) as never;
  });
}
