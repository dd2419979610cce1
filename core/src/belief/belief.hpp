// What each announcement tells about where a submarine is, as in fathom/belief/evidence.py.
#pragma once

#include <optional>

#include "../events.hpp"
#include "odds.hpp"
#include "tracker.hpp"

namespace fathom {

class Belief {
 public:
  Belief(const Sea& given, int whose, bool likely, int budget)
      : sea(&given), target(whose), old_mines(given.rules.old_mines),
        in_service(given.rules.in_service),
        tracker(starts(given, whose), given.rules.silence_least, given.rules.silence_most,
                given.rules.own_mine_blocks, budget) {
    if (likely) odds.emplace(possible(), rules().silence_least, rules().silence_most);
  }

  Points possible() const { return tracker.possible(); }
  bool exact() const { return tracker.exact() && blasts.empty() && !flowing.any(); }

  // For each mine that may still lie somewhere, all points where it may lie.
  std::vector<Points> mines() const {
    std::vector<Points> found;
    for (const Lay& lay : tracker.lays)
      if (Points where = tracker.may_lie(lay); where.any()) found.push_back(where);
    return found;
  }

  const std::array<double, POINTS>* weights() const { return odds ? &odds->weight : nullptr; }

  // Take an event in, as far as it is announced.
  void hear(const Event& event) {
    if (!announced(event.kind()) && event.kind() < EventKind::SilenceHeard) return;
    take(heard(event));
  }

  // All announcements of an order have been heard, and the game goes on.
  void settle() {
    tracker.patience.renew();
    conclude();
  }

 private:
  const Sea* sea;
  int target;
  Points lava = Points::none(), old_mines, flowing = Points::none();
  int in_service;
  bool struck_ice = false;
  int triggered = NONE;
  std::vector<Event> blasts;  // the explosions of one order, until it is known that there are no more
  Tracker tracker;
  std::optional<Odds> odds;

  const Rules& rules() const { return sea->rules; }

  static Points starts(const Sea& sea, int whose) {
    const Rules& rules = sea.rules;
    if (rules.starts[whose] != NONE) return Points::of(rules.starts[whose]);
    return rules.old_mine_blocks ? rules.water & ~rules.old_mines : rules.water;
  }

  Points way() const {
    Points open = rules().water & ~lava;
    return rules().old_mine_blocks ? open & ~old_mines : open;
  }
  Points water() const { return way() & ~rules().finish; }
  Points mine_room() const { return rules().water & ~lava & ~old_mines; }

  static bool activation(int kind) {
    return kind == EventKind::MineLaidHeard || kind == EventKind::TorpedoFired ||
           kind == EventKind::DroneLaunched || kind == EventKind::SonarUsed ||
           kind == EventKind::SilenceHeard || kind == EventKind::OldMineDetonated ||
           kind == EventKind::SystemRepaired || kind == EventKind::SystemFailed;
  }

  void take(const Event& news) {
    tracker.patience.renew();
    int kind = news.kind();
    if (kind == EventKind::GameEnded) {
      blasts.clear();
      flowing = Points::none();
      return;
    }
    if (kind != EventKind::Exploded && kind != EventKind::OldMineDestroyed) conclude();
    bool own = news.crew() == target;
    if (own && activation(kind) && !rules().blackout_systems && !rules().whole_turn)
      tracker.note(way(), true, true);
    learn(news, own);
    weigh(kind, own, news.value(0));
  }

  void learn(const Event& news, bool own) {
    switch (news.kind()) {
      case EventKind::Exploded: return exploded(news);
      case EventKind::OldMineDestroyed: return old_mines.drop(news.value(0));
      case EventKind::VolcanoNamed: return volcano(news);
      case EventKind::TurnEnded:
        if (news.value(0) == target) arm();
        return;
      case EventKind::DroneLaunched:
        if (!own) drone(news);
        return;
      default:
        if (own) of_target(news);
    }
  }

  // News of the submarine itself.
  void of_target(const Event& news) {
    switch (news.kind()) {
      case EventKind::CourseSet:
        tracker.sail(news.value(0), water());
        if (rules().real_time) arm();
        return;
      case EventKind::SilenceHeard: return tracker.run_silent(water());
      case EventKind::Surfaced: return surfaced(news);
      case EventKind::Damaged:
        if (news.value(1) != Cause::ICE) return;
        struck_ice = true;
        return tracker.see(rules().thin_ice);
      case EventKind::Dived: return arm();
      case EventKind::MineLaidHeard: {
        int lay = tracker.note(mine_room(), false, false);
        tracker.lays[lay].armed = rules().armed_at_once;
        return;
      }
      case EventKind::MineTriggered: triggered = news.value(0); return;
      case EventKind::TorpedoFired: return tracker.see(reached(news.value(0)));
      case EventKind::SonarAnswered: return sonar(news);
      case EventKind::SystemFailed: return failed(news.value(0));
      case EventKind::SystemRepaired:
        tracker.see(sea->shores(1 << news.value(0)));
        in_service |= 1 << news.value(0);
        return;
      default: return;
    }
  }

