// What using a system leads to: something to aim, or nothing to choose.

import type { Choices } from "../game/offer";
import type { AnyOrder, System } from "../wire";
import type { Aim } from "./bridge.svelte";

/** What must be chosen for a system before it can be ordered; null if nothing. */
export function aimFor(system: System, choices: Choices): Aim | null {
  switch (system) {
    case "torpedo":
    case "mine":
    case "silence":
    case "drone":
      return { what: system, point: null };
    case "scenario":
      return { what: choices.may("repair") ? "repair" : "old-mine", point: null };
    case "sonar":
      return null;
  }
}

/** The order that an aim comes to, if a point was chosen that the server offers. */
export function orderOf(
  aim: Aim,
  choices: Choices,
  at: string | null,
  across: number,
  down: number,
  sector: (point: string) => number,
): AnyOrder | null {
  const { what, point } = aim;
  if (!point) return null;
  switch (what) {
    case "torpedo":
      return choices.all("torpedo").find(({ target }) => target === point) ?? null;
    case "silence":
      return (at && choices.silences(at, across, down).get(point)) || null;
    case "drone":
      return choices.all("drone").find((order) => order.sector === sector(point)) ?? null;
    case "repair":
      return null;
    default:
      return choices.all(what).find((order) => order.at === point) ?? null;
  }
}
