// The rulings: fields of the rulebook that a table may play otherwise, as orders in groups.

import { ruleAddress } from "../router.svelte";
import type { Rules, RulingField, System } from "../wire";
import { m } from "../words";
import { systemName } from "../words/names";
import type { Agreed, Choice, Group, Row } from "./orders";

type Words = () => string;

/** Each ruling by its name, and the rule that it is about. */
const RULINGS: Record<string, [words: Words, rule: string]> = {
  shy_mate: [m.ruling_shy_mate, "crew.shy-mate"],
  activations: [m.ruling_activations, "system.once"],
  system_after_dive: [m.ruling_system_after_dive, "surface.then-system"],
  acknowledge_systems: [m.ruling_acknowledge_systems, "move.acknowledge"],
  blackout: [m.ruling_blackout, "move.blackout"],
  blackout_systems: [m.ruling_blackout_systems, "move.blackout"],
  own_mine_blocks: [m.ruling_own_mine_blocks, "move.own-mine"],
  broken_system: [m.ruling_broken_system, "breakdown.misuse"],
  repair_first: [m.ruling_repair_first, "repair.first"],
  mine_armed: [m.ruling_mine_armed, "mine.armed"],
  trigger_needs_circuits: [m.ruling_trigger_needs_circuits, "mine.circuits"],
  trigger_while_surfaced: [m.ruling_trigger_while_surfaced, "mine.trigger"],
  blast_chain: [m.ruling_blast_chain, "blast.chain"],
  blast_direct: [m.ruling_blast_direct, "blast.direct"],
  blast_near: [m.ruling_blast_near, "blast.near"],
  sudden_death_indirect: [m.ruling_sudden_death_indirect, "end.sudden-death"],
  blast_self: [m.ruling_blast_self, "blast.self"],
  torpedo_reach: [m.ruling_torpedo_reach, "torpedo.sector"],
  torpedo_range: [m.ruling_torpedo_range, "torpedo.range"],
  torpedo_over_islands: [m.ruling_torpedo_over_islands, "torpedo.range"],
  torpedo_own_point: [m.ruling_torpedo_own_point, "torpedo.range"],
  sonar_answer: [m.ruling_sonar_answer, "sonar.answer"],
  silence_least: [m.ruling_silence_least, "silence.move"],
  silence_most: [m.ruling_silence_most, "silence.move"],
  silence_charges: [m.ruling_silence_charges, "silence.move"],
  silence_zero_charges: [m.ruling_silence_zero_charges, "silence.move"],
  silence_zero_marks: [m.ruling_silence_zero_marks, "silence.move"],
  silence_is_course: [m.ruling_silence_is_course, "system.once"],
  surfacing_tells: [m.ruling_surfacing_tells, "surface.announce"],
  surfacing_turns: [m.ruling_surfacing_turns, "surface.turns"],
  radio_locked_surfaced: [m.ruling_radio_locked_surfaced, "surface.turns"],
  draw: [m.ruling_draw, "end.draw"],
  old_mine_blocks: [m.ruling_old_mine_blocks, "scenario.old-mines"],
  repair_diagonal: [m.ruling_repair_diagonal, "scenario.damaged"],
  resume: [m.ruling_resume, "system.stop"],
};
const CHOICES: Record<string, Words> = {
  "between-courses": m.ruled_between_courses,
  "whole-turn": m.ruled_whole_turn,
  refused: m.ruled_refused,
  "radiation-mark": m.ruled_radiation_mark,
  "at-once": m.ruled_at_once,
  "next-turn": m.ruled_next_turn,
  steps: m.ruled_steps,
  sector: m.ruled_sector,
  point: m.ruled_point,
  "one-false": m.ruled_one_false,
  "one-true": m.ruled_one_true,
  "by-itself": m.ruled_by_itself,
  captain: m.post_captain,
};
/** A ruling of a newer server is told in its own words, which name the rule in brackets. */
const ruleOf = ({ name, meaning }: RulingField): string =>
  RULINGS[name]?.[1] ?? /\(([a-z]+\.[a-z-]+)\)/.exec(meaning)?.[1] ?? "start.choices";
const nameOf = ({ name, meaning }: RulingField): string => RULINGS[name]?.[0]() ?? meaning;

const written = (value: unknown): string =>
  typeof value === "boolean" ? (value ? "yes" : "no") : String(value);
function meant(value: string, like: unknown): unknown {
  if (typeof like === "boolean") return value === "yes";
  return typeof like === "number" ? Number(value) : value;
}

/** The rulings with one of them set; what is as the rulebook has it is not written down. */
export function ruled(
  rulings: { readonly [field: string]: unknown },
  field: string,
  value: unknown,
  usual: unknown,
): { readonly [field: string]: unknown } {
  const { [field]: _, ...others } = rulings;
  return JSON.stringify(value) === JSON.stringify(usual) ? others : { ...others, [field]: value };
}

function choicesOf(field: RulingField, usual: unknown): Choice[] {
  if (typeof usual === "boolean")
    return [
      { value: "yes", name: m.yes() },
      { value: "no", name: m.no() },
    ];
  return field.choices.map((value) => ({ value, name: CHOICES[value]?.() ?? value }));
}

/** The orders for one field: one, but several for an energy gauge and none where there is none. */
function orders(field: RulingField, rules: Rules, { settings, change }: Agreed): Row[] {
  const usual = field.values[settings.rulebook];
  const rulings = settings.rulings ?? {};
  const agreed = rulings[field.name] ?? usual;
  const name = ruleOf(field);
  const rule = {
    address: ruleAddress(name, settings.rulebook),
    title: rules.rules.find((one) => one.name === name)?.title ?? name,
  };
  const set = (value: unknown): void =>
    change({ ...settings, rulings: ruled(rulings, field.name, value, usual) });
  if (usual !== null && typeof usual === "object") {
    const [book, now] = [usual, agreed] as Record<string, number>[];
    return Object.keys(book!).map((part) => ({
      name:
        part === "boxes"
          ? m.ruling_energy_boxes()
          : m.ruling_energy_cost({ system: systemName(part as System) }),
      value: String(now![part]),
      usual: String(book![part]),
      note: "",
      rule,
      choices: [],
      steps: { least: 1, most: 14 },
      set: (value) => set({ ...now, [part]: Number(value) }),
    }));
  }
  const choices = choicesOf(field, usual);
  const number = typeof usual === "number";
  if (!choices.length && !number) return [];
  return [
    {
      name: nameOf(field),
      value: written(agreed),
      usual: written(usual),
      note: "",
      rule,
      choices,
      steps: number ? { least: field.least ?? 0, most: field.most ?? 14 } : undefined,
      set: (value) => set(meant(value, usual)),
    },
  ];
}

/** All rulings, in the chapters of the rules. */
export function rulingOrders(agreed: Agreed, rules: Rules): Group[] {
  const chapter = (field: RulingField): string | undefined =>
    rules.rules.find(({ name }) => name === ruleOf(field))?.section;
  return rules.sections
    .map(({ name, title }) => ({
      name: title,
      rows: (agreed.shelf?.rulings ?? [])
        .filter((field) => chapter(field) === name)
        .flatMap((field) => orders(field, rules, agreed)),
    }))
    .filter(({ rows }) => rows.length);
}
