// What is said, as the two crews and a spectator read it.
import { describe, expect, it } from "vitest";
import { spoken } from "../src/instruments/sheet";
import { inWords, whoAnswered, type Telling } from "../src/words/said";
import { tongue } from "../src/words/tongue.svelte";
import type { Crew, Heard, SheetSymbol } from "../src/wire";

const telling = (us: Crew | null, book: object = {}): Telling =>
  ({
    us,
    letters: [..."ABCDEFGHIJ"],
    facts: { sea: { sectors: [..."123456789"] } },
    setup: {
      book: { course_names: ["north", "south", "east", "west"], ...book },
      crews: [{ boat: "Halcyon" }, { boat: "Petrel" }],
    },
  }) as unknown as Telling;
const line = (heard: Heard, us: Crew | null): string | undefined =>
  inWords(heard, telling(us))?.line;

describe("what is said", () => {
  it("says who said it", () => {
    const west: Heard = { event: "course-set", crew: "b", heading: "W" };
    expect(line(west, "a")).toBe("Petrel: West");
    expect(line(west, "b")).toBe("We: West");
    expect(line(west, null)).toBe("Petrel: West");
    expect(inWords(west, telling("a"))?.text).toBe("West");
  });

  it("says a drone's question and its answer, to the one who asked and to the one who was found", () => {
    const drone = (answer: "yes" | "no"): Heard => ({
      event: "drone-launched",
      crew: "b",
      sector: 9,
      answer,
    });
    expect(line(drone("no"), "a")).toBe("Petrel: Drone in sector 9? No, we are not there");
    expect(line(drone("yes"), "a")).toBe("Petrel: Drone in sector 9? Yes, we are there");
    expect(line(drone("no"), "b")).toBe("We: Drone in sector 9? No, Halcyon is not there");
    expect(line(drone("yes"), null)).toBe("Petrel: Drone in sector 9? Yes, Halcyon is there");
  });

  it("says who was hit, and how hard", () => {
    const boom: Heard = {
      event: "exploded",
      source: "torpedo",
      owner: "b",
      at: "D4",
      hits: ["indirect", "miss"],
      damage: [1, 0],
    } as Heard;
    expect(line(boom, "a")).toBe("Explosion on D4. Indirect hit on us: 1 damage");
    expect(line(boom, "b")).toBe("Explosion on D4. Indirect hit on Halcyon: 1 damage");
    const miss = { ...boom, hits: ["miss", "miss"], damage: [0, 0] } as Heard;
    expect(line(miss, "a")).toBe("Explosion on D4. Miss");
  });

  it("says what a sonar's answer is worth", () => {
    const answer: Heard = { event: "sonar-answered", crew: "b", column: "D", sector: 4 } as Heard;
    expect(line(answer, "a")).toBe("Petrel: Column D, sector 4. One is true, one is false");
    const plain = inWords(
      { ...answer, sector: null } as Heard,
      telling("a", { sonar_answer: "one-true" }),
    );
    expect(plain?.text).toBe("Column D");
  });

  it("says beside the question who answers", () => {
    const answer = {
      event: "sonar-answered",
      crew: "b",
      column: "G",
      row: null,
      sector: null,
    } as const;
    const plain = { sonar_answer: "one-true" };
    expect(whoAnswered(answer, telling("a", plain))).toBe("Petrel answers: column G");
    expect(whoAnswered(answer, telling("b", plain))).toBe("You answered: column G");
    expect(whoAnswered({ ...answer, row: 5 }, telling("b"))).toBe(
      "You answered: column G, row 5. One is true, one is false",
    );
  });

  it("names a boat once", () => {
    expect(line({ event: "first-drawn", crew: "b" }, "a")).toBe("Petrel begins");
    expect(line({ event: "first-drawn", crew: "a" }, "a")).toBe("We begin");
  });

  it("has a sentence in every language", () => {
    const boom = {
      event: "exploded",
      source: "torpedo",
      owner: "b",
      at: "D4",
      hits: ["direct", "miss"],
      damage: [2, 0],
    } as Heard;
    const lines = (["uk", "ru", "pl", "it"] as const).map((language) => {
      tongue.speak(language);
      return line(boom, "a");
    });
    tongue.speak("en");
    expect(lines).toEqual([
      "Вибух на D4. Пряме попадання в нас: 2 пошкодження",
      "Взрыв в D4. Прямое попадание в нас: 2 повреждения",
      "Eksplozja na D4. Trafienie bezpośrednie w nas, uszkodzenia: 2",
      "Esplosione in D4. Colpo diretto su di noi, danni: 2",
    ]);
  });
});

describe("a symbol's name", () => {
  it("tells panel, place and circuit, so that no two are alike", () => {
    const symbol = { name: "W2", panel: "W", kind: "red", circuit: "west" } as SheetSymbol;
    expect(spoken(symbol, true, false, undefined)).toBe(
      "West panel, place 2: weapons, circuit 1, crossed out",
    );
    const reactor = { name: "E6", panel: "E", kind: "radiation", circuit: null } as SheetSymbol;
    expect(spoken(reactor, false, false, undefined)).toBe(
      "East panel, place 6: radiation, reactor, not now",
    );
  });
});
