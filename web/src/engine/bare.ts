/** Gives data nothing but its own, down to its last part: none of what a page gives to all objects. */
export function bare<T>(data: T): T {
  if (typeof data !== 'object' || data === null) return data;
  if (!Array.isArray(data)) Object.setPrototypeOf(data, null);
  Object.values(data).forEach(bare);
  return data;
}

/** The same for an object alone: its parts stay as they are. */
export const ownOnly = <T extends object>(of: T): T => Object.setPrototypeOf(of, null) as T;
