// States come from outside, too: one that no game can be in must not lead beyond an array.
#pragma once

#include "state.hpp"

namespace fathom {

inline bool nobody_or_crew(int crew) { return crew >= NONE && crew < 2; }
inline bool within(const Points& part, const Points& whole) { return !(part & ~whole).any(); }

// The field that has a value it can't have, or nothing.
inline const char* bad_field(const Rules& rules, const Boat& boat, int crew, int phase) {
  if (!rules.water.has(boat.at) && (boat.at != DOCK || phase == Phase::PLAYING)) return "at";
  if (!within(boat.covered, rules.water)) return "covered";
  if (boat.route_length != boat.covered.count()) return "route_length";
  if (!within(boat.mines, rules.water)) return "mines";
  if (boat.charge >= ChargeDue::COUNT) return "charge";
  if (boat.cross >= CrossDue::COUNT) return "cross";
  if (boat.barred >= Bar::COUNT) return "barred";
  if (boat.energy > rules.energy) return "energy";
  for (int system = 0; system < 6; ++system)
    if (boat.boxes[system] > rules.boxes[system]) return "boxes";
  if (boat.crossed & ~rules.all_symbols) return "crossed";
  if (boat.holder >= rules.seat_count[crew]) return "holder";
  for (int stroke : boat.strokes)
    if (stroke >= Stroke::COUNT) return "strokes";
  return nullptr;
}

inline const char* bad_field(const Rules& rules, const State& state) {
  if (state.phase >= Phase::COUNT) return "phase";
  if (!nobody_or_crew(state.first)) return "first";
  if (!nobody_or_crew(state.turn) || (rules.real_time && state.turn != NONE)) return "turn";
  if (state.phase == Phase::PLAYING && !rules.real_time && state.turn == NONE) return "turn";
  if (!nobody_or_crew(state.stop) || (!rules.real_time && state.stop != NONE)) return "stop";
  if (state.awaited >= Awaits::COUNT) return "awaited";
  if (!nobody_or_crew(state.awaited_crew) || (state.awaited != 0) != (state.awaited_crew != NONE))
    return "awaited_crew";
  if (state.smoke > rules.volcano_count) return "smoke";
  if (state.volcano_events > LAST_VOLCANO_EVENT) return "volcano_events";
  if (!nobody_or_crew(state.winner)) return "winner";
  for (int crew = 0; crew < 2; ++crew)
    if (const char* field = bad_field(rules, state.boats[crew], crew, state.phase)) return field;
  return nullptr;
}

}  // namespace fathom
