// Carrying out legal orders: `decide` and `apply` of the Python engine in one step.
#pragma once

#include "choices.hpp"
#include "events.hpp"

namespace fathom {

template <class Events>
class Play {
 public:
  Play(const Sea& given, State& game, Events& told)
      : sea(given), rules(given.rules), state(game), events(told) {}

  // The action must be legal for the actor.
  void perform(int actor, int action) {
    if (actor == REFEREE) return for_referee(action);
    Actor who = actor_of(sea, actor);
    if (action >= Action::TRACE && action < Action::JUDGE) return trace(who, action);
    carry_out(who.crew, action);
  }

 private:
  const Sea& sea;
  const Rules& rules;
  State& state;
  Events& events;
  int last = NONE;  // the kind of the last event

  struct Explosion {
    int at, source, owner;
  };
  using Wave = std::vector<Explosion>;

  template <class... Values>
  void tell(int kind, int crew, Values... values) {
    last = kind;
    events.add({{static_cast<i16>(kind), static_cast<i16>(crew), static_cast<i16>(values)...}});
  }

  void carry_out(int crew, int action) {
    if (action < Action::COURSE) return plain(crew, action);
    if (action < Action::CHARGE) return course(crew, action - Action::COURSE);
    if (action < Action::CROSS_OUT) return charge(crew, action - Action::CHARGE - 1);
    if (action < Action::SILENCE) return cross_out(crew, action - Action::CROSS_OUT - 1);
    if (action < Action::MINE) return silence(crew, action - Action::SILENCE);
    if (action < Action::TORPEDO) return lay_mine(crew, point_of(action - Action::MINE));
    if (action < Action::TRIGGER) return torpedo(crew, point_of(action - Action::TORPEDO));
    if (action < Action::OLD_MINE) return trigger(crew, point_of(action - Action::TRIGGER));
    if (action < Action::PLACE) return old_mine(crew, point_of(action - Action::OLD_MINE));
    if (action < Action::DRONE) return place(crew, point_of(action - Action::PLACE));
    if (action < Action::REPAIR) return drone(crew, action - Action::DRONE + 1);
    if (action < Action::VOLCANO) return repair(crew, action - Action::REPAIR);
    if (action < Action::ANSWER_ROW_COLUMN) return volcano(crew, action - Action::VOLCANO + 1);
    if (action < Action::TRACE) return answer(crew, action);
    judge(crew, action - Action::JUDGE);
  }

  void plain(int crew, int action) {
    switch (action) {
      case Action::DIVE: return dive(crew);
      case Action::SURFACE: return surface(crew);
      case Action::END_TURN: return end_turn(crew, state.turns_left);
      case Action::RESUME: return resume();
      case Action::RESIGN: return end(!crew, Ending::END_RESIGN);
      case Action::SONAR: return sonar(crew);
      case Action::READY:
        state.boats[crew].trace_ready = 1;
        return tell(EventKind::ReadyReported, crew);
      default: return;
    }
  }

  void for_referee(int action) {
    if (action == Action::RESUME) return resume();
    if (action < Action::FIRST) return answer(state.awaited_crew, action);
    if (action < Action::LOST) {
      state.first = static_cast<i8>(action - Action::FIRST);
      tell(EventKind::FirstDrawn, state.first);
      return begin_if_ready();
    }
    int lost = action - Action::LOST;
    end(!(lost & 1), lost < 2 ? Ending::END_ABANDON : Ending::END_TIME);
  }

  // The end, and turns

  void end(int winner, int why) {
    state.phase = Phase::OVER;
    state.stop = state.awaited_crew = NONE;
    state.stop_marks = state.awaited = 0;
    state.winner = static_cast<i8>(winner);
    state.why = static_cast<i8>(why);
    tell(EventKind::GameEnded, winner, why);
  }

  bool losing(bool a, bool b, int by) {
    if (!a && !b) return false;
    if (a && b && rules.draw)
      end(NONE, Ending::END_DRAW);
    else if (a && b)
      end(!by, Ending::END_SUNK);
    else
      end(a ? 1 : 0, Ending::END_SUNK);
    return true;
  }

  bool sinking(int by) {
    return losing(state.damage[0] >= rules.sinks_at, state.damage[1] >= rules.sinks_at, by);
  }

  void pass_turn(int crew, int next, int turns) {
    state.turn = static_cast<i8>(next);
    state.turns_left = static_cast<u8>(turns - 1);
    state.sailed = state.announced = 0;
    state.surfaced[next] = 0;
    state.boats[next].unarmed = Points::none();
    tell(EventKind::TurnEnded, crew, next, turns);
  }

