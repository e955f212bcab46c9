// The document of the page is its own: what an extension or another script has changed there for all
// is put right before the page starts.

/** What the language itself gives to all objects. */
const native =
  /^(constructor|hasOwnProperty|isPrototypeOf|propertyIsEnumerable|to(Locale)?String|valueOf|__(proto|(define|lookup)[GS]etter)__)$/;

/** Takes from all objects what was put on them, and lets nothing more be put there. */
function cleanObjects(): void {
  for (const key of Reflect.ownKeys(Object.prototype)) {
    if (!native.test(String(key))) Reflect.deleteProperty(Object.prototype, key);
  }
  Object.preventExtensions(Object.prototype);
}

interface Factory {
  readonly emptyScript: unknown;
  createPolicy(...words: unknown[]): unknown;
}

/** Asks an empty frame's Trusted Types, which nobody has changed; there are none in some browsers. */
function askFrame<T>(ask: (types: Factory | undefined) => T): T {
  const frame = document.createElement('iframe');
  document.head.append(frame);
  const reply = ask((frame.contentWindow as { trustedTypes?: Factory } | null)?.trustedTypes);
  frame.remove();
  return reply;
}

/**
 * The document demands policies of Trusted Types: those of a frame do where the document's own are
 * gone, or where their names are taken.
 */
function keepTrustedTypes(): void {
  const own = (globalThis as { trustedTypes?: Factory }).trustedTypes;
  const emptyScript = (own ?? askFrame((types) => types))?.emptyScript;
  if (emptyScript === undefined) return;
  const createPolicy: Factory['createPolicy'] = (...words) => {
    try {
      return own!.createPolicy(...words);
    } catch {
      return askFrame((types) => types!.createPolicy(...words));
    }
  };
  Object.defineProperty(globalThis, 'trustedTypes', { value: { emptyScript, createPolicy } });
}

export function putRight(): void {
  cleanObjects();
  keepTrustedTypes();
}
