// An order that could not be saved may have taken effect: given again, it keeps its id.
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { link, type Socket } from "../src/link.svelte";
import { Table } from "../src/game/table.svelte";
import type { AnyNews, AnyOrder } from "../src/wire";

const NORTH: AnyOrder = { order: "course", heading: "N" };
const SOUTH: AnyOrder = { order: "course", heading: "S" };

class Wire implements Socket {
  static last: Wire;
  readyState = 1;
  ids: string[] = [];
  onopen: (() => void) | null = null;
  onmessage: ((event: { data: unknown }) => void) | null = null;
  onclose: (() => void) | null = null;
  constructor() {
    Wire.last = this;
  }
  send(text: string): void {
    const { type, id } = JSON.parse(text) as { type: string; id: string };
    if (type === "order") this.ids.push(id);
  }
  close(): void {}
  tell(news: unknown): void {
    this.onmessage?.({ data: JSON.stringify(news as AnyNews) });
  }
}

let table: Table;
let stop: () => void;
const told = (position: number): void =>
  Wire.last.tell({ type: "told", game: "game-0001", position, view: {}, events: [] });

/** Give an order and answer it; the id it was sent with. */
async function give(order: AnyOrder, answer: Record<string, unknown>): Promise<string> {
  const given = table.order(order).catch(() => undefined);
  const id = Wire.last.ids.at(-1)!;
  Wire.last.tell({ ...answer, id });
  await given;
  return id;
}
const unsaved = { type: "problem", error: "not-saved" };

beforeEach(async () => {
  vi.useFakeTimers();
  vi.stubGlobal("WebSocket", Wire);
  localStorage.setItem("fathom.token", "a-token-of-sixteen");
  stop = link.start();
  await vi.advanceTimersByTimeAsync(0);
  Wire.last.tell({ type: "welcome", protocol: 1, fathom: "0", you: "one", name: "Mara", now: 0 });
  table = new Table("K7QM");
  table.open();
  const game = { type: "game", table: "K7QM", game: "game-0001", setup: {}, facts: {} };
  Wire.last.tell(game);
  told(3);
});
afterEach(() => {
  stop();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe("an order that was not saved", () => {
  it("keeps its id until it is answered", async () => {
    const first = await give(NORTH, unsaved);
    expect(await give(NORTH, unsaved)).toBe(first);
    expect(await give(NORTH, { type: "done" })).toBe(first);
    expect(await give(NORTH, { type: "done" })).not.toBe(first);
  });

  it("is another order when it says something else", async () => {
    const first = await give(NORTH, unsaved);
    expect(await give(SOUTH, { type: "done" })).not.toBe(first);
  });

  it("is a new one once the game has gone on: then it is known what became of the old one", async () => {
    const first = await give(NORTH, unsaved);
    told(4);
    expect(await give(NORTH, { type: "done" })).not.toBe(first);
  });
});
