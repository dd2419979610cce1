// What an actor may order now: exactly what the Python engine's `decide` accepts.
#pragma once

#include "random.hpp"
#include "state.hpp"

namespace fathom {

inline constexpr int bit(int system) { return 1 << system; }

// Point p of the action table, where charts are 15 wide.
inline int slot(int point) { return (point >> 4) * SIDE + (point & 15); }
inline int point_of(int slot) { return slot / SIDE * 16 + slot % SIDE; }
inline int row_of(int at) { return (at >> 4) + 1; }
inline int column_of(int at) { return (at & 15) + 1; }

// Single orders, as bits of `Choices::single` in the order of the action table.
inline constexpr int single(int action) { return 1 << (action - Action::DIVE); }
inline constexpr int SINGLES = Action::COURSE - Action::DIVE;

struct Choices {
  // Kinds whose sets are filled in; the others are not even zeroed.
  enum Set : int { PLACES = 1, MINES = 2, TORPEDOES = 4, TRIGGERS = 8, OLD_MINES = 16 };
  int sets;
  int singles;
  u32 symbols;  // to cross out; bit 24 is the pretended mark
  u16 drones;   // bit 0 is sector 1
  u8 courses;   // bits N, S, E, W
  u8 charges;   // bit 0 is the empty mark, then the systems
  u16 judgements;  // bit n: the judgement whose bad sections are the bits of n
  u8 repairs, volcanoes, truly, sections, bad_sections, first, lost;
  bool stay_silent, silent, answer;
  std::array<u8, 4> silence;  // how far each heading is open
  u8 least;                   // the shortest silence that moves
  int at;                     // who answers is here
  Points place, mine, torpedo, trigger, old_mine;

  void clear() { std::memset(this, 0, offsetof(Choices, place)); }

  // Leaves out what no crew does that wants to play on: resigning, tracing or judging badly, and
  // marking the start again.
  void play_on() {
    singles &= ~single(Action::RESIGN);
    bad_sections = 0;
    judgements &= 1;
    if (singles & single(Action::DIVE)) sets &= ~PLACES;
  }
};

struct Actor {
  int crew, posts, systems, seat;  // seat NONE: the whole crew
};

inline Actor actor_of(const Sea& sea, int actor) {
  if (actor >= WHOLE_CREW) {
    int crew = actor - WHOLE_CREW;
    return {crew, sea.all_posts[crew], sea.all_held[crew], NONE};
  }
  int crew = actor / SEATS, seat = actor % SEATS;
  return {crew, sea.rules.posts[crew][seat], sea.rules.held[crew][seat], seat};
}

class Judge {
 public:
  Judge(const Sea& given, const State& now) : sea(given), rules(given.rules), state(now) {}

  void find(int actor, Choices& found) const {
    found.clear();
    if (actor == REFEREE) return referee(found);
    Actor who = actor_of(sea, actor);
    const Boat& boat = state.boats[who.crew];
    if (state.phase == Phase::OVER) return;
    if (state.phase == Phase::PLACING) {
      if (who.posts & CAPTAIN) placing(who.crew, found);
      return;
    }
    marks(who, boat, found);
    bool held = hindered(who.crew);
    if (who.systems && !held && !barred(boat))
      activations(who.crew, boat, who.systems, found);
    if (who.posts & CAPTAIN) captain(who.crew, boat, held, found);
    if (boat.tracing) tracing(who, boat, found);
    if (who.posts & ENGINEER) judging(who.crew, found);
  }

  // Whether anyone of the crew could activate anything now.
  bool could_activate(int crew) const {
    const Boat& boat = state.boats[crew];
    if (hindered(crew) || barred(boat)) return false;
    Choices found;
    found.clear();
    activations(crew, boat, rules.systems, found);
    return found.sets || found.stay_silent || found.drones || found.repairs || found.singles ||
           found.silence != std::array<u8, 4>{};
  }

  Points open_water(const Boat& boat) const {
    Points blocked = boat.covered | state.lava;
    if (rules.own_mine_blocks) blocked |= boat.mines;
    if (rules.old_mine_blocks) blocked |= state.old_mines;
    return rules.water & ~blocked;
  }

  int broken(const Boat& boat) const {
    int systems = 0;
    for (int colour = 0; colour < 3; ++colour)
      if (rules.colours[colour] & boat.crossed) systems |= rules.broken_by[colour];
    return systems;
  }

