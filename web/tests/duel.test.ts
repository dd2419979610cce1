import { describe, expect, it } from "vitest";
import { Duel } from "../src/game/duel.svelte";
import { EMPTY_VIEW, merge } from "../src/game/fold";
import { Choices } from "../src/game/offer";
import { commands, understand } from "../src/stations/commands";
import type { AnyOrder, Film, GameOpened, Heard } from "../src/wire";

const film = (count: number): Film => ({
  x: 0,
  y: 0,
  items: Array.from({ length: count }, () => ({ line: [], x: 0, y: 0, shape: "dot", text: "" })),
});

describe("news of the sheets", () => {
  it("leaves alone what is absent", () => {
    const before = merge(EMPTY_VIEW, {
      gauges: { boxes: { mine: 1 }, energy: 0 },
      trace: { holder: 0, sections: [null, null, null, null], good: false, ready: false },
    });
    const after = merge(before, { engine: { crossed: ["W1"] } });
    expect(after.gauges).toEqual({ boxes: { mine: 1 }, energy: 0 });
    expect(after.engine).toEqual({ crossed: ["W1"] });
    expect(after.trace).not.toBeNull();
    expect(merge(after, { trace: null }).trace).toBeNull();
  });

  it("adds to the sheet in use and to the tape", () => {
    const before = merge(EMPTY_VIEW, {
      radio: { films: [film(1)], tape: [{ event: "silence", crew: "b" }], locked: false },
    });
    const after = merge(before, {
      radio: { items: film(2).items, tape_from: 1, tape: [{ event: "dived", crew: "b" }] },
    });
    expect(after.radio!.films[0]!.items).toHaveLength(3);
    expect(after.radio!.tape.map(({ event }) => event)).toEqual(["silence", "dived"]);
    expect(merge(after, { radio: { tape_from: 0, tape: [] } }).radio!.tape).toEqual([]);
  });
});

describe("what is said", () => {
  const dived: Heard = { event: "dived", crew: "a" };
  const east: Heard = { event: "course-set", crew: "b", heading: "E" };
  const opened = { type: "game", game: "g", table: "T", posts: [] } as unknown as GameOpened;
  const told = (position: number, events: Heard[], whole = false) =>
    ({ type: "told", game: "g", position, events, whole, view: {} }) as const;

  it("is heard once, as it comes", () => {
    const duel = new Duel(opened);
    expect(duel.tell(told(1, [dived])).map(({ heard }) => heard)).toEqual([dived]);
    expect(duel.log).toHaveLength(1);
    expect(duel.log[0]!.at).toBeGreaterThan(0);
  });

  it("fills the log of who comes later, without being heard again", () => {
    const duel = new Duel(opened);
    duel.tell(told(1, [], true));
    duel.tell(told(2, [east]));
    expect(duel.tell(told(2, [dived, east], true))).toEqual([]);
    expect(duel.log.map(({ heard }) => heard)).toEqual([dived, east]);
    expect(duel.log.every(({ at }) => at === 0)).toBe(true);
  });

  it("is heard late by who was away for a moment", () => {
    const duel = new Duel(opened);
    duel.tell(told(1, [dived]));
    expect(duel.tell(told(2, [east], true)).map(({ heard }) => heard)).toEqual([east]);
    expect(duel.log.map(({ heard }) => heard)).toEqual([dived, east]);
  });
});

const ORDERS: AnyOrder[] = [
  { order: "course", heading: "N" },
  { order: "silence", distance: 2, heading: "E" },
  { order: "silence", distance: 0, heading: null },
  { order: "torpedo", target: "D4" },
  { order: "charge", system: "mine" },
  { order: "cross-out", symbol: "W2" },
  { order: "resign" },
];

describe("choices", () => {
  const choices = new Choices({ orders: ORDERS });

  it("come from the server alone", () => {
    expect(choices.course("N")).toBe(ORDERS[0]);
    expect(choices.course("S")).toBeUndefined();
    expect([...choices.points("torpedo")]).toEqual(["D4"]);
    expect(choices.uses("silence")).toBe(true);
    expect(choices.uses("mine")).toBe(false);
    expect(choices.any).toBe(true);
    expect(new Choices({ orders: [{ order: "resign" }] }).any).toBe(false);
  });

  it("tell where a silence ends", () => {
    expect([...choices.silences("C3", 10, 10).keys()]).toEqual(["E3", "C3"]);
  });

  it("can be said in words, with the letters that the player sees", () => {
    const letters = [..."АБВГҐДЕЄЖЗ"];
    expect(commands(choices, letters)).toContain("torpedo Г4");
    expect(understand("torpedo Г4", choices, letters)).toEqual({ kind: "order", order: ORDERS[3] });
    expect(understand("Torpedo d4", choices, letters)).toEqual({ kind: "order", order: ORDERS[3] });
    expect(understand("n", choices, letters)).toEqual({ kind: "order", order: ORDERS[0] });
    expect(understand("engineer", choices, letters)).toEqual({ kind: "post", post: "engineer" });
    expect(understand("torpedo E5", choices, letters)).toEqual({ kind: "nothing" });
  });
});
