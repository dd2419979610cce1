// What was said since play stopped.

import type { Said } from "../game/duel.svelte";
import type { Crew } from "../wire";

/** What makes everybody stop; in most games a surfacing doesn't. */
const STOPS: ReadonlySet<string> = new Set([
  "torpedo-fired",
  "mine-triggered",
  "old-mine-detonated",
  "drone-launched",
  "sonar-used",
  "silence",
  "ran-silent",
  "surfaced",
  "system-repaired",
  "system-failed",
  "mine-laid",
  "mine-laid-somewhere",
]);

/** What is said within a crew goes on in a stop, but is not its matter. */
const ASIDE: ReadonlySet<string> = new Set([
  "gauge-charged",
  "symbol-crossed",
  "circuit-mended",
  "system-ready",
  "acknowledged",
  "section-traced",
]);

/** From what the crew did last that stopped play to what came of it. */
export function sinceStop(log: readonly Said[], by: Crew): Said[] {
  const first = log.findLastIndex(
    ({ heard }) => STOPS.has(heard.event) && "crew" in heard && heard.crew === by,
  );
  return first < 0 ? [] : log.slice(first).filter(({ heard }) => !ASIDE.has(heard.event));
}
