// The engineer's sheet and what may be crossed out on it now, for every place that draws it.

import { HEADINGS } from "../chart/points";
import type { BoardProps } from "../instruments/sheet";
import type { CrossOut, Heading, Sheet } from "../wire";
import type { Bridge } from "./bridge.svelte";

export class EngineRoom {
  readonly #bridge: Bridge;
  readonly crossed = $derived.by(() => new Set(this.#bridge.duel.view.engine?.crossed ?? []));
  readonly free = $derived.by(
    () =>
      new Set(
        this.#bridge.choices.all("cross-out").flatMap(({ symbol }) => (symbol ? [symbol] : [])),
      ),
  );

  /** The symbol under the pointer or with the keyboard's focus. */
  pointed = $state<string | null>(null);

  constructor(bridge: Bridge) {
    this.#bridge = bridge;
  }

  get sheet(): Sheet | null {
    return this.#bridge.duel.setup.sheet ?? null;
  }

  /** The panel to mark on, if the last course says so. */
  get panel(): Heading | null {
    const due = this.#bridge.duel.view.duty?.cross;
    return HEADINGS.find((heading) => heading === due) ?? null;
  }

  /** The order that only looks like a mark, where the panel is full. */
  get pretend(): CrossOut | undefined {
    return this.#bridge.choices.all("cross-out").find(({ symbol }) => !symbol);
  }

  /** The symbol of which it was asked whether its damage is meant. */
  get asked(): string | null {
    const { symbol } = this.#bridge;
    return symbol && this.hurts(symbol) ? symbol : null;
  }

  hurts(symbol: string): boolean {
    return this.free.has(symbol) && this.#bridge.choices.marks[symbol]?.does === "damage";
  }

  /** The symbol whose mark is on its way. */
  get sending(): string | null {
    const { sending } = this.#bridge;
    return sending?.order === "cross-out" ? (sending.symbol ?? null) : null;
  }

  /** The symbol that is asked about or pointed at, so that what it would do can be told. */
  get looked(): string | null {
    return this.asked ?? (this.pointed && this.free.has(this.pointed) ? this.pointed : null);
  }

  /** What a drawing of the sheet needs. */
  board(): BoardProps {
    return {
      sheet: this.sheet!,
      crossed: this.crossed,
      free: this.free,
      panel: this.panel,
      marks: this.#bridge.choices.marks,
      asked: this.asked,
      sending: this.sending,
      press: (symbol) => this.press(symbol),
      keep: () => (this.#bridge.symbol = null),
      point: (symbol) => (this.pointed = symbol),
    };
  }

  /** A mark takes one press; one that costs damage asks first. */
  press(symbol: string): void {
    if (this.hurts(symbol) && this.asked !== symbol) this.#bridge.symbol = symbol;
    else void this.cross(symbol);
  }

  async cross(symbol: string): Promise<void> {
    if (await this.#bridge.give({ order: "cross-out", symbol })) this.#bridge.symbol = null;
  }
}
