import { describe, expect, it } from "vitest";
import { initials, closed, extend } from "../src/instruments/tracing";
import { knownAt, stairs, type Frame } from "../src/replay/plot";
import { read, ruleAddress, tableAddress } from "../src/router.svelte";
import { matching, prose } from "../src/rules/search";
import type { Hull, Rule } from "../src/wire";

describe("addresses", () => {
  it("lead to screens", () => {
    expect(read("/")).toEqual({ name: "home" });
    expect(read("/t/k7qm")).toEqual({ name: "table", code: "K7QM", key: null });
    const key = "0123456789-abcdefghij_";
    const address = new URL(tableAddress("K7QM", key), "http://fathom.example");
    expect(read(address.pathname, address.search, address.hash)).toEqual({
      name: "table",
      code: "K7QM",
      key,
    });
    expect(tableAddress("K7QM", null)).toBe("/t/K7QM");
    expect(read("/replay/game-1", "?step=12&side=b")).toEqual({
      name: "replay",
      game: "game-1",
      step: 12,
      side: "b",
    });
    expect(read("/rules/move.no-crossing", "?book=sonar")).toEqual({
      name: "rules",
      rule: "move.no-crossing",
      book: "sonar",
    });
    expect(read("/nowhere")).toEqual({ name: "lost" });
    expect(read("/%E0%A4%A")).toEqual({ name: "lost" });
  });

  it("of rules have no dot, and lead back to the rule", () => {
    const address = new URL(ruleAddress("move.no-crossing", "sonar"), "https://sea.example");
    expect(address.pathname).not.toContain(".");
    expect(read(address.pathname, address.search)).toEqual({
      name: "rules",
      rule: "move.no-crossing",
      book: "sonar",
    });
  });
});

describe("the rules", () => {
  const rule = {
    name: "move.islands",
    title: "Islands",
    text: "An island can't be entered, see `chart.islands`.",
  } as Rule;
  it("are found by all words, wherever they stand", () => {
    expect(matching(rule, "island enter")).toBe(true);
    expect(matching(rule, "move.")).toBe(true);
    expect(matching(rule, "island torpedo")).toBe(false);
  });
  it("link to each other", () => {
    expect(prose(rule.text)[1]).toEqual({ text: "chart.islands", rule: true });
  });
});

describe("the plot", () => {
  const known = [
    { step: 0, points: 90, likely: {} },
    { step: 4, points: 3, likely: {} },
  ];
  const frame: Frame = { width: 112, height: 124, left: 0, top: 0, steps: 10 };
  it("goes down as less is possible", () => {
    const [, first, , second] = stairs(known, frame).match(/M0\.0 ([\d.]+)H([\d.]+)V([\d.]+)/)!;
    expect(Number(second)).toBeGreaterThan(Number(first));
  });
  it("knows what was known at a step", () => {
    expect(knownAt(known, 3)!.points).toBe(90);
    expect(knownAt(known, 4)!.points).toBe(3);
  });
});

describe("tracing", () => {
  const hull = { closing: 34 } as Hull;
  it("takes places that are apart, up to the longest stroke", () => {
    expect(extend([[0, 0]], [1, 1], 10)).toHaveLength(1);
    expect(extend([[0, 0]], [9.4, 0], 10)).toEqual([
      [0, 0],
      [9, 0],
    ]);
    expect(
      extend(
        [
          [0, 0],
          [9, 0],
        ],
        [40, 0],
        2,
      ),
    ).toHaveLength(2);
  });
  it("is closed when it comes back to where it began", () => {
    const round = Array.from(
      { length: 40 },
      (_, i) =>
        [200 * Math.cos((i / 39) * 2 * Math.PI), 200 * Math.sin((i / 39) * 2 * Math.PI)] as const,
    );
    expect(closed(round, hull)).toBe(true);
    expect(closed(round.slice(0, 30), hull)).toBe(false);
  });
  it("is signed", () => {
    expect(initials("Mara")).toBe("MA");
    expect(initials("mara kovač")).toBe("MK");
  });
});
