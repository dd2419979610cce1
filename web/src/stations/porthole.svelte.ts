// Explosions and answers open a porthole over the room until the player goes on: each of them turn by
// turn, the last one in real time, where Stop! shows the others.

import type { Duel, Said } from "../game/duel.svelte";
import type { Crew } from "../wire";

/** What a crew does that has an outcome. */
const BEGINS: ReadonlySet<string> = new Set([
  "torpedo-fired",
  "mine-triggered",
  "old-mine-detonated",
  "drone-launched",
  "sonar-used",
  "volcano-stirred",
]);

/** What opens the porthole. */
const OUTCOMES: ReadonlySet<string> = new Set(["exploded", "drone-launched", "sonar-answered"]);

/** What else belongs to the same story. */
const BESIDES: ReadonlySet<string> = new Set([
  "old-mine-destroyed",
  "mine-destroyed",
  "volcano-named",
]);

export class Porthole {
  readonly #duel: Duel;
  /** Up to which number everything was seen. */
  #seen = $state(0);

  constructor(duel: Duel) {
    this.#duel = duel;
    this.#seen = duel.log.at(-1)?.number ?? 0;
  }

  /** What there is to see: one thing that was done and what came of it, the earliest first. */
  readonly story: readonly Said[] = $derived.by(() => {
    const { log, setup, seat, view, us, them } = this.#duel;
    const { phase, result } = view.public;
    if (!seat || (phase !== "playing" && !result)) return [];
    const told =
      setup.mode === "turn-by-turn"
        ? log
        : result
          ? log.slice(log.findLastIndex(({ heard }) => heard.event === "play-resumed") + 1)
          : [];
    const unseen = told.filter(
      ({ number, at, heard }) =>
        at &&
        number > this.#seen &&
        (BEGINS.has(heard.event) || OUTCOMES.has(heard.event) || BESIDES.has(heard.event)) &&
        // Whoever was asked by sonar answered it a moment ago.
        !(heard.event === "sonar-used" && heard.crew === them) &&
        !(heard.event === "sonar-answered" && heard.crew === us),
    );
    const outcome = unseen.findIndex(({ heard }) => OUTCOMES.has(heard.event));
    if (outcome < 0) return [];
    const next = unseen.findIndex(({ heard }, i) => i > outcome && BEGINS.has(heard.event));
    return unseen.slice(0, next < 0 ? undefined : next);
  });

  get open(): boolean {
    return this.story.length > 0;
  }

  /** Who did it. */
  get by(): Crew {
    const [first] = this.story;
    return first && "crew" in first.heard && first.heard.crew ? first.heard.crew : this.#duel.us;
  }

  goOn(): void {
    this.#seen = this.story.at(-1)?.number ?? this.#seen;
  }
}
