import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { paraglideVitePlugin } from "@inlang/paraglide-js";
import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vitest/config";
import { WORDS } from "./scripts/words-options.mjs";

const server = process.env.FATHOM_SERVER ?? "http://127.0.0.1:8000";

// The host stays the page's own: the server answers no other site's pages.
const proxy = {
  "/api": { target: server, changeOrigin: false },
  "/socket": { target: server, ws: true, changeOrigin: false },
};

/** Files that the page needs besides those that are built. */
const PLAIN = ["/", "/manifest.webmanifest", "/icon.svg", "/icon-192.png", "/icon-512.png"];

/** Tells the service worker which files make up this build, and names its store after them. */
const stampWorker = {
  name: "stamp-worker",
  apply: "build",
  writeBundle(options, bundle) {
    const built = Object.keys(bundle).filter((file) => file.startsWith("assets/"));
    const files = [...PLAIN, ...built.sort().map((file) => `/${file}`)];
    const file = join(options.dir, "sw.js");
    const source = readFileSync(file, "utf8");
    // A worker that is newer in anything has a store of its own: if it can't be put in place, what
    // the one before it keeps must not go with it.
    const stamp = createHash("sha256").update(files.join()).update(source);
    for (const plain of PLAIN)
      stamp.update(readFileSync(join(options.dir, plain === "/" ? "index.html" : plain)));
    const worker = source
      .replace("__BUILD__", stamp.digest("hex").slice(0, 12))
      .replace('["__FILES__"]', JSON.stringify(files));
    writeFileSync(file, worker);
  },
};

export default defineConfig({
  plugins: [paraglideVitePlugin(WORDS), svelte(), stampWorker],
  build: {
    target: "es2022",
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
  server: { proxy },
  preview: { proxy },
  test: { environment: "jsdom", include: ["tests/**/*.test.ts"] },
  ...(process.env.VITEST ? { resolve: { conditions: ["browser"] } } : {}),
});
