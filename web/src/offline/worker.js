// The service worker: keeps one version of the page on this machine, so that it opens without a
// network. The build puts in the version and its files.

const version = '__VERSION__';
const files = __FILES__;

// An origin's caches are common to all that lies on it.
const prefix = `scaling-calculator ${registration.scope} `;
const name = prefix + version;

async function keep() {
  const cache = await caches.open(name);
  await cache.addAll(files.map((file) => new Request(file, { cache: 'no-cache' })));
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