  void end_turn(int crew, int left) {
    if (left)
      pass_turn(crew, crew, left);
    else
      pass_turn(crew, !crew, 1);
  }

  // After an order that may close the turn: whether its activation and marks were made before it.
  void close_turn(bool over) {
    if (state.turn == NONE || !(over || rules.quick_ends)) return;
    if (last == EventKind::SonarUsed || last == EventKind::SystemFailed ||
        last == EventKind::VolcanoStirred || last == EventKind::GameEnded)
      return;
    if (over || nothing_left()) end_turn(state.turn, state.turns_left);
  }

  bool nothing_left() const {
    if (!state.sailed || state.phase != Phase::PLAYING || state.awaited) return false;
    return !state.boats[state.turn].owes_marks() && !Judge(sea, state).could_activate(state.turn);
  }

  // Whether the crew in turn owes no marks: taken before the order.
  bool marks_made() const { return state.turn != NONE && !state.boats[state.turn].owes_marks(); }

  // Beginning

  void place(int crew, int at) {
    state.boats[crew].begin_route(at);
    tell(EventKind::Placed, crew, at);
  }

  void dive(int crew) {
    Boat& boat = state.boats[crew];
    state.dived[crew] = 1;
    state.surfaced[crew] = 0;
    if (!rules.system_after_dive && !boat.barred) boat.barred = Bar::SURFACE_THEN_SYSTEM;
    boat.unarmed = Points::none();
    boat.locked = 0;
    if (boat.tracing) boat.begin_trace(0);
    boat.tracing = 0;
    tell(EventKind::Dived, crew);
    if (state.phase == Phase::PLACING) begin_if_ready();
  }

  void begin_if_ready() {
    if (!(state.dived[0] && state.dived[1]) || (!rules.real_time && state.first == NONE)) return;
    state.phase = Phase::PLAYING;
    int first = rules.real_time ? NONE : state.first;
    state.turn = static_cast<i8>(first);
    tell(EventKind::PlayBegan, first);
  }

  // Sailing

  void course(int crew, int heading) {
    Boat& boat = state.boats[crew];
    boat.barred = Bar::FREE;
    if (rules.acknowledge) {
      boat.charge = ChargeDue::BOX;
      boat.cross = static_cast<u8>(CrossDue::N + heading);
    }
    boat.enter(boat.at + STEPS[heading]);
    if (rules.real_time) boat.unarmed = Points::none();
    if (boat.energy < rules.energy) ++boat.energy;
    if (state.turn != NONE) state.sailed = state.announced = 1;
    tell(EventKind::CourseSet, crew, heading);
    if (rules.finish.has(boat.at)) return end(crew, Ending::END_GOAL);
    close_turn(!rules.acknowledge && rules.whole_turn);
  }

  void silence(int crew, int number) {
    bool over = !rules.acknowledge;
    if (fails(crew, System::SILENCE)) return close_turn(over);
    int heading = number ? (number - 1) / LONGEST_SILENCE : NONE;
    int distance = number ? (number - 1) % LONGEST_SILENCE + 1 : 0;
    Boat& boat = use(crew, System::SILENCE);
    stop(crew, rules.acknowledge);
    if (rules.acknowledge) owe_for_silence(boat, heading);
    bool finished = false;
    for (int n = 0; n < distance; ++n) {
      boat.enter(boat.at + STEPS[heading]);
      boat.silent.add(boat.at);
      finished |= rules.finish.has(boat.at);
    }
    tell(EventKind::RanSilent, crew, distance, heading);
    if (finished) return end(crew, Ending::END_GOAL);
    close_turn(over);
  }

  void owe_for_silence(Boat& boat, int heading) {
    if (rules.silence_is_course) boat.barred = Bar::FREE;
    if (heading != NONE) {
      boat.charge = rules.silence_charges ? ChargeDue::BOX : ChargeDue::NONE;
      boat.cross = static_cast<u8>(CrossDue::N + heading);
      return;
    }
    int empty = rules.silence_charges ? ChargeDue::EMPTY : ChargeDue::NONE;
    boat.charge = static_cast<u8>(rules.silence_zero_charges ? ChargeDue::BOX : empty);
    boat.cross = rules.silence_zero_marks ? CrossDue::ANY : CrossDue::EMPTY;
  }

  // Marks

