import type { System } from "../wire";

/** The systems in the order in which every station shows them. */
export const SYSTEMS: readonly System[] = [
  "torpedo",
  "mine",
  "drone",
  "sonar",
  "silence",
  "scenario",
];
