/** Gives what an object itself has under a key. A host page may have given all objects more than that. */
export const ownValue = <Of extends object, Key extends keyof Of>(
  of: Of,
  key: Key,
): Of[Key] | undefined => (Object.hasOwn(of, key) ? of[key] : undefined);

/** Whether an object itself has a key, which tells its kind. */
export const has = <Of extends object, Key extends PropertyKey>(
  of: Of,
  key: Key,
): of is Extract<Of, Record<Key, unknown>> => Object.hasOwn(of, key);
