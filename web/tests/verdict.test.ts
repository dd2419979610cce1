import { describe, expect, it } from "vitest";
import { nextRank } from "../src/finale/next";
import { verdict } from "../src/finale/verdict";
import type { AnyEvent, Crew, Result } from "../src/wire";

const boat = (crew: Crew): string => (crew === "a" ? "Halcyon" : "Petrel");
const said = (
  result: { winner: Crew | null; why: string },
  us: Crew | null,
  blow?: Partial<Extract<AnyEvent, { event: "exploded" }>>,
): string => {
  const { title, sentence } = verdict(result as Result, {
    us,
    boat,
    point: (name) => name,
    words: () => "As it was said.",
    blow: blow && ({ event: "exploded", at: "H6", ...blow } as AnyEvent),
  });
  return `${title} ${sentence}`;
};

describe("the verdict", () => {
  it("says first whether you won, then how", () => {
    const sunk = { winner: "a" as const, why: "end.sunk" };
    expect(said(sunk, "a", { source: "mine", owner: "a" })).toBe(
      "You won. Your mine on H6 sank Petrel.",
    );
    expect(said(sunk, "b", { source: "torpedo", owner: "a" })).toBe(
      "You were sunk. Halcyon sank you with a torpedo on H6.",
    );
    expect(said(sunk, "b", { source: "torpedo", owner: "b" })).toBe(
      "You were sunk. Your own blast on H6 sank you.",
    );
    expect(said(sunk, "a", { source: "old-mine", owner: null })).toBe("You won. As it was said.");
    expect(said(sunk, "a")).toBe("You won. Petrel is sunk.");
    expect(said(sunk, "b")).toBe("You were sunk. Halcyon wins.");
  });

  it("knows every other way to end", () => {
    const by = (why: string): string[] => [
      said({ winner: "a", why }, "a"),
      said({ winner: "a", why }, "b"),
    ];
    expect(by("end.time")).toEqual([
      "You won. Petrel ran out of time.",
      "You ran out of time. Halcyon wins.",
    ]);
    expect(by("end.resign")).toEqual(["You won. Petrel gives up.", "You gave up. Halcyon wins."]);
    expect(by("end.abandon")).toEqual([
      "You won. Petrel was abandoned.",
      "You lost. Petrel was abandoned.",
    ]);
    expect(by("end.goal")).toEqual([
      "You won. Halcyon has reached the goal.",
      "You lost. Halcyon has reached the goal.",
    ]);
    expect(said({ winner: null, why: "end.draw" }, "a")).toBe("A draw. Both boats are gone.");
  });

  it("is neutral for a spectator", () => {
    expect(said({ winner: "a", why: "end.sunk" }, null, { source: "mine", owner: "a" })).toBe(
      "Petrel is sunk. As it was said.",
    );
    expect(said({ winner: "b", why: "end.time" }, null)).toBe("Halcyon ran out of time. ");
  });
});

describe("the next opponent", () => {
  const ranks = ["cadet", "ensign", "lieutenant"] as const;
  it("is a rank higher after a win, and the same after anything else", () => {
    expect(nextRank(ranks, "cadet", true)).toBe("ensign");
    expect(nextRank(ranks, "cadet", false)).toBe("cadet");
    expect(nextRank(ranks, "lieutenant", true)).toBe("lieutenant");
    expect(nextRank([], "ensign", true)).toBe("ensign");
  });
});
