import { expect, test } from "vitest";
import { closed, strays } from "../src/instruments/tracing";
import type { Hull } from "../src/wire";

const hull = { band: 40, closing: 20 } as Hull;
const square = [
  [0, 0],
  [100, 0],
  [100, 100],
  [0, 100],
] as const;

test("a stroke strays as soon as it leaves the band", () => {
  expect(strays([[0, 0]], square, hull)).toBe(false);
  expect(strays([[50, 19]], square, hull)).toBe(false);
  expect(strays([[0, 50]], square, hull)).toBe(false);
  expect(strays([[50, 21]], square, hull)).toBe(true);
  expect(strays([[50, -21]], square, hull)).toBe(true);
});

test("half a stroke is not closed", () => {
  const half = Array.from({ length: 20 }, (_, i) => [5 * i, 0] as const);
  expect(closed(half, hull)).toBe(false);
  expect(closed([...half, ...half.toReversed()], hull)).toBe(true);
});
