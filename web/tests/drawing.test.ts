import { describe, expect, it } from "vitest";
import { discs, likeliest, runs } from "../src/chart/drawing";
import { drawLand } from "../src/chart/land";
import { outline } from "../src/chart/region";

describe("heat", () => {
  it("draws no point that is impossible", () => {
    expect([...discs({ likely: { A1: 500, B1: 0, C1: 500 }, whose: "them" }).keys()]).toEqual([
      "A1",
      "C1",
    ]);
  });

  it("carries the value in the size, and is small while they can be anywhere", () => {
    const sure = discs({ likely: { A1: 900, B1: 100 }, whose: "them" });
    expect(sure.get("A1")!.radius).toBeCloseTo(18);
    expect(sure.get("B1")!.radius).toBeLessThan(10);
    const anywhere = discs({
      likely: Object.fromEntries(Array.from({ length: 90 }, (_, i) => [`A${i}`, 11])),
      whose: "them",
    });
    expect(anywhere.get("A1")!.radius).toBeLessThan(11);
  });

  it("labels only what is worth a number", () => {
    expect(likeliest({ A1: 600, B1: 390, C1: 10 }, 3)).toEqual([
      ["A1", 60],
      ["B1", 39],
    ]);
  });

  it("labels none of several alike if not all of them can have a label", () => {
    const likely = { A1: 400, B1: 150, C1: 150, D1: 150, E1: 150 };
    expect(likeliest(likely, 3)).toEqual([["A1", 40]]);
    expect(likeliest(likely, 5)).toHaveLength(5);
  });
});

describe("routes", () => {
  it("come in stretches, aloud and silent", () => {
    const found = runs(["A1", "B1", "C1", "D1", "E1"], ["C1", "D1"]);
    expect(found.map(({ silent }) => silent)).toEqual([false, true, false]);
    expect(found[1]!.path).toBe("M94 54L134 54L174 54");
  });
});

describe("islands", () => {
  const isLand = (mark: string): boolean => mark === "#";

  it("are one closed coast each, joined along rows and columns only", () => {
    const coasts = (rows: string[]): number => drawLand(rows, isLand).coast.split("Z").length - 1;
    expect(coasts(["......", ".#..#.", "......", "......", "......", "......"])).toBe(2);
    expect(coasts(["......", ".##...", "......", "......", "......", "......"])).toBe(1);
    expect(coasts(["......", ".#....", "..#...", "......", "......", "......"])).toBe(2);
  });

  it("are drawn the same every time", () => {
    const rows = ["....", ".#..", "....", "...."];
    expect(drawLand(rows, isLand)).toBe(drawLand([...rows], isLand));
  });

  it("are not there on an open sea", () => {
    expect(drawLand(["...", "...", "..."], isLand).coast).toBe("");
  });
});

describe("outlines", () => {
  it("go once around a block and keep touching corners apart", () => {
    expect(outline(["A1", "B1", "A2", "B2"]).match(/Z/g)).toHaveLength(1);
    expect(outline(["A1", "B2"]).match(/Z/g)).toHaveLength(2);
    expect(outline(["A1"])).toContain("Q");
  });

  it("leave holes open", () => {
    const ring = ["A1", "B1", "C1", "A2", "C2", "A3", "B3", "C3"];
    expect(outline(ring).match(/Z/g)).toHaveLength(2);
  });
});
