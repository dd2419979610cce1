// The radio operator's hand on the transparent sheet: the tool in it, and orders one after the other.

import type { Heading } from "../chart/points";
import { courseLine, drawAgain, lastDrawn } from "../sheet/film";
import type { Film, Item, SheetOrder } from "../wire";
import { m } from "../words";
import type { Bridge } from "./bridge.svelte";

export type Tool = "slide" | "pen" | "mark" | "eraser";
export type Shape = "cross" | "ring" | "dot" | "question" | "mine";

const SHAPE_NAMES: Record<Shape, () => string> = {
  cross: m.shape_cross,
  ring: m.shape_ring,
  dot: m.shape_dot,
  question: m.shape_question,
  mine: m.shape_mine,
};
export const SHAPES = Object.keys(SHAPE_NAMES) as readonly Shape[];
export const shapeName = (shape: Shape): string => SHAPE_NAMES[shape]();

export class RadioSheet {
  readonly #bridge: Bridge;
  /** The last order that was sent has been answered. */
  #answered: Promise<unknown> = Promise.resolve();
  /** What the eraser took with the last order. */
  #erased = $state.raw<Item | null>(null);

  tool = $state<Tool>("slide");
  shape = $state<Shape>("cross");

  constructor(bridge: Bridge) {
    this.#bridge = bridge;
    this.tool = this.drawn ? "pen" : "slide";
  }

  /** Whether courses are drawn by hand; with the tape or the computer's help they are not. */
  get drawn(): boolean {
    return this.#bridge.duel.setup.house.radio_help === "paper";
  }

  get films(): readonly Film[] {
    return this.#bridge.duel.view.radio?.films ?? [];
  }

  get items(): Film["items"] {
    return this.films.at(-1)?.items ?? [];
  }

  /** Whether this player may write on it now. */
  get open(): boolean {
    return this.mine && !!this.#bridge.duel.offer.writing && this.#bridge.live;
  }

  get mine(): boolean {
    return this.#bridge.holds("radio-operator");
  }

  /** Whether there is anything to undo. */
  get undoable(): boolean {
    return this.#erased !== null || lastDrawn(this.items) > 0;
  }

  /** Each course begins where the one before it ends, however fast they are pressed. */
  course(heading: Heading): void {
    const line = () => courseLine(this.items, heading) as [number, number][];
    void this.write(() => ({ order: "line", line: line() }));
  }

  /** Draw again what the eraser has just taken, or take away what was drawn last. */
  undo(): void {
    void this.#inTurn(() => {
      const erased = this.#erased;
      this.#erased = null;
      if (erased) return drawAgain(erased);
      const number = lastDrawn(this.items);
      return number ? { order: "rub", number } : null;
    });
  }

  write = (order: SheetOrder | (() => SheetOrder | null)): Promise<unknown> =>
    this.#inTurn(() => {
      const made = typeof order === "function" ? order() : order;
      if (made) this.#erased = (made.order === "rub" && this.items[made.number - 1]) || null;
      return made;
    });

  /** What an order says may depend on the one before it: it is made when that one is answered. */
  #inTurn(make: () => SheetOrder | null): Promise<unknown> {
    if (!this.open) {
      this.#refuse();
      return Promise.resolve();
    }
    this.#answered = this.#answered.then(() => {
      const made = make();
      return made ? this.#bridge.give(made) : undefined;
    });
    return this.#answered;
  }

  #refuse(): void {
    if (!this.mine) this.#bridge.refuse("crew.orders");
    else this.#bridge.refuse(this.#bridge.duel.view.radio?.locked ? "surface.idle" : "system.stop");
  }
}
