// The client opens without a line: all its files are kept, and nothing that a server answers.
// A build is kept whole, under its own name, and only while it is put in place; so a page finds
// either all of its build or nothing of it, never a mixture of two.

const BUILD = "fathom-__BUILD__";
const FILES = ["__FILES__"];
/** The builds whose files stay: this one, and the one that an open page may still be of. */
const BUILDS_KEPT = 2;
/** How long a page, or a new build after it, may take to come, in milliseconds. */
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

/**
 * All files of this build, past the browser's own store; if one is missing, none is kept. While a
 * server changes builds, or two answer for one address, its page may be of another build already.
 */
async function keepBuild() {
  // What is put in place anew stands last again: the order tells which build is the oldest.
  await caches.delete(BUILD);
  const cache = await caches.open(BUILD);
  try {
    await cache.addAll(FILES.map((file) => new Request(file, { cache: "reload" })));
    const page = await (await cache.match("/")).text();
    const needed = [...page.matchAll(/"(\/assets\/[^"]+)"/g)].map(([, file]) => file);
    if (!needed.every((file) => FILES.includes(file))) throw new Error("a page of another build");
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

/**
 * A page is of a build that is kept whole: of the server's, once all its files are here, and
 * otherwise of this one. So a line that breaks after the page has come does no harm.
 */
async function page(request) {
  const own = await (await caches.open(BUILD)).match("/");
  const fresh = await ask(request, PATIENCE);
  if (!own || fresh?.type === "opaqueredirect") return fresh ?? Response.error();
  const text = fresh?.ok ? withoutPreview(await textOf(fresh)) : null;
  if (text === null || text === (await own.clone().text())) return own;
  return (await arrived(text)) ? new Response(text, { headers: fresh.headers }) : own;
}

/** Whether the build of this page is here, or comes soon enough. */
async function arrived(text) {
  self.registration.update().catch(() => undefined);
  for (const end = Date.now() + PATIENCE; Date.now() < end; await moment()) {
    for (const name of await caches.keys()) {
      if (!name.startsWith("fathom-")) continue;
      const found = await (await caches.open(name)).match("/");
      if (found && (await found.text()) === text) return true;
    }
  }
  return false;
}

/** A page without what it says of its link, which differs from page to page. */
const withoutPreview = (text) => text && text.replace(/<!--preview-->.*?<!--\/preview-->/s, "");

const moment = () => new Promise((done) => setTimeout(done, 100));
const textOf = (answer) =>
  answer
    .clone()
    .text()
    .catch(() => null);
const ask = (request, patience) =>
  fetch(request, { signal: AbortSignal.timeout(patience) }).catch(() => null);

/** Their names change with their contents, so whichever build has it, has it right. */
async function kept(request) {
  return (await caches.match(request)) ?? (await ask(request, PATIENCE * 4)) ?? Response.error();
}

async function freshOrKept(request) {
  const fresh = await ask(request, PATIENCE);
  if (fresh?.ok) return fresh;
  return (await (await caches.open(BUILD)).match(request)) ?? fresh ?? Response.error();
}
