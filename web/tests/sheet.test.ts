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
      write: async () => undefined,
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

function pointer(board: HTMLElement, type: string, x: number, y: number, id = 1): void {
  const event = new MouseEvent(type, {
    clientX: x,
    clientY: y,
    bubbles: true,
    cancelable: true,
    button: 0,
  });
  Object.defineProperty(event, "pointerId", { value: id });
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
    const write = vi.fn(async () => undefined);
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
    const write = vi.fn(async () => undefined);
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

  it("is slid by two fingers, whatever the tool, and what one began comes to nothing", () => {
    const write = vi.fn(async () => undefined);
    const { board, film: layer } = show({ write, tool: "pen" });
    pointer(board, "pointerdown", 100, 100, 1);
    pointer(board, "pointermove", 110, 100, 1);
    pointer(board, "pointerdown", 200, 100, 2);
    pointer(board, "pointermove", 150, 100, 1);
    pointer(board, "pointermove", 240, 100, 2);
    expect(layer.style.transform).toBe("translate3d(40px, 0px, 0)");
    pointer(board, "pointerup", 240, 100, 2);
    pointer(board, "pointermove", 400, 400, 1);
    pointer(board, "pointerup", 400, 400, 1);
    expect(write.mock.calls).toEqual([[{ order: "slide", x: 1, y: 0 }]]);
  });

  it("shows what was slid and drawn until the server has answered", async () => {
    let answer = (): void => undefined;
    const write = vi.fn(() => new Promise<void>((done) => (answer = done)));
    const { board, film: layer } = show({ write });
    pointer(board, "pointerdown", 100, 100);
    pointer(board, "pointerup", 140, 100);
    flushSync();
    expect(layer.style.transform).toContain(`translate3d(${(40 / WIDTH) * 100}%`);
    answer();
    await Promise.resolve();
    await Promise.resolve();
    flushSync();
    expect(layer.style.transform).toContain("translate3d(0%");
  });

  it("takes marks, snapped to points", () => {
    const write = vi.fn(async () => undefined);
    const { board } = show({ write, tool: "mark", shape: "ring" });
    const px = 34 + 40 * 5.5;
    pointer(board, "pointerdown", px + 78, px + 3);
    expect(write).not.toHaveBeenCalled();
    pointer(board, "pointerup", px + 78, px + 3);
    expect(write.mock.calls).toEqual([[{ order: "mark", x: 20, y: 0, shape: "ring" }]]);
  });

  it("gives up what is nearest to the eraser", () => {
    const rubbed: unknown[] = [];
    const write = async (order: unknown): Promise<void> => {
      rubbed.push((order as () => unknown)());
    };
    const items = [
      { line: [[0, 0] as const, [10, 0] as const] },
      { x: 0, y: 5, shape: "ring" },
    ] as unknown as Item[];
    const { board } = show({ write, tool: "eraser", films: [film(items)] });
    const px = 34 + 40 * 5.5;
    pointer(board, "pointerdown", px, px + 4);
    pointer(board, "pointerup", px, px + 4);
    pointer(board, "pointerdown", px + 200, px);
    pointer(board, "pointerup", px + 200, px);
    expect(rubbed).toEqual([{ order: "rub", number: 1 }, null]);
  });

  it("takes nothing while it is locked", () => {
    const write = vi.fn(async () => undefined);
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