  u32 free_symbols(const Boat& boat) const {
    u32 due = rules.all_symbols;
    if (boat.cross == CrossDue::RADIATION) due = rules.radiation;
    if (boat.cross >= CrossDue::N && boat.cross <= CrossDue::W)
      due = rules.panels[boat.cross - CrossDue::N];
    return due & ~boat.crossed;
  }

  int repairable(int crew) const {
    int near = 0, at = state.boats[crew].at;
    for (int system = 0; system < 6; ++system)
      if (rules.repair_at[system].has(at)) near |= bit(system);
    return near & rules.systems & ~state.in_service[crew];
  }

 private:
  const Sea& sea;
  const Rules& rules;
  const State& state;

  bool hindered(int crew) const {
    if (state.phase != Phase::PLAYING || state.awaited || state.stop != NONE) return true;
    return state.turn != NONE ? state.turn != crew : state.surfaced[crew];
  }

  // The rest of activation_hindrance, for a crew that may act.
  bool barred(const Boat& boat) const {
    bool due = boat.owes_marks(), turns = state.turn != NONE;
    if (turns && !state.sailed && !rules.whole_turn) return true;
    if (rules.acknowledge_systems && due) return true;
    if (rules.whole_turn) return due && turns && state.sailed;
    if (boat.barred) return true;
    return !rules.blackout_systems && !open_courses(boat);
  }

  int open_courses(const Boat& boat) const {
    Points open = open_water(boat);
    int courses = 0;
    for (int heading = 0; heading < 4; ++heading) {
      int ahead = boat.at + STEPS[heading];
      if (ahead >= 0 && ahead < POINTS && open.has(ahead)) courses |= 1 << heading;
    }
    return courses;
  }

  bool marks_hindered(int crew) const {
    if (state.phase != Phase::PLAYING) return true;
    if (state.stop != NONE && !(state.stop_marks && state.stop == crew)) return true;
    return state.turn == NONE && state.surfaced[crew];
  }

  void placing(int crew, Choices& found) const {
    found.singles |= single(Action::RESIGN);
    if (state.dived[crew]) return;
    if (rules.starts[0] == NONE) {
      found.place = rules.old_mine_blocks ? rules.water & ~state.old_mines : rules.water;
      found.sets |= Choices::PLACES;
    }
    if (state.boats[crew].at != DOCK) found.singles |= single(Action::DIVE);
  }

  void marks(const Actor& who, const Boat& boat, Choices& found) const {
    bool charge = boat.charge != ChargeDue::NONE && who.posts & MATE;
    bool cross = boat.cross != CrossDue::NONE && who.posts & ENGINEER;
    if (!(charge || cross) || marks_hindered(who.crew)) return;
    if (charge) {
      int open = boat.charge == ChargeDue::BOX
                     ? rules.gauged & state.in_service[who.crew] & ~boat.ready
                     : 0;
      found.charges = static_cast<u8>(open ? open << 1 : 1);
    }
    if (cross)
      found.symbols = boat.cross == CrossDue::EMPTY ? 1u << SYMBOLS : free_symbols(boat);
  }

  void activations(int crew, const Boat& boat, int systems, Choices& found) const {
    systems &= at_hand(crew, boat);
    if (!systems) return;
    if (systems & bit(System::MINE)) {
      found.mine = sea.around[boat.at] & rules.water &
                   ~(boat.covered | boat.mines | state.old_mines | state.lava);
      if (found.mine.any()) found.sets |= Choices::MINES;
    }
    if (systems & bit(System::TORPEDO)) {
      found.torpedo = state.lava.any() ? sea.torpedo(boat.at, state.lava) : sea.reached[boat.at];
      if (found.torpedo.any()) found.sets |= Choices::TORPEDOES;
    }
    if (systems & bit(System::SILENCE) && !boat.owes_marks()) silences(boat, found);
    if (systems & bit(System::SCENARIO)) scenario(crew, found);
    if (systems & bit(System::DRONE))
      found.drones = static_cast<u16>((1 << rules.sector_count) - 1);
    if (systems & bit(System::SONAR)) found.singles |= single(Action::SONAR);
  }

  // Systems in service, charged, and not refused for a breakdown.
  int at_hand(int crew, const Boat& boat) const {
    int charged = rules.energy ? rules.affordable[boat.energy] : boat.ready;
    int systems = charged & state.in_service[crew];
    if (!systems || (!rules.broken_refused && !boat.owes_marks())) return systems;
    return systems & ~broken(boat);
  }

