// The first game, lesson by lesson: each is learnt by doing it, and is over when it is done.

import type { Duel } from "../game/duel.svelte";
import type { Heard, Post } from "../wire";
import { m } from "../words";

export interface Lesson {
  readonly name: string;
  readonly post: Post;
  /** Where a screen that shows one post at a time has what it is about. */
  readonly seen?: Post;
  readonly title: () => string;
  readonly text: () => string;
  /** What it says while it is still our turn, if it is about the enemy's. */
  readonly before?: () => string;
  /** Whether it was done; lessons without it end with a key. */
  readonly done?: (duel: Duel) => boolean;
}

const did = (duel: Duel, event: Heard["event"]): boolean =>
  duel.log.some(({ heard }) => heard.event === event && "crew" in heard && heard.crew === duel.us);

const heard = (duel: Duel, event: Heard["event"]): boolean =>
  duel.log.some(({ heard: one }) => one.event === event && "crew" in one && one.crew === duel.them);

/** Whether a lesson is about the enemy's turn, and that has not come. */
export const early = (lesson: Lesson, { view, us }: Duel): boolean =>
  !!lesson.before && view.public.turn?.crew === us;

export const LESSONS: readonly Lesson[] = [
  {
    name: "place",
    post: "captain",
    title: m.lesson_place,
    text: m.lesson_place_text,
    done: (duel) => !!duel.view.helm?.at,
  },
  {
    name: "dive",
    post: "captain",
    title: m.lesson_dive,
    text: m.lesson_dive_text,
    done: (duel) => duel.view.public.phase !== "placing",
  },
  {
    name: "course",
    post: "captain",
    title: m.lesson_course,
    text: m.lesson_course_text,
    done: (duel) => did(duel, "course-set"),
  },
  {
    name: "charge",
    post: "first-mate",
    title: m.lesson_charge,
    text: m.lesson_charge_text,
    done: (duel) => did(duel, "gauge-charged"),
  },
  {
    name: "cross",
    post: "engineer",
    title: m.lesson_cross,
    text: m.lesson_cross_text,
    done: (duel) => did(duel, "symbol-crossed"),
  },
  {
    name: "end",
    post: "captain",
    title: m.lesson_end,
    text: m.lesson_end_text,
    done: (duel) => did(duel, "turn-ended"),
  },
  {
    name: "listen",
    post: "radio-operator",
    title: m.lesson_listen,
    text: m.lesson_listen_text,
    before: m.lesson_listen_before,
    seen: "radio-operator",
    done: (duel) => heard(duel, "course-set"),
  },
  {
    name: "heat",
    post: "radio-operator",
    title: m.lesson_heat,
    text: m.lesson_heat_text,
    seen: "radio-operator",
  },
  {
    name: "route",
    post: "captain",
    title: m.lesson_route,
    text: m.lesson_route_text,
    seen: "captain",
  },
  {
    name: "circuit",
    post: "engineer",
    title: m.lesson_circuit,
    text: m.lesson_circuit_text,
    seen: "engineer",
  },
  {
    name: "torpedo",
    post: "captain",
    title: m.lesson_torpedo,
    text: m.lesson_torpedo_text,
    seen: "captain",
    done: (duel) => did(duel, "torpedo-fired"),
  },
  { name: "surface", post: "captain", title: m.lesson_surface, text: m.lesson_surface_text },
  { name: "hunt", post: "captain", title: m.lesson_hunt, text: m.lesson_hunt_text },
];