  void charge(int crew, int system) {
    Boat& boat = state.boats[crew];
    bool over = boat.cross == CrossDue::NONE && (boat.barred || rules.whole_turn);
    boat.charge = ChargeDue::NONE;
    tell(EventKind::GaugeCharged, crew, system);
    if (system != NONE && ++boat.boxes[system] == rules.boxes[system]) {
      boat.ready |= static_cast<u8>(bit(system));
      tell(EventKind::SystemReady, crew, system);
    }
    close_turn(over);
  }

  void cross_out(int crew, int symbol) {
    Boat& boat = state.boats[crew];
    bool over = boat.charge == ChargeDue::NONE && (boat.barred || rules.whole_turn);
    boat.cross = CrossDue::NONE;
    tell(EventKind::SymbolCrossed, crew, symbol);
    if (symbol != NONE) {
      boat.crossed |= 1u << symbol;
      if (consequences(crew, boat, symbol)) return;
    }
    close_turn(over);
  }

  // What a mark brings about; whether the game ends.
  bool consequences(int crew, Boat& boat, int symbol) {
    int circuit = rules.circuit_of[symbol];
    bool hurts = !(rules.panel_of[symbol] & ~boat.crossed) || !(rules.radiation & ~boat.crossed);
    bool closes = circuit != NONE && !(rules.circuits[circuit] & ~boat.crossed);
    if (closes && (rules.repair_first || !hurts)) {
      boat.crossed &= ~rules.circuits[circuit];
      tell(EventKind::CircuitMended, crew, circuit);
      return false;
    }
    if (!hurts) return false;
    boat.crossed = 0;
    return damage(crew, Cause::BREAKDOWN);
  }

  bool damage(int crew, int cause) {
    ++state.damage[crew];
    tell(EventKind::Damaged, crew, 1, cause);
    return sinking(crew);
  }

  // Systems

  // A broken system fails where the rulebook lets it be ordered (breakdown.misuse).
  bool fails(int crew, int system) {
    Boat& boat = state.boats[crew];
    if (!(Judge(sea, state).broken(boat) & bit(system))) return false;
    boat.barred = Bar::SYSTEM_ONCE;
    boat.cross = CrossDue::RADIATION;
    stop(crew, rules.acknowledge);
    tell(EventKind::SystemFailed, crew, system);
    return true;
  }

  Boat& use(int crew, int system) {
    Boat& boat = state.boats[crew];
    boat.barred = Bar::SYSTEM_ONCE;
    boat.ready &= static_cast<u8>(~bit(system));
    boat.boxes[system] = 0;
    boat.energy -= rules.costs[system];
    return boat;
  }

  void stop(int crew, bool marks = false) {
    if (!rules.real_time) return;
    state.stop = static_cast<i8>(crew);
    state.stop_marks = marks;
  }

  void resume() {
    state.stop = NONE;
    state.stop_marks = 0;
    tell(EventKind::PlayResumed, NONE);
  }

  void lay_mine(int crew, int at) {
    bool over = marks_made();
    if (fails(crew, System::MINE)) return close_turn(over);
    Boat& boat = use(crew, System::MINE);
    boat.mines.add(at);
    if (!rules.armed_at_once) boat.unarmed.add(at);
    weapon_used(crew);
    tell(EventKind::MineLaid, crew, at);
    stir(crew);
    close_turn(over);
  }

  void torpedo(int crew, int target) {
    bool over = marks_made();
    if (fails(crew, System::TORPEDO)) return close_turn(over);
    use(crew, System::TORPEDO);
    weapon_used(crew);
    tell(EventKind::TorpedoFired, crew, target);
    explode({{target, Source::TORPEDO, crew}}, crew);
    if (!state.over()) stir(crew);
    close_turn(over);
  }

  void weapon_used(int crew) {
    stop(crew);
    if (rules.volcano_gauge && state.volcano_events < LAST_VOLCANO_EVENT) ++state.volcano_marks[crew];
  }

  void trigger(int crew, int at) {
    stop(crew);
    if (state.turn == crew) state.announced = 1;
    tell(EventKind::MineTriggered, crew, at);
    explode({{at, Source::MINE, crew}}, crew);
  }

  void old_mine(int crew, int at) {
    bool over = marks_made();
    if (fails(crew, System::SCENARIO)) return close_turn(over);
    use(crew, System::SCENARIO);
    stop(crew);
    tell(EventKind::OldMineDetonated, crew, at);
    explode({{at, Source::OLD_MINE, NONE}}, crew);
    close_turn(over);
  }

  void repair(int crew, int system) {
    bool over = marks_made();
    if (fails(crew, System::SCENARIO)) return close_turn(over);
    use(crew, System::SCENARIO);
    stop(crew);
    state.in_service[crew] |= static_cast<u8>(bit(system));
    tell(EventKind::SystemRepaired, crew, system);
    close_turn(over);
  }

