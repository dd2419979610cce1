// What a stop does to what was just said: nobody can read it meanwhile, so it waits.
import { flushSync } from "svelte";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Duel } from "../src/game/duel.svelte";
import { Table } from "../src/game/table.svelte";
import { Bridge } from "../src/stations/bridge.svelte";
import type { GameOpened, Told } from "../src/wire";

const opened = {
  type: "game",
  game: "g",
  table: "T",
  seat: { crew: "a", number: 0 },
  posts: ["radio-operator"],
  setup: { mode: "real-time", house: { radio_help: "paper" }, book: {}, crews: [] },
  facts: {},
} as unknown as GameOpened;
const playing = (stop: object | null): Told["view"] =>
  ({ public: { phase: "playing", stop } }) as unknown as Told["view"];

describe("a course heard once, on paper", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it("can be read for six seconds, not counting a stop", () => {
    const duel = new Duel(opened);
    let bridge!: Bridge;
    const end = $effect.root(() => {
      bridge = new Bridge(new Table("T"), duel);
    });
    const news = { type: "told", game: "g", position: 1 } as const;
    const [said] = duel.tell({
      ...news,
      events: [{ event: "course-set", crew: "b", heading: "N" }],
      view: playing(null),
    });
    flushSync();
    vi.advanceTimersByTime(1000);
    duel.tell({ ...news, view: playing({ by: "b" }) });
    flushSync();
    vi.advanceTimersByTime(30_000);
    expect(bridge.justHeard(said!)).toBe(true);
    expect(bridge.inWriting(said!)).toBe(true);
    duel.tell({ ...news, view: playing(null) });
    flushSync();
    vi.advanceTimersByTime(4000);
    expect(bridge.justHeard(said!)).toBe(true);
    vi.advanceTimersByTime(2000);
    expect(bridge.justHeard(said!)).toBe(false);
    expect(bridge.inWriting(said!)).toBe(false);
    end();
  });
});
