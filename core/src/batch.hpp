// Many games side by side, for learning: orders in, observations and masks out.
#pragma once

#include <optional>
#include <stdexcept>
#include <string>

#include "belief/belief.hpp"
#include "listing.hpp"
#include "observe.hpp"
#include "orders.hpp"

namespace fathom {

inline constexpr u8 GOES_ON = 0, GAME_OVER = 1, CUT_SHORT = 2;

struct BatchOptions {
  int games;
  u64 seed;
  bool by_crew;     // a crew is one agent, or each of its seats
  bool everything;  // offer resigning, bad strokes and the like, too
  int limit;        // orders, or in real time ticks, after which a game is cut short
  int patience;     // steps of search that belief may take for each piece of news; 0: no belief
  int pause;        // ticks that a stop lasts when nothing more is awaited
};

// Memory that belongs to Python. A row is a game's one agent that acts, or in real time each agent.
struct BatchBuffers {
  State* states;
  u8 *planes, *vector, *masks, *ended;
  float* rewards;     // two in each game
  std::int32_t* agents;  // of each row
};

class Batch {
 public:
  Batch(const Sea& given, const BatchOptions& chosen, const BatchBuffers& memory)
      : sea(given), options(chosen), buffers(memory), observer(given) {
    if (options.by_crew) {
      actors = {WHOLE_CREW, WHOLE_CREW + 1};
    } else {
      for (int crew = 0; crew < 2; ++crew)
        for (int seat = 0; seat < sea.rules.seat_count[crew]; ++seat)
          actors.push_back(crew * SEATS + seat);
    }
    rows = sea.rules.real_time ? static_cast<int>(actors.size()) : 1;
    for (int actor : actors) eyes.emplace_back(sea, actor);
    tables.resize(options.games);
    offers.resize(static_cast<std::size_t>(options.games) * rows);
    for (int game = 0; game < options.games; ++game) {
      // Neighbouring seeds must not give shifted copies of the same numbers.
      Random mixer{options.seed + static_cast<u64>(game)};
      tables[game].dice.state = mixer.next();
      begin(game);
      look(game);
    }
  }

  // How many planes an observation has.
  static int plane_count(const BatchOptions& options) {
    return options.patience ? Plane::COUNT + BELIEF_PLANES : static_cast<int>(Plane::COUNT);
  }

  static int agent_count(const Sea& sea, bool by_crew) {
    return by_crew ? 2 : sea.rules.seat_count[0] + sea.rules.seat_count[1];
  }

  // Every row's action must be one of those that its mask offers; else nothing happens at all.
  void step(const std::int32_t* actions) {
    check(actions);
    for (int game = 0; game < options.games; ++game) {
      buffers.rewards[2 * game] = buffers.rewards[2 * game + 1] = 0;
      buffers.ended[game] = GOES_ON;
      if (sea.rules.real_time)
        tick(game, actions + static_cast<std::size_t>(game) * rows);
      else
        order(game, actions[game]);
      settle(game);
      look(game);
    }
  }

  // For every row one of its offers, all equally likely.
  void sample(std::int32_t* actions, Random& dice) const {
    for (std::size_t row = 0; row < offers.size(); ++row) {
      const Offer& offer = offers[row];
      int waits = offer.may_wait, choices = count(sea, offer.choices) + waits;
      int drawn = static_cast<int>(dice.below(choices)) - waits;
      actions[row] = drawn < 0 ? static_cast<int>(Action::WAIT) : nth(sea, offer.choices, drawn);
    }
  }

 private:
  struct Offer {
    Choices choices;
    bool may_wait;
  };
  struct Table {
    Random dice;
    Heard heard;
    int given, paused, agent;
    u32 waited;  // agents that let the others act, since the last order
    std::optional<Two<Belief>> beliefs;  // about each crew, as everyone may know it
    bool fresh;  // the last order was announced, and the enemy may answer it with a mine
  };

  const Sea& sea;
  const BatchOptions options;
  const BatchBuffers buffers;
  const Observer observer;
  std::vector<int> actors;
  std::vector<Eyes> eyes;
  std::vector<Table> tables;
  std::vector<Offer> offers;
  Record record;
  int rows;

  void begin(int game) {
    Table& table = tables[game];
    State& state = buffers.states[game];
    state.begin(sea.rules);
    table.heard.clear();
    table.given = table.paused = 0;
    table.waited = 0;
    table.fresh = false;
    if (int steps = options.patience)
      table.beliefs.emplace(Two<Belief>{Belief(sea, 0, false, steps), Belief(sea, 1, false, steps)});
    if (state.first == NONE && !sea.rules.real_time)
      give(game, REFEREE, Action::FIRST + static_cast<int>(table.dice.next() >> 63));
  }

  void give(int game, int actor, int action) {
    Table& table = tables[game];
    record.events.clear();
    Play<Record>(sea, buffers.states[game], record).perform(actor, action);
    table.fresh = false;
    table.waited = 0;
    for (const Event& event : record.events) {
      table.heard.add(event);
      table.fresh |= announced(event.kind());
    }
    if (table.beliefs && table.fresh)
      for (Belief& belief : *table.beliefs) listen(belief);
  }

  void listen(Belief& belief) const {
    for (const Event& event : record.events) belief.hear(event);
    belief.settle();
  }

