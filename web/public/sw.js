// The client opens without a line: all its files are kept, and nothing that a server answers.
// A build is kept whole, under its own name, and only while it is put in place; so a page finds
// either all of its build or nothing of it, never a mixture of two.

const BUILD = "fathom-__BUILD__";
const FILES = ["__FILES__"];
/** The builds whose files stay: this one, and the one that an open page may still be of. */
const BUILDS_KEPT = 2;
/** How long a page may take to come, in milliseconds; a line can be there and carry nothing. */
const PATIENCE = 5000;

self.addEventListener("install", (event) => {
  event.waitUntil(keepBuild().then(() => self.skipWaiting()));
});

self.addEventListener("activate", (event) => {
  event.waitUntil(dropOldBuilds().then(() => self.clients.claim()));
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== "GET" || url.origin !== location.origin) return;
  if (url.pathname.startsWith("/api/") || url.pathname === "/socket") return;
  if (request.mode === "navigate") event.respondWith(page(request));
  else if (url.pathname.startsWith("/assets/")) event.respondWith(kept(request));
  else if (FILES.includes(url.pathname)) event.respondWith(freshOrKept(request));
});

/** All files of this build, past the browser's own store; if one is missing, none is kept. */
async function keepBuild() {
  const cache = await caches.open(BUILD);
  try {
    await cache.addAll(FILES.map((file) => new Request(file, { cache: "reload" })));
  } catch (missing) {
    await caches.delete(BUILD);
    throw missing;
  }
}

async function dropOldBuilds() {
  const builds = (await caches.keys()).filter((name) => name.startsWith("fathom-"));
  const others = builds.filter((name) => name !== BUILD);
  const old = others.slice(0, Math.max(0, others.length - BUILDS_KEPT + 1));
  await Promise.all(old.map((name) => caches.delete(name)));
}

/** A page comes from the server; without a line, or if it isn't one, it is this build's. */
async function page(request) {
  const fresh = await fetch(request, { signal: AbortSignal.timeout(PATIENCE) }).catch(() => null);
  if (fresh && (fresh.ok || fresh.type === "opaqueredirect")) return fresh;
  const own = await (await caches.open(BUILD)).match("/");
  return own ?? fresh ?? Response.error();
}

/** Their names change with their contents, so whichever build has it, has it right. */
async function kept(request) {
  return (await caches.match(request)) ?? fetch(request);
}

async function freshOrKept(request) {
  const fresh = await fetch(request).catch(() => null);
  if (fresh?.ok) return fresh;
  return (await (await caches.open(BUILD)).match(request)) ?? fresh ?? Response.error();
}
