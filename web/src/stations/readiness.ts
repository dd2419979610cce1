// How a system stands: one answer for every place that shows it.

import type { System } from "../wire";
import { m } from "../words";
import { whyNot } from "../words/refusals";
import type { Bridge } from "./bridge.svelte";

export interface Readiness {
  /** `fails`: it may be ordered, but it is broken, and the order costs a mark (breakdown.misuse). */
  readonly look: "ready" | "fails" | "broken" | "full" | "off";
  /** In a word. */
  readonly word: string;
  /** What keeps it from being used now, or what it would cost. */
  readonly reason: string;
}

/** The rules that mean "not yet" of a system, in words that say until when. */
const NOT_YET: Record<string, () => string> = {
  "turn.order": m.not_yet_course,
  "turn.yours": m.not_yet_turn,
  "move.acknowledge": m.not_yet_marks,
};

function reason(bridge: Bridge, system: System): string {
  const rule = bridge.choices.why(system);
  if (!rule || rule === "system.charged") return "";
  // The marks that are still due end the turn: no system comes after them.
  const used = bridge.duel.view.duty?.barred === "system.once";
  if (rule === "move.acknowledge" && used) return whyNot("system.once");
  return NOT_YET[rule]?.() ?? whyNot(rule);
}

/** How a system stands whose gauge is full or not; null where only the first mate sees the gauge. */
export function readiness(bridge: Bridge, system: System, full: boolean | null): Readiness {
  const broken = bridge.broken(system);
  if (bridge.choices.uses(system))
    return broken
      ? { look: "fails", word: m.broken(), reason: m.fails_and_costs() }
      : { look: "ready", word: m.ready(), reason: "" };
  if (full && broken) return { look: "broken", word: "", reason: m.charged_broken() };
  if (full) return { look: "full", word: m.full(), reason: reason(bridge, system) };
  if (full === null) return { look: "off", word: m.gauge_unseen(), reason: "" };
  return { look: "off", word: "", reason: "" };
}

/** Whether a system may be used now, and would not fail. */
export const works = (bridge: Bridge, system: System): boolean =>
  bridge.choices.uses(system) && !bridge.broken(system);
