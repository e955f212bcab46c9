// What lies beside embed.js: the page's own modules.

const script = document.currentScript as HTMLScriptElement | null;

/** The folder of the script, unless it was written into the page. */
export const home: URL | undefined = script?.src ? new URL('.', script.src) : undefined;

/** Browsers let in what the modules preload by the nonce that the page names in this way. */
function nameNonce(): void {
  if (!script?.nonce || document.querySelector('meta[property=csp-nonce]')) return;
  const meta = document.createElement('meta');
  meta.setAttribute('property', 'csp-nonce');
  meta.nonce = script.nonce;
  document.head.append(meta);
}

let refused = false;

/** Whether the modules could not be imported when they were asked for last. */
export const areRefused = (): boolean => refused;

/**
 * Imports the page's own modules; rejects where that is not allowed: from disks, from other origins
 * without CORS headers, in frames without an origin.
 */
export async function importModules(): Promise<typeof import('./modules.ts')> {
  try {
    // Browsers import nothing from disks, and say so on the console.
    if (!home || home.protocol === 'file:') throw new Error('modules have no address here');
    const { href } = new URL('element.js', home);
    nameNonce();
    const modules = (await import(/* @vite-ignore */ href)) as typeof import('./modules.ts');
    refused = false;
    return modules;
  } catch (error) {
    refused = true;
    throw error;
  }
}
