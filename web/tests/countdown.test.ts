import { describe, expect, it } from "vitest";
import { clockText, Countdown } from "../src/game/countdown.svelte";
import type { ClockFace } from "../src/wire";

const face = (
  running: "a" | "b" | null,
  turn: number | null,
  game?: [number, number],
): ClockFace => ({
  running,
  turn,
  ...(game ? { game } : {}),
});

describe("a countdown", () => {
  it("takes time from the crew whose clock runs, and from no other", () => {
    const clock = new Countdown();
    clock.tell(face("a", 30_000, [600_000, 500_000]), 1000);
    clock.tick(6000);
    expect([clock.turn, clock.game]).toEqual([25_000, [595_000, 500_000]]);
    expect(clock.left("a")).toBe(25_000);
    expect(clock.left("b")).toBeNull();
  });

  it("never goes back by what the network takes, and catches up with the server", () => {
    const clock = new Countdown();
    clock.tell(face("a", 30_000), 0);
    clock.tick(5000);
    // This took 300 ms longer on its way than the one before.
    clock.tell(face("a", 25_300), 5000);
    clock.tick(5100);
    expect(clock.turn).toBe(25_000);
    clock.tick(5400);
    expect(clock.turn).toBe(24_900);
  });

  it("has all its time in a new turn, for the same crew too", () => {
    const clock = new Countdown();
    clock.tell(face("a", 30_000), 0);
    clock.tick(20_000);
    clock.tell(face("a", 30_000), 20_000);
    expect(clock.turn).toBe(30_000);
    clock.tick(20_500);
    clock.tell(face("b", 30_000), 20_500);
    expect(clock.turn).toBe(30_000);
  });

  it("follows the server when it gives time back that nobody could play in", () => {
    const clock = new Countdown();
    clock.tell(face("a", null, [60_000, 60_000]), 0);
    clock.tick(30_000);
    clock.tell(face("a", null, [58_000, 60_000]), 30_000);
    expect(clock.game).toEqual([58_000, 60_000]);
  });

  it("stands still when nobody's clock runs", () => {
    const clock = new Countdown();
    clock.tell(face(null, 30_000, [60_000, 60_000]), 0);
    clock.tick(10_000);
    expect([clock.turn, clock.game]).toEqual([30_000, [60_000, 60_000]]);
    expect(clock.isShort("a")).toBe(false);
  });

  it("is short from ten seconds on, and ends at nothing", () => {
    const clock = new Countdown();
    clock.tell(face("b", 30_000, [60_000, 10_500]), 0);
    expect(clock.isShort("b")).toBe(false);
    clock.tick(600);
    expect(clock.isShort("b")).toBe(true);
    clock.tick(99_000);
    expect(clock.left("b")).toBe(0);
  });

  it("is told in minutes and seconds, rounded up", () => {
    expect([0, 1, 9000, 9001, 61_000, 600_000].map(clockText)).toEqual([
      "0:00",
      "0:01",
      "0:09",
      "0:10",
      "1:01",
      "10:00",
    ]);
  });
});
