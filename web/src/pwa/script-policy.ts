// Addresses of scripts, on pages that take them from known hands only.

export interface Policy {
  createScriptURL(url: string): string;
}
interface Factory {
  createPolicy(name: string, rules: Policy): Policy;
}

/** A policy that lets addresses pass as `rules` say; undefined where none is asked for, or where the
 * page lets none be made: it then may take plain addresses. */
export function makePolicy(createScriptURL: (url: string) => string): Policy | undefined {
  const { trustedTypes } = globalThis as { trustedTypes?: Factory | null };
  try {
    return trustedTypes?.createPolicy('scaling-calculator', { createScriptURL });
  } catch {
    return undefined;
  }
}
