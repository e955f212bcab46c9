// The document of the page is its own: what an extension or another script has changed there for all
// is put right before the page starts.

/** What the language itself gives to all objects begins so. */
const native = /^(constructor|hasOwnP|isProto|propertyIs|to[SL]|valueOf|__)/;

/** Takes from all objects what was put on them, and lets nothing more be put there. */
function cleanObjects(): void {
  for (const key of Reflect.ownKeys(Object.prototype)) {
    if (!native.test(String(key))) Reflect.deleteProperty(Object.prototype, key);
  }
  Object.preventExtensions(Object.prototype);
}

interface Factory {
  createPolicy(...words: unknown[]): unknown;
}

/**
 * The document demands policies of Trusted Types: those of an empty frame, which nobody has changed,
 * do where the document's own are gone, or where their names are taken.
 */
function keepTrustedTypes(): void {
  const { trustedTypes: own } = globalThis as { trustedTypes?: Factory };
  const createPolicy: Factory['createPolicy'] = (...words) => {
    try {
      return own!.createPolicy(...words);
    } catch {
      const frame = document.createElement('iframe');
      document.head.append(frame);
      // Some browsers have none, and ask for none.
      const { trustedTypes } = frame.contentWindow as { trustedTypes?: Factory };
      const policy = trustedTypes?.createPolicy(...words);
      frame.remove();
      return policy;
    }
  };
  Object.defineProperty(globalThis, 'trustedTypes', { value: { createPolicy, emptyScript: '' } });
}

export function putRight(): void {
  cleanObjects();
  keepTrustedTypes();
}
