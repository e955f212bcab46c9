// The service worker: keeps one version of the page on this machine, so that it opens without a
// network. The build puts in the version and its files, each with its types and digest.

const version = '__VERSION__';
const files = __FILES__;

// An origin's caches are common to all that lies on it.
const prefix = `scaling-calculator ${registration.scope} `;
const name = prefix + version;

/**
 * A file as the build made it. Browsers refuse a page that was redirected on its way here; hosts
 * answer with their own page for what is missing, as while a newer version is being put there.
 */
async function load([file, types, integrity]) {
  const request = new Request(file, { cache: 'no-cache', redirect: 'error', integrity });
  const response = await fetch(request);
  const given = response.headers.get('Content-Type')?.split(';')[0].trim().toLowerCase();
  const isOfType = types.length === 0 || types.includes(given);
  if (!response.ok || response.redirected || !isOfType)
    throw new TypeError(`${file} is not what it should be: ${response.status} ${given}`);
  return [file, response];
}

/** Keeps all of the files, or nothing. */
async function keep() {
  try {
    const loaded = await Promise.all(files.map(load));
    const cache = await caches.open(name);
    await Promise.all(loaded.map(([file, response]) => cache.put(file, response)));
  } catch (error) {
    await caches.delete(name);
    await letIn();
    throw error;
  }
}

/** Earlier versions may have kept a redirected page, which no browser shows: they have to go. */
async function letIn() {
  const keys = (await caches.keys()).filter((key) => key.startsWith(prefix));
  const pages = await Promise.all(
    keys.map((cacheName) => caches.match(registration.scope, { cacheName })),
  );
  if (!pages.some((page) => page?.redirected)) return;
  await Promise.all(keys.map((key) => caches.delete(key)));
  await registration.unregister();
}

async function takeOver() {
  const others = (await caches.keys()).filter((key) => key.startsWith(prefix) && key !== name);
  await Promise.all(others.map((key) => caches.delete(key)));
  await clients.claim();
}

async function answer(request) {
  const { pathname } = new URL(request.url);
  const page = new URL(registration.scope).pathname;
  const wanted = pathname === `${page}index.html` ? page : request;
  const options = { cacheName: name, ignoreSearch: true, ignoreVary: true };
  // Storage may be gone: then there still is the network.
  return (await caches.match(wanted, options).catch(() => undefined)) ?? fetch(request);
}

addEventListener('install', (event) => event.waitUntil(keep()));
addEventListener('activate', (event) => event.waitUntil(takeOver()));
addEventListener('message', ({ data }) => {
  if (data === 'take over') void skipWaiting();
});
addEventListener('fetch', (event) => {
  const { origin, searchParams } = new URL(event.request.url);
  // Frames in other pages stay as their hosts have them.
  if (event.request.method !== 'GET' || origin !== location.origin || searchParams.has('embed'))
    return;
  event.respondWith(answer(event.request));
});
