// Why something may not be done: by the rule's name, in a word or two and in a sentence.

import { m } from "./gen/messages.js";

const RULES: Record<string, readonly [short: () => string, sentence: () => string]> = {
  "move.no-crossing": [m.why_move_no_crossing, m.rule_move_no_crossing],
  "move.islands": [m.why_move_islands, m.rule_move_islands],
  "move.edge": [m.why_move_edge, m.rule_move_edge],
  "move.own-mine": [m.why_move_own_mine, m.rule_move_own_mine],
  "move.acknowledge": [m.why_move_acknowledge, m.rule_move_acknowledge],
  "move.blackout": [m.why_move_blackout, m.rule_move_blackout],
  "system.stop": [m.why_system_stop, m.rule_system_stop],
  "system.once": [m.why_system_once, m.rule_system_once],
  "system.charged": [m.why_system_charged, m.rule_system_charged],
  "system.intact": [m.why_system_intact, m.rule_system_intact],
  "system.disabled": [m.why_system_disabled, m.rule_system_disabled],
  "system.who": [m.why_system_who, m.rule_system_who],
  "turn.yours": [m.why_turn_yours, m.rule_turn_yours],
  "turn.order": [m.why_turn_order, m.rule_turn_order],
  "surface.turns": [m.why_surface_turns, m.rule_surface_turns],
  "surface.idle": [m.why_surface_idle, m.rule_surface_idle],
  "surface.trace": [m.why_surface_trace, m.rule_surface_trace],
  "surface.dive": [m.why_surface_dive, m.rule_surface_dive],
  "surface.then-system": [m.why_surface_then_system, m.rule_surface_then_system],
  "torpedo.range": [m.why_torpedo_range, m.rule_torpedo_range],
  "torpedo.sector": [m.why_torpedo_sector, m.rule_torpedo_sector],
  "mine.lay": [m.why_mine_lay, m.rule_mine_lay],
  "mine.trigger": [m.why_mine_trigger, m.rule_mine_trigger],
  "mine.armed": [m.why_mine_armed, m.rule_mine_armed],
  "mine.circuits": [m.why_mine_circuits, m.rule_mine_circuits],
  "silence.move": [m.why_silence_move, m.rule_silence_move],
  "silence.one": [m.why_silence_one, m.rule_silence_one],
  "sonar.answer": [m.why_sonar_answer, m.rule_sonar_answer],
  "sonar.answer-true": [m.why_sonar_answer_true, m.rule_sonar_answer_true],
  "charge.full": [m.why_charge_full, m.rule_charge_full],
  "charge.one": [m.why_charge_one, m.rule_charge_one],
  "breakdown.cross": [m.why_breakdown_cross, m.rule_breakdown_cross],
  "breakdown.misuse": [m.why_breakdown_misuse, m.rule_breakdown_misuse],
  "breakdown.sheet": [m.why_breakdown_sheet, m.rule_breakdown_sheet],
  "scenario.gauge": [m.why_scenario_gauge, m.rule_scenario_gauge],
  "scenario.old-mines": [m.why_scenario_old_mines, m.rule_scenario_old_mines],
  "scenario.damaged": [m.why_scenario_damaged, m.rule_scenario_damaged],
  "scenario.volcanoes": [m.why_scenario_volcanoes, m.rule_scenario_volcanoes],
  "start.place": [m.why_start_place, m.rule_start_place],
  "start.first": [m.why_start_first, m.rule_start_first],
  "start.choices": [m.why_start_choices, m.rule_start_choices],
  "scenario.corners": [m.why_scenario_corners, m.rule_scenario_corners],
  "crew.orders": [m.why_crew_orders, m.rule_crew_orders],
  "crew.mode": [m.why_crew_mode, m.rule_crew_mode],
  "crew.sizes": [m.why_crew_sizes, m.rule_crew_sizes],
  "crew.posts": [m.why_crew_posts, m.rule_crew_posts],
  "crew.sharing": [m.why_crew_sharing, m.rule_crew_sharing],
  "crew.names": [m.why_crew_names, m.rule_crew_names],
  "crew.shy-mate": [m.why_crew_shy_mate, m.rule_crew_shy_mate],
  "chart.any": [m.why_chart_any, m.rule_chart_any],
  "chart.islands": [m.why_chart_islands, m.rule_chart_islands],
  "chart.points": [m.why_chart_points, m.rule_chart_points],
  "chart.sectors": [m.why_chart_sectors, m.rule_chart_sectors],
  "radio.plot": [m.why_radio_plot, m.rule_radio_plot],
  "radio.erase": [m.why_radio_erase, m.rule_radio_erase],
  "end.sunk": [m.why_end_sunk, m.rule_end_sunk],
  "end.draw": [m.why_end_draw, m.rule_end_draw],
  "end.goal": [m.why_end_goal, m.rule_end_goal],
  "end.resign": [m.why_end_resign, m.rule_end_resign],
  "end.abandon": [m.why_end_abandon, m.rule_end_abandon],
  "end.time": [m.why_end_time, m.rule_end_time],
};

/** In a word or two, for a key that is unlit. */
export const whyNot = (rule: string): string => (RULES[rule]?.[0] ?? m.why_unknown)();

/** In a sentence, for the order line. */
export const refusal = (rule: string): string => (RULES[rule]?.[1] ?? m.rule_unknown)();

/** Whether it is a rule of the game, which can be looked up. */
export const isRule = (key: string): boolean => key.includes(".");
