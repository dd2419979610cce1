// What the order line says: true, and in agreement with the rest of the room.
import { describe, expect, it, vi } from "vitest";
import { Choices } from "../src/game/offer";
import type { Bridge } from "../src/stations/bridge.svelte";
import { orderLine } from "../src/stations/orderline";
import { readiness } from "../src/stations/readiness";
import type { AnyOrder, Offered, Post } from "../src/wire";

vi.mock("../src/link.svelte", () => ({ link: { state: "open" } }));
vi.mock("../src/page.svelte", () => ({ touch: { current: false } }));

const SEATS = [{ name: "Ann" }, { name: "Ben" }];
const HOLDERS: Partial<Record<Post, string>> = { captain: "Ann", engineer: "Ben" };

interface Now {
  orders?: object[];
  hindered?: Record<string, string>;
  broken?: string[];
  view?: object;
}

function bridge({ orders = [], hindered = {}, broken = [], view = {} }: Now): Bridge {
  const offer = { orders: orders as AnyOrder[], hindered } as unknown as Offered;
  return {
    absent: [],
    refusal: null,
    aim: null,
    choices: new Choices(offer),
    broken: (system: string) => broken.includes(system),
    holder: (post: Post) => HOLDERS[post] ?? "",
    of: <T>([ours]: readonly [T, T]) => ours,
    theirs: "Petrel",
    duel: {
      us: "a",
      seat: { crew: "a", number: 0 },
      offer,
      facts: { systems: ["mine", "torpedo", "drone"] },
      setup: { house: {}, crews: [{ seats: SEATS }, { seats: [] }] },
      view: { public: { phase: "playing" }, ...view },
    },
  } as unknown as Bridge;
}

describe("a broken system that may be ordered", () => {
  const drone = { order: "drone", sector: 1 };

  it("is not called ready", () => {
    const now = { orders: [drone, { order: "end-turn" }], broken: ["drone"] };
    expect(orderLine(bridge(now), ["captain"]).title).toBe("End the turn");
    const mine = { order: "mine", at: "A1" };
    const two = { ...now, orders: [...now.orders, mine] };
    expect(orderLine(bridge(two), ["captain"]).sub).toBe("Ready: Mine.");
  });

  it("takes the turn's system with it: no other comes after the marks", () => {
    const hindered = { torpedo: "move.acknowledge" };
    const reason = (barred: string) =>
      readiness(bridge({ hindered, view: { duty: { barred } } }), "torpedo", true).reason;
    expect(reason("")).toBe("after the marks");
    expect(reason("system.once")).toBe("one a course");
  });
});

describe("while surfaced", () => {
  const line = (trace: object) => orderLine(bridge({ view: { trace } }), ["captain"]);

  it("names whose section is awaited", () => {
    const trace = { holder: 1, sections: [{}, null, null, null], good: false, ready: false };
    expect(line(trace).title).toBe("Surfaced: Ben traces section 2");
  });

  it("names whose report is awaited, then whose dive", () => {
    const good = { holder: 0, sections: [{}, {}, {}, {}], good: true };
    expect(line({ ...good, ready: false })).toMatchObject({
      title: "Waiting for the engineer's report",
      sub: "Ben",
    });
    expect(line({ ...good, ready: true }).sub).toBe("Ann");
  });
});
