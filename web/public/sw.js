// The client works offline as far as it can: its own files are kept, the game itself needs the line.
// What is kept is named by the page's build, so a new build replaces it whole.

const KEPT = "fathom-__BUILD__";
const SHELL = ["/", "/manifest.webmanifest", "/icon.svg"];

self.addEventListener("install", (event) => {
  event.waitUntil(
    caches
      .open(KEPT)
      .then((cache) => cache.addAll(SHELL))
      .then(() => self.skipWaiting()),
  );
});

self.addEventListener("activate", (event) => {
  event.waitUntil(
    caches
      .keys()
      .then((names) =>
        Promise.all(names.filter((name) => name !== KEPT).map((name) => caches.delete(name))),
      )
      .then(() => self.clients.claim()),
  );
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== "GET" || url.origin !== location.origin) return;
  if (url.pathname.startsWith("/api/")) {
    // The library and the rules change with the version only; everything else must be fresh.
    if (url.pathname === "/api/library" || url.pathname === "/api/rules")
      event.respondWith(freshOrKept(request));
    return;
  }
  if (url.pathname.startsWith("/assets/")) event.respondWith(keptOrFresh(request));
  else if (request.mode === "navigate") event.respondWith(freshOrKept(request, "/"));
  else event.respondWith(freshOrKept(request));
});

async function keptOrFresh(request) {
  const cache = await caches.open(KEPT);
  const found = await cache.match(request);
  if (found) return found;
  const fresh = await fetch(request);
  if (fresh.ok) await cache.put(request, fresh.clone());
  return fresh;
}

async function freshOrKept(request, instead) {
  const cache = await caches.open(KEPT);
  try {
    const fresh = await fetch(request);
    if (fresh.ok) await cache.put(instead ?? request, fresh.clone());
    return fresh;
  } catch (lost) {
    const found = await cache.match(instead ?? request);
    if (found) return found;
    throw lost;
  }
}