  void silences(const Boat& boat, Choices& found) const {
    Points open = open_water(boat);
    found.stay_silent = rules.silence_least == 0;
    found.least = rules.silence_least ? rules.silence_least : 1;
    for (int heading = 0; heading < 4; ++heading) {
      int at = boat.at, distance = 0;
      while (distance < rules.silence_most) {
        at += STEPS[heading];
        if (at < 0 || at >= POINTS || !open.has(at)) break;
        ++distance;
      }
      found.silence[heading] = static_cast<u8>(distance >= found.least ? distance : 0);
    }
  }

  void scenario(int crew, Choices& found) const {
    if (rules.special == Special::OLD_MINES) {
      found.old_mine = state.old_mines;
      if (found.old_mine.any()) found.sets |= Choices::OLD_MINES;
    } else {
      found.repairs = static_cast<u8>(repairable(crew));
    }
  }

  void captain(int crew, const Boat& boat, bool held, Choices& found) const {
    found.singles |= single(Action::RESIGN);
    if (boat.mines.any() && may_trigger(crew, boat)) {
      found.trigger = boat.mines & ~boat.unarmed;
      if (found.trigger.any()) found.sets |= Choices::TRIGGERS;
    }
    if (!held) return sailing(boat, found);
    if (state.awaited && state.awaited_crew == crew) awaited(crew, found);
    if (boat.tracing && boat.trace_ready && state.stop == NONE)
      found.singles |= single(Action::DIVE);
    else if (state.stop == crew && rules.captain_resumes)
      resume(found);
  }

  bool may_trigger(int crew, const Boat& boat) const {
    if (state.stop != NONE || state.awaited) return false;
    if (state.surfaced[crew] && !rules.trigger_while_surfaced) return false;
    if (state.turn != NONE && state.turn != crew && !state.announced) return false;
    return !(rules.trigger_needs_circuits && boat.crossed & rules.colours[0]);
  }

  void sailing(const Boat& boat, Choices& found) const {
    bool due = boat.owes_marks();
    if (state.turn != NONE && state.sailed) {
      if (!due) found.singles |= single(Action::END_TURN);
      return;
    }
    if (!due) found.courses = static_cast<u8>(open_courses(boat));
    if (!due || !rules.acknowledge_systems) found.singles |= single(Action::SURFACE);
  }

  void awaited(int crew, Choices& found) const {
    if (state.awaited == Awaits::VOLCANO) {
      found.volcanoes = static_cast<u8>((1 << rules.volcano_count) - 1);
    } else if (rules.answer_truly) {
      found.truly = 3;
    } else {
      found.answer = true;
      found.at = state.boats[crew].at;
    }
  }

  void resume(Choices& found) const {
    if (state.stop == NONE || state.awaited) return;
    if (state.stop_marks && state.boats[state.stop].owes_marks()) return;
    found.singles |= single(Action::RESUME);
  }

  void tracing(const Actor& who, const Boat& boat, Choices& found) const {
    if (state.stop != NONE) return;
    if (who.posts & ENGINEER && boat.trace_good && !boat.trace_ready)
      found.singles |= single(Action::READY);
    if (who.seat != NONE && who.seat != boat.holder) return;
    if (boat.trace_complete()) return;
    for (int section = 0; section < 4; ++section)
      if (!boat.strokes[section]) found.sections |= static_cast<u8>(1 << section);
    found.bad_sections = found.sections;
  }

  void judging(int crew, Choices& found) const {
    const Boat& enemy = state.boats[!crew];
    if (!enemy.tracing || state.stop != NONE || !rules.enemy_judges_trace) return;
    if (enemy.trace_complete() && !enemy.trace_good) found.judgements = 0xFFFF;
  }

  void referee(Choices& found) const {
    if (state.phase == Phase::OVER) return;
    found.lost = rules.real_time ? 3 : 15;
    if (state.phase == Phase::PLACING && state.first == NONE && !rules.real_time) found.first = 3;
    if (!rules.captain_resumes && state.phase == Phase::PLAYING) resume(found);
    if (state.awaited == Awaits::SONAR_ANSWER) awaited(state.awaited_crew, found);
  }
};

}  // namespace fathom
