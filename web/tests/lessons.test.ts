// The coach follows whose turn it really is.
import { expect, test } from "vitest";
import { early, LESSONS } from "../src/academy/lessons";
import type { Duel } from "../src/game/duel.svelte";

const turn = (crew: string): Duel =>
  ({ us: "a", log: [], view: { public: { turn: { crew } } } }) as unknown as Duel;
const lesson = (name: string) => LESSONS.find((one) => one.name === name)!;

test("listening is taught in the enemy's turn, not while they are on the surface", () => {
  expect(early(lesson("listen"), turn("a"))).toBe(true);
  expect(early(lesson("listen"), turn("b"))).toBe(false);
  expect(LESSONS.filter((one) => early(one, turn("a"))).map(({ name }) => name)).toEqual([
    "listen",
  ]);
});