  void drone(int crew, int sector) {
    bool over = marks_made();
    if (fails(crew, System::DRONE)) return close_turn(over);
    use(crew, System::DRONE);
    stop(crew);
    int found = sea.sector[state.boats[!crew].at] == sector ? Answer::YES : Answer::NO;
    if (state.smoke && sea.sector[rules.volcanoes[state.smoke - 1]] == sector)
      found = Answer::TOXIC_SMOKE;
    tell(EventKind::DroneLaunched, crew, sector, found);
    close_turn(over);
  }

  void sonar(int crew) {
    bool over = marks_made();
    if (fails(crew, System::SONAR)) return close_turn(over);
    use(crew, System::SONAR);
    stop(crew);
    await(Awaits::SONAR_ANSWER, !crew);
    tell(EventKind::SonarUsed, crew);
    close_turn(over);
  }

  void await(int what, int crew) {
    state.awaited = static_cast<u8>(what);
    state.awaited_crew = static_cast<i8>(crew);
  }

  void answer(int crew, int action) {
    bool over = marks_made();
    int at = state.boats[crew].at, row = 0, column = 0, sector = 0;
    if (action >= Action::ANSWER_TRULY) {
      row = action == Action::ANSWER_TRULY ? row_of(at) : 0;
      column = row ? 0 : column_of(at);
    } else if (action >= Action::ANSWER_COLUMN_SECTOR) {
      column = (action - Action::ANSWER_COLUMN_SECTOR) / SECTORS + 1;
      sector = (action - Action::ANSWER_COLUMN_SECTOR) % SECTORS + 1;
    } else if (action >= Action::ANSWER_ROW_SECTOR) {
      row = (action - Action::ANSWER_ROW_SECTOR) / SECTORS + 1;
      sector = (action - Action::ANSWER_ROW_SECTOR) % SECTORS + 1;
    } else {
      row = (action - Action::ANSWER_ROW_COLUMN) / SIDE + 1;
      column = (action - Action::ANSWER_ROW_COLUMN) % SIDE + 1;
    }
    await(Awaits::NONE, NONE);
    tell(EventKind::SonarAnswered, crew, row, column, sector);
    close_turn(over);
  }

  // Explosions

  void explode(Wave wave, int by) {
    while (!wave.empty()) {
      Points here = Points::none();
      for (const Explosion& each : wave) {
        here.add(each.at);
        Points gone = Points::of(each.at);
        if (each.source == Source::MINE) state.boats[each.owner].lose_mines(gone);
        if (each.source == Source::OLD_MINE) state.old_mines &= ~gone;
      }
      for (const Explosion& each : wave) blast_one(each);
      destroy(here);
      if (sinking(by)) return;
      wave.clear();
      if (rules.blast_chain) set_off(blast(here), wave);
    }
  }

  void blast_one(const Explosion& what) {
    std::array<int, 2> hit, hurt;
    for (int crew = 0; crew < 2; ++crew) {
      hit[crew] = hit_of(what, crew);
      hurt[crew] = hit[crew] == Hit::DIRECT     ? rules.blast_direct
                   : hit[crew] == Hit::INDIRECT ? rules.blast_near
                                                : 0;
      state.damage[crew] = static_cast<u16>(state.damage[crew] + hurt[crew]);
    }
    tell(EventKind::Exploded, what.owner, what.at, what.source, hit[0], hit[1], hurt[0], hurt[1]);
  }

  int hit_of(const Explosion& what, int crew) const {
    if (what.owner == crew && !rules.blast_self) return Hit::MISS;
    int at = state.boats[crew].at;
    if (at == what.at) return Hit::DIRECT;
    return rules.blast_near && sea.around[at].has(what.at) ? Hit::INDIRECT : Hit::MISS;
  }

  void destroy(const Points& here) {
    for (int crew = 0; crew < 2; ++crew) {
      Points lost = state.boats[crew].mines & here;
      if (!lost.any()) continue;
      state.boats[crew].lose_mines(lost);
      each(lost, [&](int at) { tell(EventKind::MineDestroyed, crew, at); });
    }
    Points lost = state.old_mines & here;
    if (!lost.any()) return;
    state.old_mines &= ~lost;
    each(lost, [&](int at) { tell(EventKind::OldMineDestroyed, NONE, at); });
  }

