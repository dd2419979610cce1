import { describe, expect, it } from "vitest";
import {
  courseLine,
  drawAgain,
  lastDrawn,
  middleOf,
  penAt,
  routeOf,
  slidBy,
  straightened,
  stretches,
  stroke,
  tenths,
  under,
} from "../src/sheet/film";
import type { Announcement, Item } from "../src/wire";

const line = (...places: [number, number][]): Item => ({ line: places }) as Item;
const mark = (x: number, y: number): Item => ({ x, y, shape: "cross" }) as Item;

describe("the sheet's places", () => {
  it("are tenths of a point from its middle, wherever it lies", () => {
    expect(middleOf(15, 15)).toEqual([7, 7]);
    expect(middleOf(10, 10)).toEqual([5, 5]);
    expect(tenths(34 + 40 * 5.5, 5, 0)).toBe(0);
    expect(tenths(34 + 40 * 6.5, 5, 0)).toBe(10);
    expect(tenths(34 + 40 * 6.5, 5, 1)).toBe(0);
  });

  it("slide by whole points", () => {
    expect(slidBy(19)).toBe(0);
    expect(slidBy(21)).toBe(1);
    expect(slidBy(-95)).toBe(-2);
  });
});

describe("strokes", () => {
  it("lose repeats and stay short enough to send", () => {
    expect(
      stroke([
        [0, 0],
        [0, 0],
        [1, 0],
      ]),
    ).toEqual([
      [0, 0],
      [1, 0],
    ]);
    const long = Array.from({ length: 900 }, (_, i) => [i, 0] as const);
    expect(stroke(long)).toHaveLength(200);
    expect(stroke(long).at(-1)).toEqual([899, 0]);
  });

  it("along a row or a column become a straight line from point to point", () => {
    expect(
      straightened([
        [1, -2],
        [6, 1],
        [11, 2],
      ]),
    ).toEqual([
      [0, 0],
      [10, 0],
    ]);
    expect(
      straightened([
        [0, 0],
        [7, 7],
        [10, 10],
      ]),
    ).toHaveLength(3);
    expect(
      straightened([
        [0, 0],
        [5, 8],
        [10, 0],
      ]),
    ).toHaveLength(3);
  });
});

describe("the pen", () => {
  it("goes on where it was", () => {
    expect(penAt([])).toEqual([0, 0]);
    const items = [line([0, 0], [10, 0]), mark(40, 40)];
    expect(penAt(items)).toEqual([10, 0]);
    expect(courseLine(items, "N")).toEqual([
      [10, 0],
      [10, -10],
    ]);
  });
});

describe("what was erased", () => {
  it("comes back where it was, and the pen stays at the route's end", () => {
    const route = [line([0, 0], [10, 0]), line([10, 0], [10, 10]), line([10, 10], [20, 10])];
    const [first, second, third] = route as [Item, Item, Item];
    expect(drawAgain(second)).toEqual({ order: "line", line: second.line });
    expect(penAt([first, third, second])).toEqual([20, 10]);
    expect(drawAgain(mark(5, 6))).toEqual({ order: "mark", x: 5, y: 6, shape: "cross" });
    expect(drawAgain({ x: 1, y: 2, text: "mine" })).toEqual({
      order: "note",
      x: 1,
      y: 2,
      text: "mine",
    });
  });
});

describe("the eraser", () => {
  it("takes what is nearest, and nothing far away", () => {
    const items = [line([0, 0], [20, 0]), mark(10, 5), mark(90, 90)];
    expect(under(items, 10, 1)).toBe(1);
    expect(under(items, 10, 4)).toBe(2);
    expect(under(items, 3, 4)).toBe(1);
    expect(under(items, 50, 50)).toBe(0);
    expect(under([], 0, 0)).toBe(0);
  });

  it("takes the topmost of things that are equally near", () => {
    expect(under([line([0, 0], [20, 0]), line([10, 0], [10, 20])], 10, 0)).toBe(2);
  });
});

describe("undo", () => {
  it("goes back to the mark in the middle, and leaves that", () => {
    const start = { shape: "dot" } as Item;
    expect(lastDrawn([start, line([0, 0], [10, 0]), mark(3, 3)])).toBe(3);
    expect(lastDrawn([start])).toBe(0);
    expect(lastDrawn([mark(3, 3)])).toBe(1);
    expect(lastDrawn([])).toBe(0);
  });
});

describe("the tape", () => {
  it("breaks at a silence and at a surfacing, and holds the enemy's courses only", () => {
    const tape: Announcement[] = [
      { event: "course-set", crew: "b", heading: "N" },
      { event: "course-set", crew: "a", heading: "S" },
      { event: "course-set", crew: "b", heading: "E" },
      { event: "silence", crew: "b" },
      { event: "course-set", crew: "b", heading: "W" },
    ];
    expect(stretches(tape, "b")).toEqual([["N", "E"], ["W"]]);
    expect(routeOf(["N", "E"])).toEqual([
      [0, 0],
      [0, -10],
      [10, -10],
    ]);
  });
});
