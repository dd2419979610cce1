// A finished game, step by step: the server's record folded into moments.

import type { AnyEvent, ByCrew, Crew, GameRecord, PublicPortrait, RecordStep } from "../wire";
import { EMPTY_VIEW, merge, type View } from "./fold";

/** The game after a step, as whoever sees everything. */
export interface Moment {
  readonly step: number;
  readonly at: number;
  readonly public: PublicPortrait;
  readonly boats: ByCrew<View>;
  readonly events: readonly AnyEvent[];
}

/** All moments; the first is the beginning. */
export function moments(record: GameRecord): Moment[] {
  let now: Moment = {
    step: 0,
    at: record.began,
    public: record.public,
    boats: [merge(EMPTY_VIEW, record.boats[0]), merge(EMPTY_VIEW, record.boats[1])],
    events: [],
  };
  const found = [now];
  for (const step of record.steps) {
    now = after(now, step);
    found.push(now);
  }
  return found;
}

function after(before: Moment, step: RecordStep): Moment {
  return {
    step: before.step + 1,
    at: step.at,
    public: step.public ?? before.public,
    boats: [merge(before.boats[0], step.boats[0]), merge(before.boats[1], step.boats[1])],
    events: step.events,
  };
}

export interface Dive {
  readonly points: readonly string[];
  readonly silent: readonly string[];
}

/** A crew's routes, dive by dive, up to a moment: a surfacing begins a new one. */
export function dives(all: readonly Moment[], crew: Crew, until = all.length): Dive[] {
  const index = crew === "a" ? 0 : 1;
  const found: Dive[] = [];
  let last: Dive | null = null;
  for (const moment of all.slice(0, until)) {
    const helm = moment.boats[index].helm;
    if (!helm) continue;
    if (last && helm.route.length < last.points.length) found.push(last);
    last = { points: helm.route, silent: helm.silent };
  }
  if (last) found.push(last);
  return found.filter(({ points }) => points.length > 1);
}

export interface Tally {
  readonly courses: number;
  /** Torpedoes fired and mines set off. */
  readonly shots: number;
  /** Those of them that damaged the enemy. */
  readonly hits: number;
}

/** What a crew did, counted. */
export function tally(all: readonly Moment[], crew: Crew): Tally {
  const events = all.flatMap((moment) => moment.events);
  const count = (event: AnyEvent["event"]): number =>
    events.filter((one) => one.event === event && "crew" in one && one.crew === crew).length;
  const enemy = crew === "a" ? 1 : 0;
  const hits = events.filter(
    (one) => one.event === "exploded" && one.owner === crew && (one.damage[enemy] ?? 0) > 0,
  ).length;
  return {
    courses: count("course-set"),
    shots: count("torpedo-fired") + count("mine-triggered"),
    hits,
  };
}

/** How long it was played: from the moment when both boats had dived, in whole minutes. */
export function minutes(all: readonly Moment[]): number {
  const began = all.find((moment) => moment.public.phase !== "placing") ?? all[0];
  return Math.max(1, Math.round(((all.at(-1)?.at ?? 0) - (began?.at ?? 0)) / 60_000));
}

/** What did the last damage. */
export const lastBlow = (all: readonly Moment[]): AnyEvent | undefined =>
  turnings(all, true).findLast(({ event }) => event.event !== "game-ended")?.event;

/** Events after which the game was not the same: weapons, damage, surfacing, silence, the end. */
const TURNING = new Set<AnyEvent["event"]>([
  "torpedo-fired",
  "mine-triggered",
  "exploded",
  "damaged",
  "surfaced",
  "ran-silent",
  "sonar-used",
  "drone-launched",
  "mine-laid",
  "old-mine-detonated",
  "volcano-stirred",
  "system-repaired",
  "system-failed",
  "game-ended",
]);
const GRAVE = new Set<AnyEvent["event"]>(["exploded", "damaged", "game-ended"]);

export interface Turning {
  readonly step: number;
  readonly event: AnyEvent;
  readonly grave: boolean;
}

/** The moments that mattered. */
export function turnings(all: readonly Moment[], graveOnly = false): Turning[] {
  const wanted = graveOnly ? GRAVE : TURNING;
  return all.flatMap((moment) =>
    moment.events
      .filter(({ event }) => wanted.has(event))
      .map((event) => ({ step: moment.step, event, grave: GRAVE.has(event.event) })),
  );
}
