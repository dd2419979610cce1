// The state of a game: plain memory, so that a copy is a memcpy and a batch is a numpy array.
#pragma once

#include <cstddef>
#include <cstring>

#include "rules.hpp"

namespace fathom {

inline constexpr int NONE = -1;
inline constexpr int REFEREE = 2 * SEATS;    // actors 0 to 3 and 4 to 7 are the seats of a and b
inline constexpr int WHOLE_CREW = REFEREE + 1;  // 9 and 10: a crew as one player of all posts
inline constexpr int ROUTE = SIDE * SIDE;

using Route = std::array<u8, ROUTE + 1>;
using Sections = std::array<u8, 4>;

#define FATHOM_BOAT(X)                                                                            \
  X(Points, covered) X(Points, mines) X(Points, unarmed) X(Points, silent) X(u32, crossed)        \
  X(u8, at) X(u8, charge) X(u8, cross) X(u8, barred) X(u8, ready) X(u8, energy) X(Six<u8>, boxes) \
  X(u8, locked) X(u8, tracing) X(u8, holder) X(u8, trace_good) X(u8, trace_ready)                 \
  X(Sections, strokes) X(Sections, traced_by) X(u8, route_length) X(Route, route)

struct Boat {
  FATHOM_RECORD(Boat, FATHOM_BOAT)

  bool owes_marks() const { return charge != ChargeDue::NONE || cross != CrossDue::NONE; }
  bool trace_complete() const { return strokes[0] && strokes[1] && strokes[2] && strokes[3]; }

  void enter(int point) {
    at = static_cast<u8>(point);
    covered.add(point);
    route[route_length++] = at;
  }
  void begin_route(int point) {
    covered = silent = Points::none();
    std::memset(route.data(), 0, route_length);
    route_length = 0;
    enter(point);
  }
  void lose_mines(const Points& gone) {
    mines &= ~gone;
    unarmed &= ~gone;
  }
  void begin_trace(int engineer) {
    tracing = 1;
    holder = static_cast<u8>(engineer);
    trace_good = trace_ready = 0;
    strokes = traced_by = {0, 0, 0, 0};
  }
};

using Boats = std::array<Boat, 2>;

#define FATHOM_STATE(X)                                                                       \
  X(Points, old_mines) X(Points, lava) X(u8, phase) X(i8, first) X(Two<u8>, dived)            \
  X(Two<u8>, surfaced) X(i8, turn) X(u8, turns_left) X(u8, sailed) X(u8, announced)           \
  X(i8, stop) X(u8, stop_marks) X(u8, awaited) X(i8, awaited_crew) X(Two<u16>, damage)        \
  X(Two<u8>, in_service) X(Two<u8>, volcano_marks) X(u8, volcano_events) X(u8, smoke)         \
  X(i8, winner) X(i8, why) X(Six<u8>, spare) X(Boats, boats)

struct State {
  FATHOM_RECORD(State, FATHOM_STATE)

  bool over() const { return phase == Phase::OVER; }

  void begin(const Rules& rules) {
    std::memset(this, 0, sizeof *this);
    old_mines = rules.old_mines;
    first = rules.first;
    turn = stop = awaited_crew = winner = why = NONE;
    in_service = {rules.in_service, rules.in_service};
    for (int crew = 0; crew < 2; ++crew) {
      boats[crew].at = DOCK;
      if (rules.starts[crew] != NONE) boats[crew].begin_route(rules.starts[crew]);
    }
  }
};

static_assert(std::is_trivially_copyable_v<State> && alignof(State) == 8);
// Without padding, which numpy does not copy, equal states have equal bytes.
static_assert(std::has_unique_object_representations_v<State>);

}  // namespace fathom
