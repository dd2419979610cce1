// What a table may agree beside its rulebook, in groups, each order with one line about it.

import { ruleAddress } from "../router.svelte";
import type { Crew, Library, Obstacle, Options, Settings } from "../wire";
import { m } from "../words";
import { span } from "../words/names";

export interface Choice {
  value: string;
  name: string;
  why?: Obstacle | null | undefined;
}

/** One order: what it is called, what is agreed, what else could be. */
export interface Row {
  name: string;
  value: string;
  /** What is agreed where nobody changed it; a row without it is never marked as changed. */
  usual?: string | undefined;
  note: string;
  /** The rule that it is about. */
  rule?: { address: string; title: string } | undefined;
  choices: Choice[];
  /** A number, instead of choices. */
  steps?: { least: number; most: number } | undefined;
  /** It has no effect in this game; the note says why. */
  idle?: boolean | undefined;
  set: (value: string) => void;
}

export interface Group {
  name: string;
  rows: Row[];
}

export interface Agreed {
  shelf: Library | null;
  settings: Settings;
  options: Options | null | undefined;
  boats: readonly string[];
  change: (settings: Settings) => void;
}

export const changed = (row: Row): boolean => row.usual !== undefined && row.value !== row.usual;
export const changes = (rows: readonly Row[]): number => rows.filter(changed).length;

/** What stands in the way of what is chosen already is not the other choices' fault. */
export const ownWhy = (row: Row): string | undefined =>
  row.choices.find(({ value }) => value === row.value)?.why?.key;
export const blocked = (row: Row, choice: Choice): boolean =>
  !!choice.why && choice.why.key !== ownWhy(row);

const NEVER = "none";
const WATCH_DELAY = 120;

/** Times to choose from, and whichever is agreed already. */
function times(usual: readonly number[], agreed: number | null, never?: string): Choice[] {
  const all = [...new Set(agreed === null ? usual : [...usual, agreed])].sort((a, b) => a - b);
  const named = all.map((seconds) => ({ value: String(seconds), name: span(seconds) }));
  return never === undefined ? named : [{ value: NEVER, name: never }, ...named];
}
const timed = (seconds: number | null | undefined): string =>
  seconds === null || seconds === undefined ? NEVER : String(seconds);
const untimed = (value: string): number | null => (value === NEVER ? null : Number(value));
const yesNo = (): Choice[] => [
  { value: "yes", name: m.yes() },
  { value: "no", name: m.no() },
];
const said = (yes: boolean | undefined): string => (yes ? "yes" : "no");
const rule = (name: string, { settings }: Agreed): Row["rule"] => ({
  address: ruleAddress(name, settings.rulebook),
  title: m.see_rule({ rule: name }),
});

/** All groups but the chart of one's own and the rulings. */
export function furtherOrders(agreed: Agreed): Group[] {
  return [
    { name: m.orders_crews(), rows: crewOrders(agreed) },
    { name: m.orders_time(), rows: timeOrders(agreed) },
    { name: m.orders_hull(), rows: hullOrders(agreed) },
    { name: m.spectators(), rows: watchOrders(agreed) },
  ];
}

function house({ settings, change }: Agreed): (part: Partial<Settings["house"]>) => void {
  return (part) => change({ ...settings, house: { ...settings.house, ...part } });
}

function timeOrders(agreed: Agreed): Row[] {
  const { settings, options, change } = agreed;
  const turns = settings.mode !== "real-time" && !options?.clocks?.obstacle;
  const clock = settings.clocks ?? { turn_seconds: null, game_seconds: null };
  const withHouse = house(agreed);
  const pause = settings.house.pause_seconds ?? 3;
  const answer = settings.house.answer_seconds ?? null;
  const empty = settings.house.leaving_seconds ?? 30;
  return [
    {
      name: m.turn_clock(),
      value: timed(clock.turn_seconds),
      usual: NEVER,
      note: turns ? m.note_turn_clock() : m.note_turns_only(),
      idle: !turns,
      choices: times([30, 60, 120, 300], clock.turn_seconds, m.no_limit()),
      set: (value) => change({ ...settings, clocks: { ...clock, turn_seconds: untimed(value) } }),
    },
    {
      name: m.game_clock(),
      value: timed(clock.game_seconds),
      usual: NEVER,
      note: turns ? m.note_game_clock() : m.note_turns_only(),
      idle: !turns,
      choices: times([300, 600, 1200, 2400], clock.game_seconds, m.no_limit()),
      set: (value) => change({ ...settings, clocks: { ...clock, game_seconds: untimed(value) } }),
    },
    {
      name: m.quick_ends(),
      value: said(settings.house.quick_ends),
      usual: "no",
      note: turns ? m.note_quick_ends() : m.note_turns_only(),
      idle: !turns,
      rule: rule("turn.order", agreed),
      choices: yesNo(),
      set: (value) => withHouse({ quick_ends: value === "yes" }),
    },
    {
      name: m.stop_pause(),
      value: timed(pause),
      usual: "3",
      note: m.note_stop_pause(),
      rule: rule("system.stop", agreed),
      choices: times([1, 3, 5, 10], pause),
      set: (value) => withHouse({ pause_seconds: Number(value) }),
    },
    {
      name: m.answer_time(),
      value: timed(answer),
      usual: NEVER,
      note: m.note_answer_time(),
      rule: rule("sonar.answer", agreed),
      choices: times([15, 30, 60, 120], answer, m.no_limit()),
      set: (value) => withHouse({ answer_seconds: untimed(value) }),
    },
    {
      name: m.leaving_time(),
      value: timed(empty),
      usual: "30",
      note: settings.house.leaving === "wait" ? m.note_wait() : m.note_leaving_time(),
      idle: settings.house.leaving === "wait",
      rule: rule("end.abandon", agreed),
      choices: times([15, 30, 60, 180], empty),
      set: (value) => withHouse({ leaving_seconds: Number(value) }),
    },
  ];
}

