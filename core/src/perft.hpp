// Counting sequences of orders; tests/perft/README.md says what counts.
#pragma once

#include "listing.hpp"
#include "orders.hpp"

namespace fathom {

inline u64 perft(const Sea& sea, const State& state, int depth) {
  u64 total = 0;
  Nothing nothing;
  Choices found;
  for (int actor = 0; actor <= REFEREE; ++actor) {
    if (actor < REFEREE && actor % SEATS >= sea.rules.seat_count[actor / SEATS]) continue;
    Judge(sea, state).find(actor, found);
    found.singles &= ~single(Action::RESIGN);
    found.bad_sections = found.lost = 0;
    found.judgements = 0;
    int choices = count(sea, found);
    if (depth <= 1) {
      total += choices;
      continue;
    }
    for (int place = 0; place < choices; ++place) {
      State next = state;
      Play<Nothing>(sea, next, nothing).perform(actor, nth(sea, found, place));
      total += perft(sea, next, depth - 1);
    }
  }
  return total;
}

}  // namespace fathom
