import { flushSync, mount, unmount } from "svelte";
import { afterEach, describe, expect, it, vi } from "vitest";
import Chart from "../src/chart/Chart.svelte";
import type { Sea } from "../src/chart/drawing";

const SEA: Sea = { across: 10, down: 10, sectors: ["1", "2", "3", "4"], land: ["C3", "H7"] };
const LETTERS = [..."ABCDEFGHIJ"];
let shown: Record<string, unknown> | null = null;

function show(props: Record<string, unknown> = {}): SVGSVGElement {
  shown = mount(Chart, {
    target: document.body,
    props: { sea: SEA, letters: LETTERS, label: "Chart", ...props },
  });
  flushSync();
  return document.querySelector("svg.drawn")!;
}

const cell = (point: string): SVGElement => document.querySelector(`[data-point="${point}"]`)!;

function press(point: string, key: string): void {
  cell(point).dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
  flushSync();
}

afterEach(() => {
  if (shown) void unmount(shown);
  shown = null;
  document.body.innerHTML = "";
});

describe("the chart", () => {
  it("is a grid of named points", () => {
    const svg = show({
      describe: (point: string) => `${point}, ${SEA.land.includes(point) ? "island" : "sea"}`,
    });
    expect(svg.getAttribute("role")).toBe("grid");
    expect(svg.querySelectorAll('[role="row"]')).toHaveLength(10);
    expect(svg.querySelectorAll('[role="gridcell"]')).toHaveLength(100);
    expect(cell("C3").getAttribute("aria-label")).toBe("C3, island");
  });

  it("letters its columns as it is told", () => {
    const svg = show({ letters: [..."АБВГҐДЕЄЖЗ"] });
    expect([...svg.querySelectorAll(".c-lab")].slice(0, 5).map((text) => text.textContent)).toEqual(
      ["А", "Б", "В", "Г", "Ґ"],
    );
  });

  it("has one point in the tab order, and the arrows move it", () => {
    show({ hot: "E5" });
    const inOrder = (): string[] =>
      [...document.querySelectorAll('[tabindex="0"]')].map((one) =>
        one.getAttribute("data-point")!,
      );
    expect(inOrder()).toEqual(["E5"]);
    cell("E5").focus();
    press("E5", "ArrowRight");
    expect(inOrder()).toEqual(["F5"]);
    press("F5", "ArrowUp");
    expect(document.activeElement).toBe(cell("F4"));
    press("F4", "Home");
    expect(inOrder()).toEqual(["A4"]);
    press("A4", "ArrowLeft");
    expect(inOrder()).toEqual(["A4"]);
  });

  it("lets only those points be picked that it was told", () => {
    const onpick = vi.fn();
    show({ pick: new Set(["D4"]), onpick });
    cell("E4").dispatchEvent(new MouseEvent("click", { bubbles: true }));
    press("E4", "Enter");
    expect(onpick).not.toHaveBeenCalled();
    expect(cell("E4").getAttribute("aria-disabled")).toBe("true");
    cell("D4").dispatchEvent(new MouseEvent("click", { bubbles: true }));
    press("D4", "Enter");
    expect(onpick.mock.calls).toEqual([["D4"], ["D4"]]);
  });

  it("shows what a blast would do", () => {
    const svg = show({ blast: { at: "E5", near: ["D5", "F5"], damage: [2, 1] } });
    expect(svg.querySelector(".c-dmg2")!.textContent).toBe("2");
    expect([...svg.querySelectorAll(".c-dmg")].map((one) => one.textContent)).toEqual(["1", "1"]);
  });

  it("draws a silent stretch otherwise than a course", () => {
    const svg = show({ routes: [{ points: ["A1", "B1", "C1"], silent: ["C1"], whose: "us" }] });
    expect(svg.querySelectorAll(".run.silent:not(.case)")).toHaveLength(1);
    expect(svg.querySelectorAll(".run:not(.silent, .case)")).toHaveLength(1);
  });
});
