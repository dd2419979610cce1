import { flushSync, mount, unmount } from "svelte";
import { afterEach, describe, expect, it, vi } from "vitest";
import Sheet from "../src/sheet/Sheet.svelte";
import type { Film, Item } from "../src/wire";

const WIDTH = 40 * 10 + 34 + 12;
let shown: Record<string, unknown> | null = null;

function show(props: Record<string, unknown>): { board: HTMLElement; film: SVGSVGElement } {
  shown = mount(Sheet, {
    target: document.body,
    props: {
      across: 10,
      down: 10,
      tool: "slide",
      films: [film()],
      write: () => undefined,
      ...props,
    },
  });
  flushSync();
  const board = document.querySelector<HTMLElement>(".sheets")!;
  board.getBoundingClientRect = () => ({
    left: 0,
    top: 0,
    width: WIDTH,
    height: WIDTH,
    right: WIDTH,
    bottom: WIDTH,
    x: 0,
    y: 0,
    toJSON: () => null,
  });
  return { board, film: document.querySelector(".film")! };
}

const film = (items: Item[] = [], x = 0, y = 0): Film => ({ x, y, items });

function pointer(board: HTMLElement, type: string, x: number, y: number): void {
  const event = new MouseEvent(type, {
    clientX: x,
    clientY: y,
    bubbles: true,
    cancelable: true,
    button: 0,
  });
  Object.defineProperty(event, "pointerId", { value: 1 });
  board.dispatchEvent(event);
  flushSync();
}

afterEach(() => {
  if (shown) void unmount(shown);
  shown = null;
  document.body.innerHTML = "";
});

describe("the transparent sheet", () => {
  it("moves with the finger by its transform alone, and is slid by whole points", () => {
    const write = vi.fn();
    const { board, film: layer } = show({ write });
    pointer(board, "pointerdown", 100, 100);
    pointer(board, "pointermove", 117, 95);
    expect(layer.style.transform).toBe("translate3d(17px, -5px, 0)");
    pointer(board, "pointermove", 183, 58);
    pointer(board, "pointerup", 183, 58);
    expect(write.mock.calls).toEqual([[{ order: "slide", x: 2, y: -1 }]]);
    pointer(board, "pointerdown", 100, 100);
    pointer(board, "pointerup", 104, 100);
    expect(write).toHaveBeenCalledTimes(1);
  });

  it("takes a line from the pen", () => {
    const write = vi.fn();
    const { board } = show({ write, tool: "pen" });
    const px = 34 + 40 * 5.5;
    pointer(board, "pointerdown", px, px);
    pointer(board, "pointermove", px + 20, px + 2);
    pointer(board, "pointermove", px + 41, px - 3);
    pointer(board, "pointerup", px + 41, px - 3);
    expect(write.mock.calls).toEqual([
      [
        {
          order: "line",
          line: [
            [0, 0],
            [10, 0],
          ],
        },
      ],
    ]);
  });

  it("takes marks, snapped to points, and rubs out what is under the eraser", () => {
    const write = vi.fn();
    const { board } = show({ write, tool: "mark", shape: "ring" });
    const px = 34 + 40 * 5.5;
    pointer(board, "pointerdown", px + 78, px + 3);
    expect(write).toHaveBeenCalledWith({ order: "mark", x: 20, y: 0, shape: "ring" });
    void unmount(shown!);
    document.body.innerHTML = "";
    const again = show({
      write,
      tool: "eraser",
      films: [film([{ x: 0, y: 0, shape: "dot" } as Item, { x: 20, y: 0, shape: "ring" } as Item])],
    });
    pointer(again.board, "pointerdown", px + 80, px);
    expect(write).toHaveBeenLastCalledWith({ order: "rub", number: 2 });
  });

  it("takes nothing while it is locked", () => {
    const write = vi.fn();
    const { board } = show({ write, locked: true });
    pointer(board, "pointerdown", 100, 100);
    pointer(board, "pointermove", 200, 100);
    pointer(board, "pointerup", 200, 100);
    expect(write).not.toHaveBeenCalled();
  });

  it("lies where the server says, older sheets pinned beneath it", () => {
    const { film: layer } = show({ films: [film([], 1, 1), film([], 2, 0)] });
    expect(layer.style.transform).toContain(`translate3d(${(80 / WIDTH) * 100}%`);
    expect(document.querySelectorAll(".sheets svg")).toHaveLength(2);
  });
});
