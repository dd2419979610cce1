import { describe, expect, it } from "vitest";
import { allPoints, around, beside, facing, named, sectorOf, spot } from "../src/chart/points";

describe("points", () => {
  it("are named as the wire names them", () => {
    expect(spot("A1")).toEqual([0, 0]);
    expect(spot("O15")).toEqual([14, 14]);
    expect(named(7, 7)).toBe("H8");
    expect(allPoints(3, 2)).toEqual(["A1", "B1", "C1", "A2", "B2", "C2"]);
  });

  it("have neighbours only on the chart", () => {
    expect(beside("A1", "N", 10, 10)).toBeNull();
    expect(beside("J10", "E", 10, 10)).toBeNull();
    expect(beside("D4", "W", 10, 10)).toBe("C4");
    expect(around("A1", 10, 10)).toEqual(["A1", "B1", "A2", "B2"]);
    expect(around("E5", 10, 10)).toHaveLength(9);
  });

  it("lie in sectors counted row by row", () => {
    expect(sectorOf("E5", 10)).toBe(1);
    expect(sectorOf("F5", 10)).toBe(2);
    expect(sectorOf("A6", 10)).toBe(3);
    expect(sectorOf("N12", 15)).toBe(9);
  });

  it("tell where a boat faces", () => {
    expect(facing(["D4"])).toBe(0);
    expect(facing(["D4", "E4"])).toBe(90);
    expect(facing(["E4", "D4"])).toBe(270);
    expect(facing(["D4", "D5"])).toBe(180);
  });
});