  void set_off(const Points& near, Wave& wave) const {
    for (int crew = 0; crew < 2; ++crew)
      each(state.boats[crew].mines & near, [&](int at) { wave.push_back({at, Source::MINE, crew}); });
    each(state.old_mines & near, [&](int at) { wave.push_back({at, Source::OLD_MINE, NONE}); });
  }

  // Volcanoes

  void stir(int crew) {
    int number = state.volcano_events + 1;
    if (!rules.volcano_gauge || number > LAST_VOLCANO_EVENT || state.volcano_marks[crew] < rules.volcano_gauge) return;
    state.volcano_marks[crew] = 0;
    state.volcano_events = static_cast<u8>(number);
    state.smoke = 0;
    if (number > 1) await(Awaits::VOLCANO, crew);
    tell(EventKind::VolcanoStirred, crew, number);
    if (number > 1) return;
    Wave eruption;
    for (int n = 0; n < rules.volcano_count; ++n)
      eruption.push_back({rules.volcanoes[n], Source::VOLCANO, NONE});
    explode(eruption, crew);
  }

  void volcano(int crew, int number) {
    bool over = marks_made();
    await(Awaits::NONE, NONE);
    if (state.volcano_events < LAST_VOLCANO_EVENT) {
      state.smoke = static_cast<u8>(number);
      tell(EventKind::VolcanoNamed, crew, number, Effect::SMOKE);
      return close_turn(over);
    }
    const Points& lava = rules.lava[number - 1];
    state.lava = lava;
    state.old_mines &= ~lava;
    for (Boat& boat : state.boats) boat.lose_mines(lava);
    tell(EventKind::VolcanoNamed, crew, number, Effect::LAVA);
    losing(lava.has(state.boats[0].at), lava.has(state.boats[1].at), crew);
    close_turn(over);
  }

  // Surfacing

  void surface(int crew) {
    Boat& boat = state.boats[crew];
    if (rules.thin_ice.has(boat.at) && damage(crew, Cause::ICE)) return;
    boat.charge = ChargeDue::NONE;
    boat.cross = CrossDue::NONE;
    boat.begin_route(boat.at);
    if (rules.tracing()) {
      boat.locked = 1;
      boat.begin_trace(rules.engineer_seat[crew]);
    } else {
      boat.crossed = 0;
    }
    float_up(crew);
    bool exact = rules.surfacing_tells_point;
    tell(EventKind::Surfaced, crew, exact ? 0 : sea.sector[boat.at], exact ? boat.at : NONE);
    bool several = rules.surfacing == Surfacing::THREE_TURNS;
    if (state.turn != NONE) pass_turn(crew, !crew, several ? rules.surfacing_turns : 1);
  }

  void float_up(int crew) {
    if (rules.surfacing == Surfacing::SIGNAL) {
      state.stop = static_cast<i8>(crew);
      state.stop_marks = 0;
    } else if (rules.surfacing != Surfacing::PASS) {
      state.surfaced[crew] = 1;
      state.dived[crew] = !rules.tracing();
    }
  }

  void trace(const Actor& who, int action) {
    Boat& boat = state.boats[who.crew];
    bool good = action < Action::TRACE_BADLY;
    int section = action - (good ? Action::TRACE : Action::TRACE_BADLY);
    int seat = boat.holder;
    bool fourth = std::popcount(traced(boat)) == 3;
    boat.strokes[section] = good ? Stroke::GOOD : Stroke::BAD;
    boat.traced_by[section] = static_cast<u8>(seat);
    boat.holder = static_cast<u8>((seat + 1) % rules.seat_count[who.crew]);
    tell(EventKind::SectionTraced, who.crew, seat, section + 1, good);
    if (!fourth || rules.enemy_judges_trace) return;
    int bad = 0;
    for (int n = 0; n < 4; ++n) bad |= (boat.strokes[n] == Stroke::BAD) << n;
    judged(who.crew, bad);
  }

  static u32 traced(const Boat& boat) {
    u32 done = 0;
    for (int n = 0; n < 4; ++n) done |= (boat.strokes[n] != 0) << n;
    return done;
  }

  void judge(int crew, int bad) { judged(!crew, bad); }

  void judged(int crew, int bad) {
    Boat& boat = state.boats[crew];
    if (!bad) {
      boat.trace_good = 1;
      boat.crossed = 0;
    } else if (rules.redo_whole_trace) {
      boat.begin_trace(rules.engineer_seat[crew]);
    } else {
      for (int n = 0; n < 4; ++n)
        if (bad >> n & 1) boat.strokes[n] = boat.traced_by[n] = 0;
    }
    tell(EventKind::TraceJudged, crew, bad);
  }
};

}  // namespace fathom
