import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Failed } from "../src/api";
import { Link, type Socket } from "../src/link.svelte";
import { keep, kept } from "../src/settings/kept";
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
let stop: () => void;
/** The jitter's dice. */
let dice: number;

const turn = (): Promise<void> => vi.advanceTimersByTimeAsync(0).then(() => undefined);

async function connect(): Promise<Wire> {
  await turn();
  const wire = wires.at(-1)!;
  wire.onopen?.();
  wire.tell(WELCOME);
  return wire;
}

/** How long it takes until the server is called again. */
async function untilCalled(): Promise<number> {
  const before = wires.length;
  let waited = 0;
  while (wires.length === before) {
    await vi.advanceTimersByTimeAsync(50);
    waited += 50;
  }
  return waited;
}

beforeEach(() => {
  vi.useFakeTimers();
  wires = [];
  dice = 1;
  const open = (): Socket => {
    const wire = new Wire();
    wires.push(wire);
    return wire;
  };
  link = new Link({ open, token: () => Promise.resolve("a-token-of-sixteen"), chance: () => dice });
  stop = link.start();
});
afterEach(() => {
  stop();
  vi.useRealTimers();
});

describe("the link", () => {
  it("calls no more when it is told of a ban, and says why", async () => {
    const wire = await connect();
    const about = { reason: "Insults", until: 5 };
    wire.tell({ type: "problem", error: "banned", arguments: about, fatal: true });
    wire.onclose?.();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(link.ban).toEqual(about);
    expect(wires).toHaveLength(1);
  });

  it("calls no more when not even a new player may come", async () => {
    stop();
    const banned = new Failed("banned", { reason: "Robots", until: 0 });
    link = new Link({ open: () => new Wire(), token: () => Promise.reject(banned) });
    stop = link.start();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(link.ban).toEqual({ reason: "Robots", until: 0 });
  });

  it("keeps what the operator announces until that is over", async () => {
    const wire = await connect();
    wire.tell({ type: "announcement", restart: 60_000, text: "New maps", until: 90_000 });
    expect(link.announcement?.text).toBe("New maps");
    wire.tell({ type: "announcement" });
    expect(link.announcement).toBeNull();
  });

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

  it("pings, says so after three seconds without an answer, and gives the line up after nine", async () => {
    const wire = await connect();
    await vi.advanceTimersByTimeAsync(2500);
    expect(wire.sent.filter(({ type }) => type === "ping")).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(2900);
    expect(link.state).toBe("open");
    await vi.advanceTimersByTimeAsync(200);
    expect(link.state).toBe("silent");
    expect(wire.closed).toBe(false);
    await vi.advanceTimersByTimeAsync(3500);
    expect(wire.closed).toBe(true);
    expect(link.state).toBe("lost");
  });

  it("is open again as soon as anything is heard", async () => {
    const wire = await connect();
    await vi.advanceTimersByTimeAsync(5600);
    expect(link.state).toBe("silent");
    wire.tell({ type: "pong", now: 0 });
    expect(link.state).toBe("open");
    await vi.advanceTimersByTimeAsync(2400);
    expect(link.state).toBe("open");
  });

  it("waits for an order's answer no longer than for a ping's", async () => {
    await connect();
    void link.ask({ type: "order", game: "game-0001", order: { order: "surface" } });
    await vi.advanceTimersByTimeAsync(3100);
    expect(link.state).toBe("silent");
  });

  it("believes the browser at once that it is offline, and asks the server whether that is so", async () => {
    const wire = await connect();
    dispatchEvent(new Event("offline"));
    expect(link.state).toBe("silent");
    expect(wire.sent.at(-1)).toMatchObject({ type: "ping" });
    wire.tell({ type: "pong", now: 0 });
    expect(link.state).toBe("open");
  });

  it("calls at once when the browser is online again", async () => {
    const wire = await connect();
    dispatchEvent(new Event("offline"));
    dispatchEvent(new Event("online"));
    expect(wire.closed).toBe(true);
    const again = await connect();
    expect(again).not.toBe(wire);
    expect(link.state).toBe("open");
    expect(wires).toHaveLength(2);
  });

  it("does not wait for ever for a call that nobody takes", async () => {
    await turn();
    expect(wires).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(9000 + 500);
    expect(wires[0]!.closed).toBe(true);
    expect(wires).toHaveLength(2);
  });

  it("spreads the calls after a restart", async () => {
    const waits: number[] = [];
    for (const chance of [0, 0.25, 0.5, 1]) {
      dice = chance;
      const wire = await connect();
      wire.tell({ type: "goodbye", why: "going-down", retry_seconds: 1 });
      waits.push(await untilCalled());
    }
    expect(waits).toEqual([1000, 1250, 1500, 2000]);
  });

  it("waits longer each time, with full jitter, but never longer than eight seconds", async () => {
    const wire = await connect();
    wire.onclose?.();
    const waits: number[] = [];
    for (let i = 0; i < 8; i++) {
      waits.push(await untilCalled());
      wires.at(-1)!.onclose?.();
    }
    expect(waits.slice(0, 4)).toEqual([500, 1000, 2000, 4000]);
    expect(Math.max(...waits)).toBe(8000);
    dice = 0.25;
    await untilCalled();
    wires.at(-1)!.onclose?.();
    expect(await untilCalled()).toBe(2000);
  });

  it("forgets the token that was ended, and no other", async () => {
    const ended: AnyNews = { type: "problem", error: "token-ended", fatal: true };
    keep("name", "Mara");
    keep("named", "yes");
    keep("token", "another-tab-has-a-new-one");
    (await connect()).tell(ended);
    expect(kept("token")).toBe("another-tab-has-a-new-one");
    expect(kept("was")).toBeNull();
    keep("token", "a-token-of-sixteen");
    wires.at(-1)!.tell(ended);
    expect(kept("token")).toBeNull();
    expect(kept("was")).toBe("Mara");
  });
});
