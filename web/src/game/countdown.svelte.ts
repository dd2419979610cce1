// Both crews' clocks, counted down here from the server's figures.

import type { ClockFace, Crew } from "../wire";

/** News arrive late by a little: a figure that is larger by less than this is no gain of time. */
const LATE = 2000;
/** From here on a crew is warned. */
export const SHORT = 10_000;

const CREWS: readonly Crew[] = ["a", "b"];

export class Countdown {
  running = $state<Crew | null>(null);
  /** Milliseconds left of the running crew's turn. */
  turn = $state<number | null>(null);
  /** Milliseconds left of each crew's game. */
  game = $state.raw<readonly [number, number] | null>(null);

  #face: ClockFace = {};
  #at = 0;

  /** The server's figures, and when they were heard. */
  tell(face: ClockFace, at: number): void {
    const moved = (face.running ?? null) !== this.running;
    this.running = face.running ?? null;
    this.turn = moved ? (face.turn ?? null) : neverMore(this.turn, face.turn ?? null);
    const game = face.game ?? null;
    this.game = game && [
      neverMore(this.game?.[0] ?? null, game[0])!,
      neverMore(this.game?.[1] ?? null, game[1])!,
    ];
    this.#face = face;
    this.#at = at;
  }

  /** Show what is left now. */
  tick(now: number): void {
    if (!this.running) return;
    const passed = now - this.#at;
    if (this.turn !== null) this.turn = Math.min(this.turn, rest(this.#face.turn, passed));
    if (!this.game) return;
    const [a, b] = CREWS.map((crew, i) =>
      Math.min(this.game![i]!, rest(this.#face.game?.[i], crew === this.running ? passed : 0)),
    );
    this.game = [a!, b!];
  }

  /** What a crew has before it loses, if its clock runs. */
  left(crew: Crew): number | null {
    if (crew !== this.running) return null;
    const limits = [this.turn, this.game?.[crew === "a" ? 0 : 1] ?? null];
    const known = limits.filter((limit) => limit !== null);
    return known.length ? Math.min(...known) : null;
  }

  /** Whether a crew's time is short. */
  isShort(crew: Crew): boolean {
    return (this.left(crew) ?? Infinity) <= SHORT;
  }
}

const rest = (from: number | null | undefined, passed: number): number =>
  Math.max(0, (from ?? 0) - passed);

/** What to show after news: a clock that is shown never goes back by a little. */
function neverMore(shown: number | null, told: number | null): number | null {
  if (shown === null || told === null) return told;
  return told > shown && told - shown < LATE ? shown : told;
}

/** Minutes and seconds; nothing is left when it says so. */
export function clockText(left: number): string {
  const seconds = Math.ceil(left / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}
