// Playing on at random, each crew as one player.
#pragma once

#include "listing.hpp"
#include "orders.hpp"

namespace fathom {

inline constexpr int UNFINISHED = -2;

// How a playout chooses: among all orders alike, or first a kind of order by its weight.
struct Policy {
  bool by_kind = false;
  std::array<u32, Action::COUNT> weight{};  // at each kind's first action

  int choose(const Sea& sea, const Choices& found, Random& dice) const {
    return by_kind ? weighted(sea, found, dice) : uniform(sea, found, dice);
  }

 private:
  static int uniform(const Sea& sea, const Choices& found, Random& dice) {
    int choices = count(sea, found);
    return choices ? nth(sea, found, static_cast<int>(dice.below(choices))) : NONE;
  }

  int weighted(const Sea& sea, const Choices& found, Random& dice) const;
};

// The first action of the kind that an action belongs to. Silences and single orders are kinds too.
inline int kind_of(int start) {
  return start > Action::SILENCE && start < Action::MINE ? static_cast<int>(Action::SILENCE) : start;
}

inline int Policy::weighted(const Sea& sea, const Choices& found, Random& dice) const {
  struct Option {
    int start;
    u64 bits;
    const Points* set;
    u32 weight;
  };
  std::array<Option, 40> options;
  int size = 0;
  u32 total = 0;
  auto add = [&](int start, u64 bits, const Points* set) {
    u32 each = weight[kind_of(start)];
    if (!each) return;
    options[size++] = {start, bits, set, each};
    total += each;
  };
  fathom::by_kind(
      found,
      [&](int start, u64 bits) {
        if (start != Action::DIVE) return add(start, bits, nullptr);
        for (; bits; bits &= bits - 1) add(start + std::countr_zero(bits), 1, nullptr);
      },
      [&](int start, const Points& set) { add(start, 0, &set); });
  if (found.answer) add(Action::ANSWER_ROW_COLUMN, 0, nullptr);
  if (!total) return uniform(sea, found, dice);
  u32 drawn = dice.below(total);
  int place = 0;
  while (drawn >= options[place].weight) drawn -= options[place++].weight;
  const Option& option = options[place];
  if (option.set)
    return option.start + slot(option.set->nth(static_cast<int>(dice.below(option.set->count()))));
  if (option.start == Action::ANSWER_ROW_COLUMN) {
    Facts facts(sea, found.at);
    return facts.nth(static_cast<int>(dice.below(facts.count())));
  }
  u64 bits = option.bits;
  for (u32 skip = dice.below(std::popcount(bits)); skip--;) bits &= bits - 1;
  return option.start + std::countr_zero(bits);
}

// The crew that play waits for; in real time, where either may act, one of them by lot.
inline int crew_to_act(const State& state, Random& dice) {
  if (state.phase == Phase::PLACING) return state.dived[0] ? 1 : 0;
  if (state.awaited) return state.awaited_crew;
  if (state.turn != NONE) return state.turn;
  return static_cast<int>(dice.next() >> 63);
}

// One order of whoever may act: that crew, the other, or the referee; false if nobody may.
template <class Events>
bool play_one(const Sea& sea, State& state, const Policy& policy, Random& dice, Events& events) {
  Choices found;
  if (state.phase == Phase::PLACING && state.first == NONE && !sea.rules.real_time) {
    Play<Events>(sea, state, events).perform(REFEREE, Action::FIRST + static_cast<int>(dice.next() >> 63));
    return true;
  }
  int crew = crew_to_act(state, dice);
  for (int actor : {WHOLE_CREW + crew, WHOLE_CREW + !crew, REFEREE}) {
    Judge(sea, state).find(actor, found);
    found.play_on();
    found.first = found.lost = 0;
    int action = policy.choose(sea, found, dice);
    if (action == NONE) continue;
    Play<Events>(sea, state, events).perform(actor, action);
    return true;
  }
  return false;
}

// Plays until the game is over or so many orders were given; how many were.
inline int play_out(const Sea& sea, State& state, const Policy& policy, Random& dice, int most) {
  Nothing nothing;
  int given = 0;
  while (given < most && !state.over() && play_one(sea, state, policy, dice, nothing)) ++given;
  return given;
}

}  // namespace fathom
