// The choices as actions: all of them, one by number, or whether one is among them.
#pragma once

#include "choices.hpp"

namespace fathom {

// The true facts about a point, and how many false ones there are of each kind.
struct Facts {
  int row, column, sector, rows, columns, sectors;

  Facts(const Sea& sea, int at)
      : row(row_of(at)), column(column_of(at)), sector(sea.sector[at]), rows(sea.rules.down - 1),
        columns(sea.rules.across - 1), sectors(sea.rules.sector_count - 1) {}

  int count() const { return 2 * (rows + columns + sectors); }

  // The answer with this number: false columns, rows, sectors, rows, sectors, columns.
  int nth(int place) const {
    auto other = [](int number, int truth) { return number + (number + 1 >= truth) + 1; };
    if (place < columns) return pair_row_column(row, other(place, column));
    place -= columns;
    if (place < rows) return pair_row_column(other(place, row), column);
    place -= rows;
    if (place < sectors) return pair_row_sector(row, other(place, sector));
    place -= sectors;
    if (place < rows) return pair_row_sector(other(place, row), sector);
    place -= rows;
    if (place < sectors) return pair_column_sector(column, other(place, sector));
    return pair_column_sector(other(place - sectors, column), sector);
  }

  static int pair_row_column(int row, int column) {
    return Action::ANSWER_ROW_COLUMN + (row - 1) * SIDE + column - 1;
  }
  static int pair_row_sector(int row, int sector) {
    return Action::ANSWER_ROW_SECTOR + (row - 1) * SECTORS + sector - 1;
  }
  static int pair_column_sector(int column, int sector) {
    return Action::ANSWER_COLUMN_SECTOR + (column - 1) * SECTORS + sector - 1;
  }
};

// Calls `act(first action, bits)` for small sets and `points(first action, set)` for sets of points.
template <class Bits, class Set>
void by_kind(const Choices& found, Bits&& act, Set&& points) {
  if (found.singles) act(Action::DIVE, static_cast<u64>(found.singles));
  if (found.courses) act(Action::COURSE, u64{found.courses});
  if (found.charges) act(Action::CHARGE, u64{found.charges});
  if (found.symbols) {
    u64 symbols = found.symbols;
    act(Action::CROSS_OUT, (symbols & ((1u << SYMBOLS) - 1)) << 1 | symbols >> SYMBOLS);
  }
  if (found.stay_silent) act(Action::SILENCE, u64{1});
  for (int heading = 0; heading < 4; ++heading) {
    if (int most = found.silence[heading]) {
      u64 open = ((u64{1} << most) - 1) & ~((u64{1} << (found.least - 1)) - 1);
      act(Action::SILENCE + 1 + heading * LONGEST_SILENCE, open);
    }
  }
  if (found.sets) {
    if (found.sets & Choices::PLACES) points(Action::PLACE, found.place);
    if (found.sets & Choices::MINES) points(Action::MINE, found.mine);
    if (found.sets & Choices::TORPEDOES) points(Action::TORPEDO, found.torpedo);
    if (found.sets & Choices::TRIGGERS) points(Action::TRIGGER, found.trigger);
    if (found.sets & Choices::OLD_MINES) points(Action::OLD_MINE, found.old_mine);
  }
  if (found.drones) act(Action::DRONE, u64{found.drones});
  if (found.repairs) act(Action::REPAIR, u64{found.repairs});
  if (found.volcanoes) act(Action::VOLCANO, u64{found.volcanoes});
  if (found.truly) act(Action::ANSWER_TRULY, u64{found.truly});
  if (found.sections) act(Action::TRACE, u64{found.sections});
  if (found.bad_sections) act(Action::TRACE_BADLY, u64{found.bad_sections});
  if (found.judgements) act(Action::JUDGE, u64{found.judgements});
  if (found.first) act(Action::FIRST, u64{found.first});
  if (found.lost) act(Action::LOST, u64{found.lost});
}

// Sets every legal action to 1 in `mask`, which has been cleared.
inline void write_mask(const Sea& sea, const Choices& found, u8* mask) {
  by_kind(
      found,
      [&](int start, u64 bits) {
        for (; bits; bits &= bits - 1) mask[start + std::countr_zero(bits)] = 1;
      },
      [&](int start, const Points& set) {
        each(set, [&](int point) { mask[start + slot(point)] = 1; });
      });
  if (found.answer) {
    Facts facts(sea, found.at);
    for (int place = facts.count(); place--;) mask[facts.nth(place)] = 1;
  }
}

inline int count(const Sea& sea, const Choices& found) {
  int total = found.answer ? Facts(sea, found.at).count() : 0;
  by_kind(
      found, [&](int, u64 bits) { total += std::popcount(bits); },
      [&](int, const Points& set) { total += set.count(); });
  return total;
}

// The legal action with this number.
inline int nth(const Sea& sea, const Choices& found, int place) {
  int chosen = NONE;
  by_kind(
      found,
      [&](int start, u64 bits) {
        if (chosen != NONE) return;
        int here = std::popcount(bits);
        if (place >= here) {
          place -= here;
          return;
        }
        while (place--) bits &= bits - 1;
        chosen = start + std::countr_zero(bits);
      },
      [&](int start, const Points& set) {
        if (chosen != NONE) return;
        int here = set.count();
        if (place >= here)
          place -= here;
        else
          chosen = start + slot(set.nth(place));
      });
  return chosen != NONE ? chosen : Facts(sea, found.at).nth(place);
}

// Whether the action is among the choices.
inline bool contains(const Sea& sea, const Choices& found, int action) {
  bool listed = false;
  auto within = [&](int start, int size) { return action >= start && action < start + size; };
  by_kind(
      found,
      [&](int start, u64 bits) { listed |= within(start, 64) && bits >> (action - start) & 1; },
      [&](int start, const Points& set) {
        listed |= within(start, ROUTE) && set.has(point_of(action - start));
      });
  if (!listed && found.answer) {
    Facts facts(sea, found.at);
    if (action >= Action::ANSWER_ROW_COLUMN && action < Action::ANSWER_TRULY)
      for (int place = facts.count(); place-- && !listed;) listed = facts.nth(place) == action;
  }
  return listed;
}

}  // namespace fathom
