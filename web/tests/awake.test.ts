// The screen stays on while a game runs: by the browser's lock, or by a video where it has none.
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { keepAwake } from "../src/awake";

class Lock {
  released = false;
  release = async (): Promise<void> => void (this.released = true);
}

let hidden = false;
let locks: Lock[];
let refuse: boolean;

function show(page: boolean): void {
  hidden = !page;
  document.dispatchEvent(new Event("visibilitychange"));
}
const settled = () => new Promise((done) => setTimeout(done));
const shown = () => document.querySelector("video");

beforeEach(() => {
  hidden = false;
  locks = [];
  refuse = false;
  vi.spyOn(document, "hidden", "get").mockImplementation(() => hidden);
});

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

describe("over HTTPS", () => {
  beforeEach(() => {
    const request = async (): Promise<Lock> => {
      if (refuse) throw new DOMException("a gesture is needed", "NotAllowedError");
      const lock = new Lock();
      locks.push(lock);
      return lock;
    };
    vi.stubGlobal("navigator", { wakeLock: { request }, vendor: "" });
  });

  it("has a lock from the start to the end, and no video", async () => {
    const end = keepAwake();
    await settled();
    expect(locks.map((lock) => lock.released)).toEqual([false]);
    expect(shown()).toBeNull();
    end();
    expect(locks.map((lock) => lock.released)).toEqual([true]);
  });

  it("asks again when the page is shown again", async () => {
    const end = keepAwake();
    await settled();
    locks[0]!.released = true;
    show(false);
    show(true);
    await settled();
    expect(locks).toHaveLength(2);
    end();
  });

  it("asks again with the first touch, where one is needed", async () => {
    refuse = true;
    const end = keepAwake();
    await settled();
    refuse = false;
    document.dispatchEvent(new Event("pointerup"));
    await settled();
    expect(locks).toHaveLength(1);
    document.dispatchEvent(new Event("pointerup"));
    await settled();
    expect(locks).toHaveLength(1);
    end();
  });

  it("keeps no lock that comes after the end", async () => {
    keepAwake()();
    await settled();
    expect(locks.map((lock) => lock.released)).toEqual([true]);
  });
});

describe("over plain HTTP", () => {
  let played: number;
  let playing: boolean;

  function stub(vendor: string): void {
    vi.stubGlobal("navigator", { vendor });
    played = 0;
    playing = false;
    const proto = HTMLMediaElement.prototype;
    vi.spyOn(proto, "paused", "get").mockImplementation(() => !playing);
    vi.spyOn(proto, "pause").mockImplementation(() => void (playing = false));
    vi.spyOn(proto, "play").mockImplementation(async () => {
      played += 1;
      if (refuse) throw new DOMException("a gesture is needed", "NotAllowedError");
      playing = true;
    });
  }

  it("plays a video that Chromium counts: as large as the page, inline, muted", () => {
    stub("Google Inc.");
    const end = keepAwake();
    const element = shown()!;
    expect([element.playsInline, element.muted, element.loop]).toEqual([true, true, false]);
    expect(element.style.width).toBe("100%");
    expect(element.style.pointerEvents).toBe("none");
    expect(playing).toBe(true);
    end();
    expect(shown()).toBeNull();
    expect(playing).toBe(false);
  });

  it("plays one that Safari counts, with the first touch: not muted, not looping", async () => {
    stub("Apple Computer, Inc.");
    refuse = true;
    const end = keepAwake();
    const element = shown()!;
    expect([element.muted, element.loop]).toEqual([false, false]);
    await settled();
    refuse = false;
    document.dispatchEvent(new Event("pointerup"));
    expect(playing).toBe(true);
    document.dispatchEvent(new Event("pointerup"));
    expect(played).toBe(2);
    end();
  });

  it("never comes to its end", () => {
    stub("Google Inc.");
    const end = keepAwake();
    const element = shown()!;
    element.currentTime = 6;
    element.dispatchEvent(new Event("timeupdate"));
    expect(element.currentTime).toBe(0);
    end();
  });
});
