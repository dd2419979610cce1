// The service worker in a world of its own: a store, a line that can break, and its events.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

const source = readFileSync(join(import.meta.dirname, "..", "public", "sw.js"), "utf8");
const HOST = "https://sea.example";

type Listener = (event: {
  request?: unknown;
  waitUntil: (work: Promise<unknown>) => void;
  respondWith: (answer: Promise<Response>) => void;
}) => void;

const pathOf = (asked: Request | string): string =>
  new URL(typeof asked === "string" ? asked : asked.url, HOST).pathname;

/** What the browser keeps for the site, in all builds. */
class Store {
  readonly builds = new Map<string, Map<string, string>>();
  async open(name: string) {
    const files = this.builds.get(name) ?? new Map<string, string>();
    this.builds.set(name, files);
    return {
      addAll: async (asked: Request[]) => {
        const found = await Promise.all(asked.map((one) => line(one)));
        if (found.some(({ ok }) => !ok)) throw new Error("a file is missing");
        for (const [i, one] of found.entries()) files.set(pathOf(asked[i]!), await one.text());
      },
      match: async (asked: Request | string) => {
        const text = files.get(pathOf(asked));
        return text === undefined ? undefined : new Response(text);
      },
    };
  }
  keys = async (): Promise<string[]> => [...this.builds.keys()];
  delete = async (name: string): Promise<boolean> => this.builds.delete(name);
  async match(asked: Request): Promise<Response | undefined> {
    for (const files of this.builds.values()) {
      const text = files.get(pathOf(asked));
      if (text !== undefined) return new Response(text);
    }
    return undefined;
  }
}

let store: Store;
let server: Map<string, string>;
let open: boolean;
let asked: string[];
/** What the browser does when a worker asks for a newer one. */
let update: () => unknown;

async function line(request: Request | string): Promise<Response> {
  asked.push(pathOf(request));
  if (!open) throw new TypeError("no line");
  const text = server.get(pathOf(request));
  return new Response(text ?? '{"error":"unknown-path"}', {
    status: text === undefined ? 404 : 200,
  });
}

/** A worker of a build that is served now, put in place. */
async function worker(build: string, files: string[], missing?: string, page = `page of ${build}`) {
  server = new Map([["/", page], ...files.map((file) => [file, `${file} of ${build}`] as const)]);
  if (missing) server.delete(missing);
  const heard = new Map<string, Listener>();
  const self = {
    addEventListener: (name: string, listener: Listener) => heard.set(name, listener),
    skipWaiting: async () => undefined,
    clients: { claim: async () => undefined },
    registration: { update: async () => update() },
  };
  const text = source
    .replace("__BUILD__", build)
    .replace('["__FILES__"]', JSON.stringify(["/", ...files]));
  class Asked extends Request {
    constructor(path: string, options?: RequestInit) {
      super(new URL(path, HOST), options);
    }
  }
  new Function("self", "caches", "fetch", "location", "Request", text)(
    self,
    store,
    line,
    new URL(HOST),
    Asked,
  );
  for (const name of ["install", "activate"]) {
    let work: Promise<unknown> = Promise.resolve();
    heard.get(name)!({ waitUntil: (one) => (work = one), respondWith: () => undefined });
    await work;
  }
  /** What a page of the site gets; null where the worker keeps out of it. */
  return async (path: string, mode = "cors"): Promise<string | null> => {
    let answer: Promise<Response> | null = null;
    heard.get("fetch")!({
      request: { method: "GET", url: HOST + path, mode },
      waitUntil: () => undefined,
      respondWith: (one) => (answer = one),
    });
    return answer ? (await (answer as Promise<Response>)).text() : null;
  };
}

beforeEach(() => {
  store = new Store();
  open = true;
  asked = [];
  update = () => undefined;
});

afterEach(() => vi.useRealTimers());

describe("the service worker", () => {
  it("opens every page without a line", async () => {
    const get = await worker("one", ["/assets/a.js"]);
    open = false;
    expect(await get("/t/K7QMX", "navigate")).toBe("page of one");
    expect(await get("/assets/a.js")).toBe("/assets/a.js of one");
  });

  it("keeps out of everything that the server answers", async () => {
    const get = await worker("one", ["/assets/a.js"]);
    for (const path of ["/api/library", "/api/games/x/belief", "/api/rules?language=uk", "/socket"])
      expect(await get(path)).toBeNull();
    const everything = [...store.builds.values()].flatMap((files) => [...files.keys()]);
    expect(everything).toEqual(["/", "/assets/a.js"]);
  });

  it("gives a newer page only with the whole of its build", async () => {
    const get = await worker("one", ["/assets/a-1.js"]);
    update = () => worker("two", ["/assets/a-2.js"]);
    server.set("/rules", "page of two");
    expect(await get("/rules", "navigate")).toBe("page of two");
    open = false;
    expect(await get("/assets/a-2.js")).toBe("/assets/a-2.js of two");
  });

  it("takes a page that differs only in what its link says for the same", async () => {
    const get = await worker("one", []);
    server.set("/t/K7QMX", 'page<!--preview--><meta property="og:title"><!--/preview--> of one');
    vi.useFakeTimers();
    expect(await get("/t/K7QMX", "navigate")).toBe("page of one");
  });

  it("stays with its build while a newer one does not come", async () => {
    const get = await worker("one", ["/assets/a-1.js"]);
    let wanted = 0;
    update = () => (wanted += 1);
    server.set("/rules", "page of two");
    vi.useFakeTimers();
    const page = get("/rules", "navigate");
    await vi.advanceTimersByTimeAsync(6000);
    expect(await page).toBe("page of one");
    expect(wanted).toBe(1);
  });

  it("shows the client where the server knows no page", async () => {
    const get = await worker("one", []);
    expect(await get("/rules/move.islands", "navigate")).toBe("page of one");
  });

  it("keeps a build whole or not at all", async () => {
    const get = await worker("one", ["/assets/a.js"]);
    await expect(worker("two", ["/assets/b.js"], "/assets/b.js")).rejects.toThrow("missing");
    expect([...store.builds.keys()]).toEqual(["fathom-one"]);
    open = false;
    expect(await get("/", "navigate")).toBe("page of one");
  });

  it("keeps no build with the page of another", async () => {
    const get = await worker("one", ["/assets/a-1.js"]);
    const newer = `<script type="module" src="/assets/a-3.js"></script>`;
    await expect(worker("two", ["/assets/a-2.js"], undefined, newer)).rejects.toThrow("another");
    open = false;
    expect(await get("/", "navigate")).toBe("page of one");
    expect([...store.builds.keys()]).toEqual(["fathom-one"]);
  });

  it("knows which build is the oldest, also when one comes back", async () => {
    for (const build of ["one", "two", "one", "three"])
      await worker(build, [`/assets/${build}.js`]);
    expect([...store.builds.keys()]).toEqual(["fathom-one", "fathom-three"]);
  });

  it("replaces the last build, whose open pages still find their files", async () => {
    await worker("one", ["/assets/a-1.js"]);
    const get = await worker("two", ["/assets/a-2.js"]);
    expect(await get("/assets/a-1.js")).toBe("/assets/a-1.js of one");
    open = false;
    expect(await get("/", "navigate")).toBe("page of two");
    open = true;
    await worker("three", ["/assets/a-3.js"]);
    expect([...store.builds.keys()]).toEqual(["fathom-two", "fathom-three"]);
  });
});