function crewOrders(agreed: Agreed): Row[] {
  const { settings, boats, change } = agreed;
  const withHouse = house(agreed);
  const turns = settings.mode !== "real-time";
  const pace = settings.pace ?? "human";
  return [
    {
      name: m.who_begins(),
      value: settings.first ?? "drawn",
      usual: "drawn",
      note: turns ? m.note_who_begins() : m.note_turns_only(),
      idle: !turns,
      rule: rule("start.first", agreed),
      choices: [
        { value: "drawn", name: m.begins_drawn() },
        ...(["a", "b"] as const).map((crew, i) => ({ value: crew, name: boats[i] ?? crew })),
      ],
      set: (first) => change({ ...settings, first: first === "drawn" ? null : (first as Crew) }),
    },
    {
      name: m.stations(),
      value: settings.house.stations ?? "open",
      usual: "open",
      note: settings.house.stations === "closed" ? m.note_closed() : m.note_open(),
      rule: rule("secret.crew", agreed),
      choices: [
        { value: "open", name: m.stations_open() },
        { value: "closed", name: m.stations_closed() },
      ],
      set: (value) => withHouse({ stations: value as "open" }),
    },
    {
      name: m.crew_rules(),
      value: settings.house.lift_crew_rules ? "lifted" : "kept",
      usual: "kept",
      note: m.note_crew_rules(),
      rule: rule("crew.sizes", agreed),
      choices: [
        { value: "kept", name: m.crew_rules_kept() },
        { value: "lifted", name: m.crew_rules_lifted() },
      ],
      set: (value) => withHouse({ lift_crew_rules: value === "lifted" }),
    },
    {
      name: m.bots_pace(),
      value: pace,
      usual: "human",
      note: { "at-once": m.note_pace_once, brisk: m.note_pace_brisk, human: m.note_pace_human }[
        pace
      ](),
      choices: [
        { value: "at-once", name: m.pace_once() },
        { value: "brisk", name: m.pace_brisk() },
        { value: "human", name: m.pace_human() },
      ],
      set: (value) => change({ ...settings, pace: value as "human" }),
    },
  ];
}

function hullOrders(agreed: Agreed): Row[] {
  const { shelf, settings, options, change } = agreed;
  const withHouse = house(agreed);
  const traced =
    settings.mode === "real-time" &&
    shelf?.rulebooks.find(({ name }) => name === settings.rulebook)?.real_time.surfacing ===
      "trace";
  const rows: Row[] = [
    {
      name: m.hull_judge(),
      value: settings.house.trace_judge ?? "program",
      usual: "program",
      note: traced ? m.note_hull_judge() : m.note_traced_only(),
      idle: !traced,
      rule: rule("surface.trace", agreed),
      choices: [
        { value: "program", name: m.judge_program() },
        { value: "enemy-engineer", name: m.judge_engineer() },
      ],
      set: (value) => withHouse({ trace_judge: value as "program" }),
    },
    {
      name: m.trace_redo(),
      value: settings.house.trace_redo ?? "all",
      usual: "all",
      note: traced ? m.note_trace_redo() : m.note_traced_only(),
      idle: !traced,
      rule: rule("surface.trace", agreed),
      choices: [
        { value: "all", name: m.redo_all() },
        { value: "bad", name: m.redo_bad() },
      ],
      set: (value) => withHouse({ trace_redo: value as "all" }),
    },
  ];
  const [usual, ...others] = options?.sheets ?? [];
  if (usual && others.length)
    rows.push({
      name: m.engineers_sheet(),
      value: settings.sheet ?? usual.name,
      usual: usual.name,
      note: "",
      rule: rule("breakdown.sheet", agreed),
      choices: [usual, ...others].map(({ name, obstacle }) => ({
        value: name,
        name: shelf?.sheets.find((one) => one.name === name)?.title ?? name,
        why: obstacle,
      })),
      set: (sheet) => change({ ...settings, sheet }),
    });
  return rows;
}

function watchOrders({ settings, change }: Agreed): Row[] {
  const delay = settings.watch_delay ?? WATCH_DELAY;
  const late = settings.watching === "everything";
  return [
    {
      name: m.who_watches(),
      value: settings.watching ?? "public",
      usual: "public",
      note: {
        nobody: m.note_nobody,
        public: m.note_public,
        everything: () => m.note_everything({ delay: span(delay) }),
      }[settings.watching ?? "public"](),
      choices: [
        { value: "nobody", name: m.watch_nobody() },
        { value: "public", name: m.watch_public() },
        { value: "everything", name: m.watch_everything() },
      ],
      set: (watching) => change({ ...settings, watching: watching as "public" }),
    },
    {
      name: m.watch_delay(),
      value: timed(delay),
      usual: timed(WATCH_DELAY),
      note: late ? m.note_watch_delay() : m.note_watch_delay_idle(),
      idle: !late,
      choices: times([WATCH_DELAY, 300, 900, 3600], delay),
      set: (value) => change({ ...settings, watch_delay: Number(value) }),
    },
    {
      name: m.in_lobby(),
      value: said(settings.listed !== false),
      usual: "yes",
      note: settings.listed === false ? m.note_unlisted() : m.note_listed(),
      choices: yesNo(),
      set: (value) => change({ ...settings, listed: value === "yes" }),
    },
  ];
}
