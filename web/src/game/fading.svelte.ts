// What was just said can be read for a while. The time counts only while it can be read.

import type { Said } from "./duel.svelte";

const READ_FOR = 6000;
const EVERY = 200;

export class Fading {
  /** Up to which number what was said has faded. */
  #faded = $state(0);
  /** For what has not faded yet, how many milliseconds are left. */
  readonly #left = new Map<number, number>();
  #last = 0;
  #ticking: ReturnType<typeof setInterval> | undefined;

  /** Take in what was said; what was said before we came has faded already. */
  hear(log: readonly Said[]): void {
    for (const { number, at } of log) {
      if (number <= this.#last) continue;
      this.#last = number;
      if (at) this.#left.set(number, READ_FOR);
    }
  }

  /** Whether it can still be read. */
  fresh({ number, at }: Said): boolean {
    return at > 0 && number > this.#faded;
  }

  /** Let the time count while what was said can be read. */
  run(readable: boolean): void {
    const runs = readable && this.#left.size > 0;
    if (runs === (this.#ticking !== undefined)) return;
    clearInterval(this.#ticking);
    this.#ticking = undefined;
    if (!runs) return;
    let before = Date.now();
    this.#ticking = setInterval(() => {
      const now = Date.now();
      this.#pass(now - before);
      before = now;
    }, EVERY);
  }

  #pass(time: number): void {
    for (const [number, left] of this.#left) {
      if (left > time) this.#left.set(number, left - time);
      else {
        this.#left.delete(number);
        this.#faded = Math.max(this.#faded, number);
      }
    }
    if (!this.#left.size) this.run(false);
  }
}
