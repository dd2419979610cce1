// The game's things by their names, in the reader's language.

import type { Heading, Kind, Mode, Post, Rank, System } from "../wire";
import { m } from "./gen/messages.js";

const SYSTEMS: Record<System | "energy", () => string> = {
  mine: m.system_mine,
  torpedo: m.system_torpedo,
  drone: m.system_drone,
  sonar: m.system_sonar,
  silence: m.system_silence,
  scenario: m.system_scenario,
  energy: m.system_energy,
};
const KINDS: Record<Kind, () => string> = {
  red: m.kind_red,
  green: m.kind_green,
  yellow: m.kind_yellow,
  radiation: m.kind_radiation,
};
const POSTS: Record<Post, () => string> = {
  captain: m.post_captain,
  "first-mate": m.post_first_mate,
  engineer: m.post_engineer,
  "radio-operator": m.post_radio_operator,
};
const SHORT: Record<Post, () => string> = {
  captain: m.post_short_captain,
  "first-mate": m.post_short_first_mate,
  engineer: m.post_short_engineer,
  "radio-operator": m.post_short_radio_operator,
};
const COURSES: Record<Heading, () => string> = {
  N: m.heading_n,
  S: m.heading_s,
  E: m.heading_e,
  W: m.heading_w,
};
const FAMILY: Record<Heading, () => string> = {
  N: m.heading_up,
  S: m.heading_down,
  E: m.heading_right,
  W: m.heading_left,
};
const PANELS: Record<Heading, () => string> = {
  N: m.panel_n,
  S: m.panel_s,
  E: m.panel_e,
  W: m.panel_w,
};
const RANKS: Record<Rank, () => string> = {
  cadet: m.rank_cadet,
  ensign: m.rank_ensign,
  lieutenant: m.rank_lieutenant,
  commander: m.rank_commander,
  commodore: m.rank_commodore,
  admiral: m.rank_admiral,
};
const ABOUT_RANKS: Record<Rank, () => string> = {
  cadet: m.rank_cadet_about,
  ensign: m.rank_ensign_about,
  lieutenant: m.rank_lieutenant_about,
  commander: m.rank_commander_about,
  commodore: m.rank_commodore_about,
  admiral: m.rank_admiral_about,
};
const COLOURS: Record<string, () => string> = {
  yellow: m.colour_yellow,
  blue: m.colour_blue,
  red: m.colour_red,
  green: m.colour_green,
};
const MODES: Record<Mode, () => string> = {
  "turn-by-turn": m.mode_turn_by_turn,
  "real-time": m.mode_real_time,
};
const GOALS: Record<string, () => string> = {
  sink: m.goal_sink,
  hunt: m.goal_hunt,
  "sudden-death": m.goal_sudden_death,
};
const BOOKS: Record<string, () => string> = {
  "captain-sonar": m.book_captain_sonar,
  "captain-sonar-ru": m.book_captain_sonar_ru,
  "captain-sonar-2": m.book_captain_sonar_2,
  sonar: m.book_sonar,
};

export const systemName = (system: System | "energy"): string => SYSTEMS[system]();
export const kindName = (kind: Kind): string => KINDS[kind]();
export const postName = (post: Post): string => POSTS[post]();
export const shortPostName = (post: Post): string => SHORT[post]();
export const panelName = (heading: Heading): string => PANELS[heading]();
export const rankName = (rank: Rank): string => RANKS[rank]();
export const aboutRank = (rank: Rank): string => ABOUT_RANKS[rank]();
export const colourName = (colour: string): string => COLOURS[colour]?.() ?? colour;
export const modeName = (mode: Mode): string => MODES[mode]();
export const goalName = (goal: string): string => GOALS[goal]?.() ?? goal;
/** A rulebook by its name; one that we don't know is called by its own title. */
export const bookName = (book: string, title = book): string => BOOKS[book]?.() ?? title;

/** What a course is called; the family game says up, down, right, left. */
export const headingName = (
  heading: Heading,
  book: { readonly course_names: readonly string[] },
): string => (book.course_names[0] === "up" ? FAMILY : COURSES)[heading]();

/** A time in a few signs: whole minutes, or else seconds. */
export function span(seconds: number): string {
  return seconds % 60 || !seconds
    ? m.in_seconds({ count: seconds })
    : m.in_minutes({ count: seconds / 60 });
}
