import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Link, type Socket } from "../src/link.svelte";
import type { AnyNews } from "../src/wire";

class Wire implements Socket {
  readyState = 1;
  sent: Record<string, unknown>[] = [];
  closed = false;
  onopen: (() => void) | null = null;
  onmessage: ((event: { data: unknown }) => void) | null = null;
  onclose: (() => void) | null = null;
  send(text: string): void {
    this.sent.push(JSON.parse(text));
  }
  close(): void {
    this.closed = true;
  }
  tell(news: AnyNews): void {
    this.onmessage?.({ data: JSON.stringify(news) });
  }
  get orders(): unknown[] {
    return this.sent.filter(({ type }) => type === "order");
  }
}

const WELCOME: AnyNews = {
  type: "welcome",
  protocol: 1,
  fathom: "0",
  you: "player-one",
  name: "Mara",
  now: 0,
};
let wires: Wire[];
let link: Link;

const turn = (): Promise<void> => vi.advanceTimersByTimeAsync(0).then(() => undefined);

async function connect(): Promise<Wire> {
  await turn();
  const wire = wires.at(-1)!;
  wire.onopen?.();
  wire.tell(WELCOME);
  return wire;
}

beforeEach(() => {
  vi.useFakeTimers();
  wires = [];
  const open = (): Socket => {
    const wire = new Wire();
    wires.push(wire);
    return wire;
  };
  link = new Link({ open, token: () => Promise.resolve("a-token-of-sixteen"), chance: () => 1 });
  link.start();
});
afterEach(() => vi.useRealTimers());

describe("the link", () => {
  it("says who it is, and is open once it is welcome", async () => {
    const wire = await connect();
    expect(wire.sent[0]).toEqual({ type: "hello", protocol: 1, token: "a-token-of-sixteen" });
    expect(link.state).toBe("open");
  });

  it("sends an unanswered order again after a break, under its own id, and an answered one never", async () => {
    const wire = await connect();
    const done = link.ask({ type: "order", game: "game-0001", order: { order: "surface" } });
    const answered = link.ask({ type: "order", game: "game-0001", order: { order: "dive" } });
    const [first, second] = wire.orders as { id: string }[];
    wire.tell({ type: "done", id: second!.id, position: 4 });
    await expect(answered).resolves.toMatchObject({ position: 4 });
    wire.onclose?.();
    expect(link.state).toBe("lost");
    await vi.advanceTimersByTimeAsync(1000);
    const again = await connect();
    expect(again.orders).toEqual([first]);
    again.tell({ type: "done", id: first!.id, position: 5, again: true });
    await expect(done).resolves.toMatchObject({ again: true });
    expect(link.unanswered).toEqual([]);
  });

  it("keeps an order that is given while the line is lost", async () => {
    const wire = await connect();
    wire.onclose?.();
    void link.ask({ type: "order", game: "game-0001", order: { order: "surface" } });
    await expect(link.ask({ type: "stand", table: "K7QM", posts: [] })).rejects.toMatchObject({
      key: "offline",
    });
    await vi.advanceTimersByTimeAsync(1000);
    expect((await connect()).orders).toHaveLength(1);
  });

  it("lets listeners resume on every connection", async () => {
    const resume = vi.fn(() => [{ type: "follow-lobby" as const, on: true }]);
    link.listen({ hear: () => undefined, resume });
    const wire = await connect();
    expect(wire.sent.at(-1)).toMatchObject({ type: "follow-lobby" });
    wire.onclose?.();
    await vi.advanceTimersByTimeAsync(1000);
    await connect();
    expect(resume).toHaveBeenCalledTimes(2);
  });

  it("breaks an order's promise with the rule that refused it", async () => {
    const wire = await connect();
    const asked = link.ask({
      type: "order",
      game: "game-0001",
      order: { order: "course", heading: "N" },
    });
    wire.tell({
      type: "refused",
      id: (wire.orders[0] as { id: string }).id,
      game: "game-0001",
      rule: "move.no-crossing",
    });
    await expect(asked).rejects.toMatchObject({ key: "move.no-crossing" });
  });

  it("pings, and gives a silent line up", async () => {
    const wire = await connect();
    await vi.advanceTimersByTimeAsync(5100);
    expect(wire.sent.filter(({ type }) => type === "ping")).toHaveLength(2);
    expect(wire.closed).toBe(false);
    await vi.advanceTimersByTimeAsync(7000);
    expect(wire.closed).toBe(true);
    expect(link.state).toBe("lost");
  });

  it("waits longer each time, with jitter, but never longer than eight seconds", async () => {
    const wire = await connect();
    wire.onclose?.();
    const waits: number[] = [];
    for (let i = 0; i < 8; i++) {
      const before = wires.length;
      let waited = 0;
      while (wires.length === before) {
        await vi.advanceTimersByTimeAsync(100);
        waited += 100;
      }
      waits.push(waited);
      wires.at(-1)!.onclose?.();
    }
    expect(waits.slice(0, 4)).toEqual([400, 800, 1600, 3200]);
    expect(Math.max(...waits)).toBe(8000);
  });
});