  void check(const std::int32_t* actions) const {
    for (std::size_t row = 0; row < offers.size(); ++row) {
      const Offer& offer = offers[row];
      if (actions[row] == Action::WAIT ? offer.may_wait : contains(sea, offer.choices, actions[row]))
        continue;
      throw std::invalid_argument("game " + std::to_string(row / rows) + ": action " +
                                  std::to_string(actions[row]) + " is not offered to agent " +
                                  std::to_string(buffers.agents[row]));
    }
  }

  // Turn by turn: the one agent that was asked orders or waits.
  void order(int game, int action) {
    Table& table = tables[game];
    if (action == Action::WAIT) {
      table.waited |= 1u << table.agent;
      return;
    }
    give(game, actors[table.agent], action);
    ++table.given;
  }

  // Real time: all agents order or wait, one after another by lot. What another's order has made
  // illegal is dropped.
  void tick(int game, const std::int32_t* actions) {
    Table& table = tables[game];
    State& state = buffers.states[game];
    std::array<int, 2 * SEATS> turn;
    for (int agent = 0; agent < rows; ++agent) turn[agent] = agent;
    for (int left = rows; left > 1; --left)
      std::swap(turn[left - 1], turn[table.dice.below(static_cast<u32>(left))]);
    bool changed = false;
    for (int n = 0; n < rows && !state.over(); ++n) {
      int agent = turn[n], action = actions[agent];
      if (action == Action::WAIT || (changed && !still_legal(state, actors[agent], action))) continue;
      give(game, actors[agent], action);
      changed = true;
    }
    resume(game);
    ++table.given;
  }

  bool still_legal(const State& state, int actor, int action) const {
    Choices found;
    Judge(sea, state).find(actor, found);
    return contains(sea, found, action);
  }

  // The referee ends a stop when nothing more is awaited and the pause is over.
  void resume(int game) {
    Choices found;
    Judge(sea, buffers.states[game]).find(REFEREE, found);
    if (!(found.singles & single(Action::RESUME))) {
      tables[game].paused = 0;
    } else if (tables[game].paused++ >= options.pause) {
      give(game, REFEREE, Action::RESUME);
      tables[game].paused = 0;
    }
  }

  // A game that is over, or has lasted too long, gives way to a new one.
  void settle(int game) {
    const State& state = buffers.states[game];
    if (!state.over() && tables[game].given < options.limit) return;
    buffers.ended[game] = state.over() ? GAME_OVER : CUT_SHORT;
    if (state.over() && state.winner != NONE) {
      buffers.rewards[2 * game + state.winner] = 1;
      buffers.rewards[2 * game + !state.winner] = -1;
    }
    begin(game);
  }

  // What the next agents are offered and see.
  void look(int game) {
    if (!sea.rules.real_time) {
      ask(game);
      return show(game, 0, tables[game].agent);
    }
    for (int agent = 0; agent < rows; ++agent) {
      Offer& offer = offers[static_cast<std::size_t>(game) * rows + agent];
      find(game, agent, offer);
      offer.may_wait = true;
      show(game, agent, agent);
    }
  }

  // Whether the agent has anything to order.
  bool find(int game, int agent, Offer& offer) {
    Judge(sea, buffers.states[game]).find(actors[agent], offer.choices);
    if (!options.everything) offer.choices.play_on();
    return count(sea, offer.choices) > 0;
  }

  // Turn by turn: who is asked. After an announcement the other crew comes first and may trigger a
  // mine. In a crew the captain comes last; who has others after them may wait.
  void ask(int game) {
    Table& table = tables[game];
    Offer& offer = offers[game];
    const State& state = buffers.states[game];
    int crew = state.phase == Phase::PLACING ? state.dived[0]
               : state.awaited               ? state.awaited_crew
                                             : state.turn;
    if (table.fresh && !state.awaited && state.phase == Phase::PLAYING &&
        (options.everything || state.boats[!crew].mines.any()) && seek(game, !crew, offer)) {
      offer.may_wait = true;
      return;
    }
    if (!seek(game, crew, offer)) throw std::logic_error("nobody may act");
    int asked = table.agent;
    Offer other;
    u32 waited = table.waited;
    table.waited |= 1u << asked;
    offer.may_wait = seek(game, crew, other);
    table.waited = waited;
    table.agent = asked;
  }

  // The last agent of the crew that has not waited and has anything to order.
  bool seek(int game, int crew, Offer& offer) {
    for (int agent = static_cast<int>(actors.size()); agent--;) {
      if (eyes[agent].crew != crew || tables[game].waited >> agent & 1) continue;
      tables[game].agent = agent;
      if (find(game, agent, offer)) return true;
    }
    return false;
  }

  void show(int game, int row_in_game, int agent) {
    std::size_t row = static_cast<std::size_t>(game) * rows + row_in_game;
    const State& state = buffers.states[game];
    buffers.agents[row] = agent;
    u8* mask = buffers.masks + row * Action::COUNT;
    std::memset(mask, 0, Action::COUNT);
    write_mask(sea, offers[row].choices, mask);
    mask[Action::WAIT] = offers[row].may_wait;
    u8* planes = buffers.planes + row * observer.plane_size() * plane_count(options);
    observer.planes(state, eyes[agent], planes);
    if (const auto& beliefs = tables[game].beliefs) {
      int crew = eyes[agent].crew;
      observer.plane(planes, Plane::COUNT, (*beliefs)[!crew].possible());
      observer.plane(planes, Plane::COUNT + 1, (*beliefs)[crew].possible());
    }
    observer.vector(state, eyes[agent], tables[game].heard, buffers.vector + row * Entry::COUNT);
  }
};

}  // namespace fathom
