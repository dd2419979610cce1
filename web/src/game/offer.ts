// What may be chosen now, sorted by what it is about. All of it comes from the server.

import type { Heading, Point } from "../chart/points";
import { beside } from "../chart/points";
import type { AnyOrder, Mark, Offered, RunSilent, System } from "../wire";

export type { Mark };

/** The offer, with the reasons for what is not offered. */
export type Reasoned = Offered;

type Tag = AnyOrder["order"];
type Of<T extends Tag> = Extract<AnyOrder, { readonly order: T }>;

const USING: Record<System, readonly Tag[]> = {
  mine: ["mine"],
  torpedo: ["torpedo"],
  drone: ["drone"],
  sonar: ["sonar"],
  silence: ["silence"],
  scenario: ["old-mine", "repair"],
};

export class Choices {
  readonly orders: readonly AnyOrder[];
  readonly hindered: Readonly<Record<string, string>>;
  readonly marks: Readonly<Record<string, Mark>>;
  #byTag = new Map<Tag, AnyOrder[]>();

  constructor(offer: Reasoned) {
    this.orders = offer.orders ?? [];
    this.hindered = offer.hindered ?? {};
    this.marks = offer.marks ?? {};
    for (const order of this.orders) {
      const list = this.#byTag.get(order.order);
      if (list) list.push(order);
      else this.#byTag.set(order.order, [order]);
    }
  }

  all<T extends Tag>(tag: T): readonly Of<T>[] {
    return (this.#byTag.get(tag) ?? []) as unknown as readonly Of<T>[];
  }

  may(tag: Tag): boolean {
    return this.#byTag.has(tag);
  }

  /** Whether anything but giving up may be done. */
  get any(): boolean {
    return this.orders.some(({ order }) => order !== "resign" && order !== "trigger");
  }

  course(heading: Heading): Of<"course"> | undefined {
    return this.all("course").find((order) => order.heading === heading);
  }

  charge(system: System): Of<"charge"> | undefined {
    return this.all("charge").find((order) => order.system === system);
  }

  symbol(name: string): Of<"cross-out"> | undefined {
    return this.all("cross-out").find((order) => order.symbol === name);
  }

  /** The points that orders of this kind may name. */
  points(tag: "place" | "mine" | "trigger" | "old-mine" | "torpedo"): ReadonlySet<Point> {
    if (tag === "torpedo") return new Set(this.all("torpedo").map((order) => order.target));
    return new Set((this.all(tag) as readonly { at: Point }[]).map((order) => order.at));
  }

  /** Where a silence may end, and by which order. */
  silences(at: Point, across: number, down: number): ReadonlyMap<Point, RunSilent> {
    const found = new Map<Point, RunSilent>();
    for (const order of this.all("silence")) {
      let end: Point | null = at;
      for (let step = 0; step < order.distance && end; step++)
        end = order.heading ? beside(end, order.heading, across, down) : end;
      if (end) found.set(end, order);
    }
    return found;
  }

  sectors(): ReadonlySet<number> {
    return new Set(this.all("drone").map((order) => order.sector));
  }

  /** Whether a system may be used, whatever the order still has to name. */
  uses(system: System): boolean {
    return USING[system].some((tag) => this.may(tag));
  }

  /** An order for using a system, whichever it is: one that fails anyway names nothing. */
  anyUse(system: System): AnyOrder | undefined {
    return USING[system].flatMap((tag) => this.all(tag))[0];
  }

  /** The rule that keeps something from being done now, where the server says. */
  why(what: string): string | undefined {
    return this.hindered[what];
  }
}
