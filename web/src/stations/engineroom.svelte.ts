// The engineer's sheet and what may be crossed out on it now, for every place that draws it.

import type { BoardProps } from "../instruments/sheet";
import type { CrossOut, Heading, Mark, Sheet } from "../wire";
import type { Bridge } from "./bridge.svelte";

const HEADINGS: readonly Heading[] = ["N", "S", "E", "W"];

export class EngineRoom {
  readonly #bridge: Bridge;
  readonly crossed = $derived.by(() => new Set(this.#bridge.duel.view.engine?.crossed ?? []));
  readonly free = $derived.by(
    () =>
      new Set(
        this.#bridge.choices.all("cross-out").flatMap(({ symbol }) => (symbol ? [symbol] : [])),
      ),
  );

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

  get selected(): string | null {
    const { symbol } = this.#bridge;
    return symbol && this.free.has(symbol) ? symbol : null;
  }

  /** What crossing out the selected symbol would do. */
  get mark(): Mark | undefined {
    return this.selected ? this.#bridge.choices.marks[this.selected] : undefined;
  }

  /** What a drawing of the sheet needs. */
  board(select: (symbol: string) => void): BoardProps {
    return {
      sheet: this.sheet!,
      crossed: this.crossed,
      free: this.free,
      panel: this.panel,
      marks: this.#bridge.choices.marks,
      selected: this.selected,
      select,
    };
  }

  async cross(symbol: string): Promise<void> {
    if (await this.#bridge.give({ order: "cross-out", symbol })) this.#bridge.symbol = null;
  }
}
