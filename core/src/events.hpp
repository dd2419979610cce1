// What happened, as rows of numbers; fathom/core/events.py says what the columns are.
#pragma once

#include <vector>

#include "state.hpp"

namespace fathom {

struct Event {
  std::array<i16, EVENT_COLUMNS> column;

  int kind() const { return column[0]; }
  int crew() const { return column[1]; }
  int value(int place) const { return column[2 + place]; }
};

// Keeps every event.
struct Record {
  std::vector<Event> events;
  void add(const Event& event) { events.push_back(event); }
};

// Keeps none: for playouts.
struct Nothing {
  void add(const Event&) {}
};

// Whether everyone hears of it; a silence and a mine that was laid are heard in part.
inline bool announced(int kind) {
  return kind <= EventKind::GameEnded || kind == EventKind::RanSilent || kind == EventKind::MineLaid;
}

// What everyone hears of an event that is announced.
inline Event heard(const Event& event) {
  int kind = event.kind() == EventKind::RanSilent  ? EventKind::SilenceHeard
             : event.kind() == EventKind::MineLaid ? EventKind::MineLaidHeard
                                                   : NONE;
  if (kind == NONE) return event;
  Event part{};
  part.column[0] = static_cast<i16>(kind);
  part.column[1] = event.column[1];
  return part;
}

}  // namespace fathom
