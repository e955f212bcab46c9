import { makePolicy } from './script-policy.ts';

const address = './worker.js';
/** Trusted Types ask who vouches for the address of a worker: it is this one only. */
const trusted = makePolicy(() => address)?.createScriptURL('') ?? address;

/**
 * Keeps the page on this machine, for days without a network. `announce` is called when a newer
 * version than the one shown is there, with what brings it up.
 */
export async function keepOffline(announce: (renew: () => void) => void): Promise<void> {
  const { serviceWorker } = navigator;
  let controlled = serviceWorker.controller !== null;
  let asked = false;
  serviceWorker.addEventListener('controllerchange', () => {
    if (asked) location.reload();
    // Another window has brought the newer version up: what this one still needs may be gone.
    else if (controlled) announce(() => location.reload());
    controlled = true;
  });
  const registration = await serviceWorker.register(trusted);
  const watch = (worker: ServiceWorker | null): void => {
    const look = (): void => {
      if (worker?.state !== 'installed' || !serviceWorker.controller) return;
      announce(() => {
        asked = true;
        worker.postMessage('take over');
      });
    };
    worker?.addEventListener('statechange', look);
    look();
  };
  watch(registration.waiting);
  watch(registration.installing);
  registration.addEventListener('updatefound', () => watch(registration.installing));
}
