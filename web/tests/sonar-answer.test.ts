import { describe, expect, it } from "vitest";
import { answerOf, draftOf, EMPTY, tell, turn, value } from "../src/stations/sonar-answer";

// On H8 of a chart of fifteen: column 8, row 8, sector 5, counted from 0.
const truth = { column: 7, row: 7, sector: 4 };
const sizes = { column: 15, row: 15, sector: 9 };

describe("an answer to a sonar", () => {
  it("begins with nothing", () => {
    expect(answerOf(EMPTY, truth)).toBeNull();
  });

  it("is complete with one true and one false fact, and a lie that was chosen", () => {
    const half = tell(tell(EMPTY, "column", "true"), "sector", "lie");
    expect(answerOf(half, truth)).toBeNull();
    expect(value(half, "sector", truth)).toBeNull();
    const whole = turn(half, "sector", 1, truth, sizes);
    expect(answerOf(whole, truth)).toEqual({ order: "answer", column: "H", row: null, sector: 1 });
  });

  it("tells one fact of each sort", () => {
    const moved = tell(tell(EMPTY, "column", "true"), "row", "true");
    expect(moved).toEqual({ column: "off", row: "true", sector: "off" });
    expect(tell(moved, "row", "true")).toEqual(EMPTY);
    const turned = turn(tell(moved, "row", "lie"), "row", -1, truth, sizes);
    expect(answerOf(turned, truth)).toBeNull();
  });

  it("begins a lie at either end, wherever the boat is, and skips the truth", () => {
    const lying = tell(EMPTY, "row", "lie");
    expect(value(turn(lying, "row", 1, truth, sizes), "row", truth)).toBe(0);
    expect(value(turn(lying, "row", -1, truth, sizes), "row", truth)).toBe(14);
    const near = { ...lying, row: { lie: 6 } };
    expect(value(turn(near, "row", 1, truth, sizes), "row", truth)).toBe(8);
    const atStart = { ...truth, row: 0 };
    expect(value(turn(lying, "row", 1, atStart, sizes), "row", atStart)).toBe(1);
    const last = { ...lying, row: { lie: 14 } };
    expect(value(turn(last, "row", 1, truth, sizes), "row", truth)).toBe(0);
  });

  it("can be filled in by somebody else, and changed", () => {
    const order = { order: "answer", column: "B", row: 8, sector: null } as const;
    const draft = draftOf(order, truth);
    expect(draft).toEqual({ column: { lie: 1 }, row: "true", sector: "off" });
    expect(answerOf(draft, truth)).toEqual(order);
    expect(answerOf(turn(draft, "column", -1, truth, sizes), truth)?.column).toBe("A");
  });
});
