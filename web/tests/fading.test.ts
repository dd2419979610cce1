import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Said } from "../src/game/duel.svelte";
import { Fading } from "../src/game/fading.svelte";

const said = (number: number, at = 1): Said => ({
  number,
  at,
  heard: { event: "course-set", crew: "b", heading: "N" },
});

describe("what was just said", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it("can be read for six seconds", () => {
    const fading = new Fading();
    fading.hear([said(1)]);
    fading.run(true);
    vi.advanceTimersByTime(5000);
    fading.hear([said(1), said(2)]);
    fading.run(true);
    expect(fading.fresh(said(1))).toBe(true);
    vi.advanceTimersByTime(1400);
    expect([fading.fresh(said(1)), fading.fresh(said(2))]).toEqual([false, true]);
    vi.advanceTimersByTime(5000);
    expect(fading.fresh(said(2))).toBe(false);
  });

  it("waits while it can't be read", () => {
    const fading = new Fading();
    fading.hear([said(1)]);
    fading.run(true);
    vi.advanceTimersByTime(2000);
    fading.run(false);
    vi.advanceTimersByTime(60_000);
    expect(fading.fresh(said(1))).toBe(true);
    fading.run(true);
    vi.advanceTimersByTime(3600);
    expect(fading.fresh(said(1))).toBe(true);
    vi.advanceTimersByTime(1000);
    expect(fading.fresh(said(1))).toBe(false);
  });

  it("is not what was said before we came", () => {
    const fading = new Fading();
    fading.hear([said(1, 0)]);
    expect(fading.fresh(said(1, 0))).toBe(false);
  });
});
