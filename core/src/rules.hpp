// The compiled set-up. Python fills `Rules` from fathom.core.flat_setup; `Sea` is worked out here.
#pragma once

#include <cstddef>

#include "layout.hpp"
#include "shared.hpp"

namespace fathom {

using PerSeat = std::array<u8, SEATS>;
using PerVolcano = std::array<Points, VOLCANOES>;
using PerSystem = Six<Points>;
using PerHeading = std::array<u32, 4>;
using PerSymbol = std::array<u32, SYMBOLS>;
using SymbolCircuit = std::array<i8, SYMBOLS>;
using PerCircuit = std::array<u32, CIRCUITS>;
using PerColour = std::array<u32, 3>;
using PerLevel = std::array<u8, MOST_ENERGY>;
using VolcanoPoints = std::array<u8, VOLCANOES>;
using ColourSystems = std::array<u8, 3>;
using SeatsOfBoth = Two<PerSeat>;

#define FATHOM_RULES(X)                                                                          \
  X(Points, chart_points) X(Points, water) X(Points, old_mines) X(Points, thin_ice)              \
  X(Points, finish) X(PerVolcano, lava) X(PerSystem, repair_at)                                  \
  X(PerHeading, panels) X(PerSymbol, panel_of) X(PerCircuit, circuits) X(u32, radiation)         \
  X(u32, all_symbols) X(PerColour, colours)                                                      \
  X(SymbolCircuit, circuit_of) X(ColourSystems, broken_by)                                       \
  X(u8, across) X(u8, down) X(u8, sectors_across) X(u8, sector_count) X(u8, special)             \
  X(Two<i16>, starts) X(u8, volcano_count) X(VolcanoPoints, volcanoes)                           \
  X(Six<u8>, boxes) X(u8, gauged) X(u8, volcano_gauge) X(u8, energy) X(Six<u8>, costs)           \
  X(PerLevel, affordable) X(u8, systems) X(u8, in_service)                                       \
  X(Two<u8>, seat_count) X(SeatsOfBoth, posts) X(SeatsOfBoth, held) X(SeatsOfBoth, sees)         \
  X(Two<u8>, engineer_seat)                                                                      \
  X(u8, real_time) X(i8, first) X(u8, surfacing) X(u8, sinks_at) X(u8, blast_direct)             \
  X(u8, blast_near) X(u8, blast_self) X(u8, blast_chain) X(u8, draw) X(u8, acknowledge)          \
  X(u8, acknowledge_systems) X(u8, whole_turn) X(u8, system_after_dive) X(u8, blackout_systems)  \
  X(u8, own_mine_blocks) X(u8, old_mine_blocks) X(u8, broken_refused) X(u8, repair_first)        \
  X(u8, armed_at_once) X(u8, trigger_needs_circuits) X(u8, trigger_while_surfaced)               \
  X(u8, torpedo_by_sector) X(u8, torpedo_range) X(u8, torpedo_over_islands)                      \
  X(u8, torpedo_own_point) X(u8, answer_truly) X(u8, silence_least) X(u8, silence_most)          \
  X(u8, silence_charges) X(u8, silence_zero_charges) X(u8, silence_zero_marks)                   \
  X(u8, silence_is_course) X(u8, surfacing_tells_point) X(u8, surfacing_turns)                   \
  X(u8, captain_resumes) X(u8, quick_ends) X(u8, enemy_judges_trace) X(u8, redo_whole_trace)

struct Rules {
  FATHOM_RECORD(Rules, FATHOM_RULES)

  bool tracing() const { return surfacing == Surfacing::TRACE; }
};

inline constexpr int CAPTAIN = 1 << PostBit::CAPTAIN;
inline constexpr int MATE = 1 << PostBit::FIRST_MATE;
inline constexpr int ENGINEER = 1 << PostBit::ENGINEER;
inline constexpr int RADIO = 1 << PostBit::RADIO_OPERATOR;

// The rules and what follows from them for every point.
struct Sea {
  Rules rules;
  std::array<Points, POINTS> around;   // the point and its eight neighbours
  std::array<Points, POINTS> reached;  // what a torpedo reaches, without lava
  std::array<u8, POINTS> sector;
  std::array<Points, SECTORS + 1> sector_points;  // land included, and none for 0
  std::array<u8, 2> all_posts, all_held;  // of a whole crew

  explicit Sea(const Rules& given) : rules(given) {
    sector_points.fill(Points::none());
    for (int point = 0; point < POINTS; ++point) {
      int number = (point >> 4) / 5 * rules.sectors_across + (point & 15) / 5 + 1;
      sector[point] = static_cast<u8>(number);
      if (rules.chart_points.has(point) && number <= SECTORS) sector_points[number].add(point);
    }
    for (int point = 0; point < POINTS; ++point) {
      around[point] = blast(Points::of(point));
      reached[point] = torpedo(point, Points::none());
    }
    for (int crew = 0; crew < 2; ++crew) {
      all_posts[crew] = all_held[crew] = 0;
      for (int seat = 0; seat < rules.seat_count[crew]; ++seat) {
        all_posts[crew] |= rules.posts[crew][seat];
        all_held[crew] |= rules.held[crew][seat];
      }
    }
  }

  // The points that a torpedo reaches (torpedo.range, torpedo.sector).
  Points torpedo(int at, const Points& lava) const {
    Points sea = rules.water & ~lava, inside = Points::none();
    if (rules.torpedo_by_sector) {
      if (sector[at] <= SECTORS) inside = sector_points[sector[at]] & sea;
    } else {
      const Points& way = rules.torpedo_over_islands ? rules.chart_points : sea;
      inside = reach(Points::of(at), rules.torpedo_range, way) & sea;
    }
    if (!rules.torpedo_own_point) inside.drop(at);
    return inside;
  }

  // The points next to the islands of these systems (scenario.damaged).
  Points shores(int systems) const {
    Points near = Points::none();
    for (int system = 0; system < 6; ++system)
      if (systems >> system & 1) near |= rules.repair_at[system];
    return near;
  }
};

}  // namespace fathom
