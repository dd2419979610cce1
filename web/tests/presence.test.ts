import { describe, expect, it } from "vitest";
import { absence, absentees, secondsLeft, since } from "../src/game/presence";
import type { House, Person, TableState } from "../src/wire";

const person = (who: string, here: boolean, more: Partial<Person> = {}): Person => ({
  kind: "person",
  who,
  name: who,
  here,
  ...more,
});
const table = (a: Person[], b: Person[] = []): TableState => {
  const berths = (all: Person[]) =>
    all.map((holder, i) => ({ post: ["captain", "first-mate", "engineer"][i], holder }));
  return { crews: [{ berths: berths(a) }, { berths: berths(b) }] } as unknown as TableState;
};
const house = (leaving: House["leaving"]): House => ({ leaving, leaving_seconds: 30 }) as House;

describe("who is absent", () => {
  it("is whoever holds posts and is gone, or has a bot play, but never oneself", () => {
    const gone = person("ann", false);
    const seen = table(
      [gone, gone, person("bob", true)],
      [person("cleo", true, { stand_in: "cadet" }), person("me", false)],
    );
    expect(absentees(seen, "me").map(({ person, posts, bot }) => [person.who, posts, bot])).toEqual(
      [
        ["ann", ["captain", "first-mate"], false],
        ["cleo", ["captain"], true],
      ],
    );
  });

  it("is known since they went, unless they were gone already", () => {
    const first = since(new Map(), null, table([person("ann", false), person("bob", true)]), 5);
    expect([...first]).toEqual([["ann", null]]);
    const here = table([person("ann", false), person("bob", true)]);
    const second = since(first, here, table([person("ann", false), person("bob", false)]), 9);
    expect([...second]).toEqual([
      ["ann", null],
      ["bob", 9],
    ]);
    const third = since(second, here, table([person("ann", true), person("bob", false)]), 12);
    expect([...third]).toEqual([["bob", 9]]);
  });

  it("is told with what comes of it", () => {
    expect(secondsLeft(1000, house("bot"), 19_500)).toBe(12);
    expect(absence("Ann", false, house("bot"), 12)).toEqual([
      "Ann’s connection is lost.",
      "Bot takes over in 12 s.",
    ]);
    expect(absence("Ann", false, house("bot"), null)[1]).toBe("A bot takes over soon.");
    expect(absence("Ann", false, house("lose"), 3)[1]).toBe("The crew loses in 3 s.");
    expect(absence("Ann", false, house("wait"), null)[1]).toBe("Play waits.");
    expect(absence("Ann", true, house("bot"), 0)).toEqual(["Bot plays for Ann.", ""]);
  });
});