  void surfaced(const Event& news) {
    if (news.value(1) != NONE) tracker.see(Points::of(news.value(1)));
    if (news.value(0)) tracker.see(sea->sector_points[news.value(0)]);
    const Points& thin = rules().thin_ice;
    tracker.see(struck_ice ? thin : ~thin);
    struck_ice = false;
    tracker.surface();
  }

  void arm() {
    for (Lay& lay : tracker.lays) lay.armed = true;
  }

  // Explosions

  void exploded(const Event& news) {
    blasts.push_back(news);
    see_hit(news);
    int at = news.value(0), source = news.value(1);
    if (source == Source::MINE && news.crew() == target) tracker.burst(at, suspects(at));
    if (source == Source::OLD_MINE) old_mines.drop(at);
  }

  void see_hit(const Event& news) {
    if (news.crew() == target && !rules().blast_self) return;
    Points point = Points::of(news.value(0));
    Points around = rules().blast_near ? blast(point) : point;
    int hit = news.value(2 + target);
    if (hit == Hit::DIRECT)
      tracker.see(point);
    else if (hit == Hit::INDIRECT)
      tracker.see(around & ~point);
    else
      tracker.see(~around);
  }

  // The mines that may have exploded here; a triggered one was armed.
  std::vector<int> suspects(int at) {
    bool by_captain = triggered == at;
    triggered = NONE;
    std::vector<int> found;
    for (std::size_t n = 0; n < tracker.lays.size(); ++n) {
      const Lay& lay = tracker.lays[n];
      if ((lay.armed || !by_captain) && tracker.may_lie(lay).has(at))
        found.push_back(static_cast<int>(n));
    }
    return found;
  }

  // Draw the conclusions that had to wait.
  void conclude() {
    if (!blasts.empty()) {
      last_wave();
      weigh();
    }
    if (flowing.any()) {
      Points gone = flowing;
      flowing = Points::none();
      tracker.see(~gone);
      tracker.vanish(gone, gone);
      weigh();
    }
  }

  // Mines that were not heard do not lie near what exploded.
  void last_wave() {
    std::size_t together = blasts[0].value(1) == Source::VOLCANO ? rules().volcano_count : 1;
    Points first = Points::none(), everything = Points::none();
    for (std::size_t n = 0; n < blasts.size(); ++n) {
      if (n < together) first.add(blasts[n].value(0));
      everything.add(blasts[n].value(0));
    }
    blasts.clear();
    tracker.vanish(first, rules().blast_chain ? first | blast(everything) : first);
  }

  void volcano(const Event& news) {
    if (news.value(1) != Effect::LAVA) return;
    flowing = rules().lava[news.value(0) - 1];
    lava |= flowing;
    old_mines &= ~flowing;
  }

  // Systems

  // What a torpedo reaches from here; and from where it reaches here.
  Points reached(int at) const {
    Points inside;
    if (rules().torpedo_by_sector) {
      inside = sea->sector_points[sea->sector[at]];
    } else {
      Points open = rules().torpedo_over_islands ? rules().chart_points : rules().water & ~lava;
      inside = reach(Points::of(at), rules().torpedo_range, open);
    }
    if (!rules().torpedo_own_point) inside.drop(at);
    return inside;
  }

  void drone(const Event& news) {
    if (news.value(1) == Answer::TOXIC_SMOKE) return;
    const Points& inside = sea->sector_points[news.value(0)];
    tracker.see(news.value(1) == Answer::YES ? inside : ~inside);
  }

  void sonar(const Event& news) {
    // One fact is true; of two exactly one is.
    Points told = Points::none();
    if (int row = news.value(0))
      for (int x = 0; x < 16; ++x) told.add((row - 1) * 16 + x);
    if (int column = news.value(1)) {
      Points down = Points::none();
      for (int y = 0; y < 16; ++y) down.add(y * 16 + column - 1);
      told = told ^ down;
    }
    if (int sector = news.value(2)) told = told ^ sea->sector_points[sector];
    tracker.see(told);
  }

  // An order to a broken system would otherwise have been in order (breakdown.misuse).
  void failed(int system) {
    if (system == System::MINE) tracker.note(mine_room(), true, false);
    if (system == System::SILENCE && rules().silence_least > 0) tracker.note(way(), true, true);
    if (system == System::TORPEDO && !rules().torpedo_own_point) {
      Points open = rules().water & ~lava, could = Points::none();
      each(possible(), [&](int at) {
        if ((reached(at) & open).any()) could.add(at);
      });
      tracker.see(could);
    }
    if (system == System::SCENARIO && rules().special == Special::DAMAGED)
      tracker.see(sea->shores(rules().systems & ~in_service));
  }

  // Carry the likelihoods on.
  void weigh(int kind = NONE, bool own = false, int heading = 0) {
    if (!odds) return;
    bool sailed = own && kind == EventKind::CourseSet, slipped = own && kind == EventKind::SilenceHeard;
    if (sailed) odds->sail(heading, water());
    if (slipped) odds->slip(water());
    if (own && kind == EventKind::Surfaced) odds->surface();
    Points now = possible();
    if (sailed || slipped || odds->points().count() != now.count()) odds->keep(now);
  }
};

}  // namespace fathom
