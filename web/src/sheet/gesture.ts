// Fingers on the transparent sheet: one uses the tool, two slide the sheet whatever the tool is.

export interface Spot {
  readonly x: number;
  readonly y: number;
}

export interface Touch extends Spot {
  readonly id: number;
}

/** What a gesture does, in pixels of the page. */
export interface Handlers {
  /** One finger came down. */
  begin(at: Spot): void;
  stroke(places: readonly Spot[]): void;
  /** One finger went up after using the tool. */
  end(from: Spot, to: Spot): void;
  /** The sheet follows the fingers. */
  shift(dx: number, dy: number): void;
  slide(dx: number, dy: number): void;
  /** What one finger began comes to nothing. */
  cancel(): void;
}

const middle = (spots: readonly Spot[]): Spot => ({
  x: spots.reduce((sum, { x }) => sum + x, 0) / spots.length,
  y: spots.reduce((sum, { y }) => sum + y, 0) / spots.length,
});

export class Gesture {
  readonly #do: Handlers;
  readonly #fingers = new Map<number, Spot>();
  /** Where one finger came down, while only it is there. */
  #from: Spot | null = null;
  /** Between the fingers, when sliding began. */
  #held: Spot | null = null;

  constructor(handlers: Handlers) {
    this.#do = handlers;
  }

  /** A finger comes down; with the slide tool one is enough to slide. */
  down({ id, ...at }: Touch, slides: boolean): void {
    this.#fingers.set(id, at);
    if (this.#fingers.size === 1 && !slides) {
      this.#from = at;
      this.#do.begin(at);
      return;
    }
    if (this.#from) this.#do.cancel();
    this.#from = null;
    this.#held = middle([...this.#fingers.values()]);
  }

  move({ id, ...at }: Touch, between: readonly Spot[]): void {
    if (!this.#fingers.has(id)) return;
    this.#fingers.set(id, at);
    if (this.#from) this.#do.stroke(between);
    else if (this.#held) this.#do.shift(...this.#moved(this.#held));
  }

  up({ id, ...at }: Touch): void {
    if (!this.#fingers.has(id)) return;
    this.#fingers.set(id, at);
    if (this.#from) this.#do.end(this.#from, at);
    else if (this.#held) this.#do.slide(...this.#moved(this.#held));
    // The finger that is left has nothing to do until it is lifted, too.
    this.#from = this.#held = null;
    this.#fingers.delete(id);
  }

  cancel(): void {
    this.#fingers.clear();
    this.#from = this.#held = null;
    this.#do.cancel();
  }

  #moved(from: Spot): [number, number] {
    const to = middle([...this.#fingers.values()]);
    return [to.x - from.x, to.y - from.y];
  }
}
