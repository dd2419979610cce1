import { describe, expect, it } from "vitest";
import { Duel } from "../src/game/duel.svelte";
import { Porthole } from "../src/stations/porthole.svelte";
import type { GameOpened, Heard, Told } from "../src/wire";

const opened = (mode: string): GameOpened =>
  ({
    type: "game",
    game: "g",
    table: "T",
    seat: { crew: "a", number: 0 },
    posts: ["captain"],
    setup: { mode },
  }) as unknown as GameOpened;
const told = (events: Heard[], whole = false, position = 1, phase = "playing"): Told =>
  ({
    type: "told",
    game: "g",
    position,
    whole,
    events,
    view: { public: { phase, result: phase === "over" ? { winner: "b" } : null } },
  }) as unknown as Told;
const torpedo = (crew: "a" | "b"): Heard => ({ event: "torpedo-fired", crew, target: "D4" });
const boom = {
  event: "exploded",
  source: "torpedo",
  owner: "b",
  at: "D4",
  hits: ["miss", "miss"],
  damage: [0, 0],
} as Heard;
const course: Heard = { event: "course-set", crew: "b", heading: "N" };
const kinds = (porthole: Porthole): string[] => porthole.story.map(({ heard }) => heard.event);

describe("the porthole", () => {
  it("opens for a shot and what came of it, and closes when the player goes on", () => {
    const duel = new Duel(opened("turn-by-turn"));
    const porthole = new Porthole(duel);
    duel.tell(told([course]));
    expect(porthole.open).toBe(false);
    duel.tell(told([course, torpedo("b"), boom]));
    expect(kinds(porthole)).toEqual(["torpedo-fired", "exploded"]);
    expect(porthole.by).toBe("b");
    porthole.goOn();
    expect(porthole.open).toBe(false);
  });

  it("waits for a sonar's answer", () => {
    const duel = new Duel(opened("turn-by-turn"));
    const porthole = new Porthole(duel);
    duel.tell(told([{ event: "sonar-used", crew: "a" }]));
    expect(porthole.open).toBe(false);
    duel.tell(told([{ event: "sonar-answered", crew: "b", row: 1, column: "C" } as Heard]));
    expect(kinds(porthole)).toEqual(["sonar-used", "sonar-answered"]);
  });

  it("stays shut for our own answer", () => {
    const duel = new Duel(opened("turn-by-turn"));
    const porthole = new Porthole(duel);
    duel.tell(told([{ event: "sonar-used", crew: "b" }]));
    duel.tell(told([{ event: "sonar-answered", crew: "a", row: 1, column: "C" } as Heard]));
    expect(porthole.open).toBe(false);
    duel.tell(told([torpedo("b"), boom]));
    expect(kinds(porthole)).toEqual(["torpedo-fired", "exploded"]);
  });

  it("shows one story after the other", () => {
    const duel = new Duel(opened("turn-by-turn"));
    const porthole = new Porthole(duel);
    duel.tell(told([torpedo("a"), boom]));
    duel.tell(told([course, torpedo("b"), boom]));
    expect([kinds(porthole), porthole.by]).toEqual([["torpedo-fired", "exploded"], "a"]);
    porthole.goOn();
    expect([kinds(porthole), porthole.by]).toEqual([["torpedo-fired", "exploded"], "b"]);
    porthole.goOn();
    expect(porthole.open).toBe(false);
  });

  it("stays shut for what happened before we came, and in real time", () => {
    const late = new Duel(opened("turn-by-turn"));
    const porthole = new Porthole(late);
    late.tell(told([torpedo("b"), boom], true, 2));
    expect(porthole.open).toBe(false);
    const quick = new Duel(opened("real-time"));
    const other = new Porthole(quick);
    quick.tell(told([torpedo("b"), boom]));
    expect(other.open).toBe(false);
  });

  it("shows the shot that ends the game, in real time too", () => {
    for (const mode of ["turn-by-turn", "real-time"]) {
      const duel = new Duel(opened(mode));
      const porthole = new Porthole(duel);
      duel.tell(told([torpedo("a"), boom]));
      porthole.goOn();
      duel.tell(told([{ event: "play-resumed" }, course, torpedo("b"), boom], false, 2, "over"));
      expect([kinds(porthole), porthole.by]).toEqual([["torpedo-fired", "exploded"], "b"]);
      porthole.goOn();
      expect(porthole.open).toBe(false);
    }
  });

  it("stays shut when a crew gives up", () => {
    const duel = new Duel(opened("real-time"));
    const porthole = new Porthole(duel);
    duel.tell(told([torpedo("a"), boom, { event: "play-resumed" }]));
    duel.tell(
      told([{ event: "game-ended", by: "end.resign" } as unknown as Heard], false, 2, "over"),
    );
    expect(porthole.open).toBe(false);
  });
});
