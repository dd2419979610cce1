import { describe, expect, test } from "vitest";
import { bySector, likeliest, percent, share } from "../src/game/likely";

const likely = { A1: 1, B2: 2, F1: 4, J10: 1 };

describe("where a boat can be", () => {
  test("a share counts only the points that are named", () => {
    expect(share(likely, ["A1", "F1", "C3"])).toBe(5 / 8);
  });

  test("of nothing there is no share", () => {
    expect(share({}, ["A1"])).toBe(0);
  });

  test("each sector has its share, in the sectors' order", () => {
    expect(bySector(likely, 4, 10)).toEqual([3 / 8, 4 / 8, 0, 1 / 8]);
  });

  test("a point is likeliest only if it is likelier than all others", () => {
    expect(likeliest(likely)).toEqual(["F1", 4]);
    expect(likeliest({ A1: 10, B2: 10 })).toBeNull();
    expect(likeliest({})).toBeNull();
  });

  test("shares are told in whole percent", () => {
    expect(percent(1 / 3)).toBe(33);
    expect(percent(0.996)).toBe(100);
  });
});
