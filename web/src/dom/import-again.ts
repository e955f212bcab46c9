// Imports of parts that load on first use, as the build writes them.

/** Failed imports, by address. */
const failures = new Map<string, number>();
/** Modules that came by another address than their own. */
const elsewhere = new Map<string, unknown>();

/**
 * Imports a module of the page; rejects where it can't be had. Chromium up to 150 keeps a module that
 * failed once as failed, so a further try also asks by an address that is new to the browser.
 */
async function importAgain(address: string): Promise<unknown> {
  if (elsewhere.has(address)) return elsewhere.get(address);
  const before = failures.get(address) ?? 0;
  try {
    return await import(/* @vite-ignore */ address);
  } catch (error) {
    failures.set(address, before + 1);
    if (before === 0) throw error;
    const module: unknown = await import(/* @vite-ignore */ `${address}?again=${before}`);
    elsewhere.set(address, module);
    return module;
  }
}

// All scripts of the build import by it.
Object.assign(globalThis, { importAgain });
