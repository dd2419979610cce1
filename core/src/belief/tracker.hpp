// Where a submarine can be: exactly the points that some history explains. The same search, step by
// step, as in fathom/belief/tracker.py and search.py, so that both run out of patience together.
#pragma once

#include "minefield.hpp"

namespace fathom {

class Tracker {
 public:
  std::vector<Lay> lays;

  Tracker(const Points& starts, int least_silence, int most_silence, bool mines_block, int budget)
      : patience(budget), least(least_silence), most(most_silence), blocks(mines_block) {
    restart(starts);
  }

  Patience patience;

  Points possible() const { return witnesses.points() | undecided; }

  bool exact() const {
    if (static_cast<int>(witnesses.size()) + undecided.count() == 1) return true;
    return !undecided.any() && !blurred;
  }

  // Where a mine may lie today.
  Points may_lie(const Lay& lay) const {
    if (!lay.living.any() || lay.forgotten) return lay.living;
    const Moment& moment = moments[lay.moment];
    const Leg& leg = legs[moment.leg];
    bool last = moment.leg + 1 == static_cast<int>(legs.size());
    Points where = Points::none();
    each(last ? possible() : leg.ends, [&](int end) {
      Points route = leg.points(end);
      if (!blocks) route &= ~moment.after.at(end);
      if (on_mask(end + moment.offset)) where |= lay.around(end + moment.offset) & ~route;
    });
    return where & lay.living;
  }

  // News

  void sail(int heading, const Points& water) {
    int step = STEPS[heading];
    legs.back().sail(step, water);
    for (int number : current) {
      moments[number].offset -= step;
      moments[number].after.sail(step);
    }
    const Points ends = legs.back().ends;
    std::vector<int> lost, open;
    each(undecided, [&](int point) { open.push_back(point + step); });
    Witnesses old;
    std::swap(old, witnesses);
    undecided = Points::none();
    for (const Witnesses::Entry& entry : old.entries()) {
      int ahead = entry.point + step;
      if (!holds(ends, ahead)) continue;
      const Witness& was = entry.witness;
      if (was.covered.has(ahead) || (blocks && was.mines.has(ahead))) {
        lost.push_back(ahead);
      } else {
        Witness now = was;
        now.covered.add(ahead);
        witnesses.put(ahead, now);
      }
    }
    lost.insert(lost.end(), open.begin(), open.end());
    settle(lost);
  }

  void run_silent(const Points& water) {
    if (legs.size() >= LONGEST_ROUTE) forget();
    close_leg(Joint::SILENCE, in_line(possible(), least, most, water), water);
    Witnesses old;
    std::swap(old, witnesses);
    undecided = Points::none();
    for (const Witnesses::Entry& entry : old.entries()) slip(entry.point, entry.witness, water);
    std::vector<int> missing;
    each(legs.back().ends & ~witnesses.points(), [&](int point) { missing.push_back(point); });
    settle(missing);
  }

  void see(const Points& points) {
    legs.back().ends &= points;
    witnesses.keep(points);
    undecided &= points;
  }

  void surface() {
    bool living = false;
    for (const Lay& lay : lays) living |= lay.living.any();
    if (!living) {
      lays.clear();
      begin_anew();
      return;
    }
    if (legs.size() >= LONGEST_ROUTE) forget();
    legs.back().closed.clear();
    for (const Witnesses::Entry& entry : witnesses.entries())
      legs.back().closed[entry.point] = entry.witness.joints;
    close_leg(Joint::SURFACING, possible(), Points::none());
    Witnesses afloat;
    for (const Witnesses::Entry& entry : witnesses.entries()) {
      Witness now{Points::of(entry.point), entry.witness.joints, entry.witness.mines};
      now.joints.push(entry.point);
      afloat.put(entry.point, now);
    }
    witnesses = std::move(afloat);
  }

  // Mines

  // A mine was laid, or there was room for one or for a course; its place among the lays.
  int note(const Points& room, bool phantom, bool to_sail) {
    int place = static_cast<int>(lays.size());
    lays.emplace_back(now(), room, phantom, to_sail);
    std::vector<int> cramped;
    for (const Witnesses::Entry& entry : witnesses.entries()) {
      Witness& witness = witnesses.get(entry.point);
      Points places = lays[place].around(entry.point) & ~witness.covered;
      if (blocks || !to_sail) places &= ~witness.mines;
      if (!places.any())
        cramped.push_back(entry.point);
      else if (!phantom)
        witness.mines.add(places.lowest());
    }
    recheck(cramped);
    return place;
  }

  // One of these mines exploded here.
  void burst(int at, const std::vector<int>& suspects) {
    if (suspects.size() == 1) lays[suspects[0]].living = Points::none();
    for (int lay : suspects)
      if (lays[lay].forgotten) return;
    bursts.push_back({at, now(), suspects});
    if (suspects.size() == 1) learn_late(lays[suspects[0]].moment, blast(Points::of(at)));
    std::vector<int> all;
    for (const Witnesses::Entry& entry : witnesses.entries()) all.push_back(entry.point);
    recheck(all);
  }

  // No mine lies on any of these points; on some it may have been destroyed unheard.
  void vanish(const Points& unheard, const Points& gone) {
    int when = now();
    for (Lay& lay : lays) {
      each(lay.living & unheard, [&](int at) { lay.dead.push_back({at, when}); });
      lay.living &= ~gone;
    }
    std::vector<int> doubtful;
    for (const Witnesses::Entry& entry : witnesses.entries())
      if ((entry.witness.mines & gone).any()) doubtful.push_back(entry.point);
    recheck(doubtful);
  }

 private:
  int least, most;
  bool blocks, blurred = false;
  std::vector<Leg> legs;
  Witnesses witnesses;
  Points undecided = Points::none();
  std::vector<Burst> bursts;
  std::vector<Moment> moments;
  std::vector<int> current;  // the moments of the current leg
  int counted = 0;

  void restart(const Points& starts) {
    legs.clear();
    legs.emplace_back(Joint::START, starts, Points::none());
    bursts.clear();
    current.clear();
    if (lays.empty()) moments.clear();
    witnesses.clear();
    undecided = Points::none();
    each(starts, [&](int point) { witnesses.put(point, {Points::of(point), {}}); });
  }

  void begin_anew() {
    blurred = !exact();
    restart(possible());
  }

  void forget() {
    for (Lay& lay : lays) {
      lay.living = may_lie(lay);
      lay.forgotten = true;
    }
    std::erase_if(lays, [](const Lay& lay) { return !lay.living.any(); });
    begin_anew();
    blurred = true;
  }

  void close_leg(Joint joint, const Points& ends, const Points& water) {
    legs.back().ends = possible();
    current.clear();
    legs.emplace_back(joint, ends, water);
  }

  int now() {
    int place = static_cast<int>(moments.size());
    moments.push_back({static_cast<int>(legs.size()) - 1, ++counted});
    current.push_back(place);
    return place;
  }

  void slip(int point, const Witness& witness, const Points& water) {
    Points blocked = witness.covered | ~water;
    if (blocks) blocked |= witness.mines;
    Witness after = witness;
    after.joints.push(point);
    if (least == 0 && !witnesses.has(point)) witnesses.put(point, after);
    for (int step : STEPS) {
      int at = point;
      after.covered = witness.covered;
      for (int distance = 1; distance <= most; ++distance) {
        at += step;
        if (!on_mask(at) || blocked.has(at)) break;
        after.covered.add(at);
        if (distance >= least && !witnesses.has(at)) witnesses.put(at, after);
      }
    }
  }

  void learn_late(int moment, const Points& points) {
    int leg = moments[moment].leg;
    legs[leg].ends &= points.shift(-moments[moment].offset);
    for (std::size_t later = leg + 1; later < legs.size(); ++later) {
      legs[later].pasts.clear();
      legs[later].asked = Points::none();
    }
  }

  // Ask these witnesses again whether the mines fit, and look for others where they don't.
  void recheck(const std::vector<int>& doubtful) {
    std::vector<int> lost, open;
    each(undecided, [&](int point) { open.push_back(point); });
    undecided = Points::none();
    for (int point : doubtful) {
      Places ends = witnesses.get(point).joints;
      ends.push(point);
      Points mines;
      bool fits = false;
      try {
        fits = mines_along(ends, mines);
      } catch (const OutOfPatience&) {
      }
      if (fits) {
        witnesses.get(point).mines = mines;
      } else {
        witnesses.drop(point);
        lost.push_back(point);
      }
    }
    lost.insert(lost.end(), open.begin(), open.end());
    settle(lost);
  }

  bool mines_along(const Places& ends, Points& mines) {
    mines = Points::none();
    bool any = false;
    for (const Lay& lay : lays) any |= !lay.forgotten;
    if (!any) return true;
    patience.spend();
    for (std::size_t place = 0; place < legs.size(); ++place)
      if (!legs[place].ends.has(ends.place[place])) return false;
    Path path(legs, moments, ends);
    int leg_count = static_cast<int>(legs.size());
    return Puzzle(path, lays, bursts, moments, blocks, patience, leg_count).solve(mines);
  }

  // Find a witness for each of these points, or drop it, or leave it open.
  void settle(const std::vector<int>& points) {
    const Points ends = legs.back().ends;
    for (int point : points) {
      if (!holds(ends, point)) continue;
      Witness found;
      try {
        if (!find(point, found)) continue;
      } catch (const OutOfPatience&) {
        undecided.add(point);
        continue;
      }
      witnesses.put(point, found);
    }
  }

  // Searching back. Joints are kept the last one first.

  int sought = 0;

  bool find(int end, Witness& found) {
    sought = end;
    return back(static_cast<int>(legs.size()) - 1, end, Points::none(), {}, Points::none(), found);
  }

  bool back(int place, int end, const Points& later, const Places& joints, const Points& dive,
            Witness& found) {
    if (!joints.empty()) {
      if (const std::vector<Past>* known = pasts(place, end))
        return look_through(place, *known, later, joints, dive, found);
    }
    patience.spend(3);
    const Leg& leg = legs[place];
    Points covered = leg.points(end) | later;
    if (leg.joint != Joint::SILENCE)
      return back_to_the_surface(place, joints, dive.any() ? dive : covered, found);
    return silences_back(place, end + leg.first, covered, [&](int point, const Points& line) {
      Places before = joints;
      before.push(point);
      return back(place - 1, point, line, before, dive, found);
    });
  }

  // All that this dive can have been before, if that is little; worked out once.
  const std::vector<Past>* pasts(int place, int end) {
    Leg& leg = legs[place];
    if (!leg.asked.has(end)) {
      std::vector<Past> found;
      bool few = all_pasts(place, end, found);
      if (few) leg.pasts[end] = std::move(found);
      leg.asked.add(end);
    }
    auto known = leg.pasts.find(end);
    return known == leg.pasts.end() ? nullptr : &known->second;
  }

  bool all_pasts(int place, int end, std::vector<Past>& found) {
    patience.spend(3);
    const Leg& leg = legs[place];
    Points body = leg.points(end);
    if (leg.joint != Joint::SILENCE) {
      found.push_back({body, {}});
      return true;
    }
    bool too_many = silences_back(place, end + leg.first, body, [&](int point, const Points& line) {
      const std::vector<Past>* before = pasts(place - 1, point);
      if (!before) return true;
      for (const Past& past : *before) {
        if ((past.covered & line).any()) continue;
        found.push_back({past.covered | line, past.ends});
        found.back().ends.push(point);
      }
      return found.size() > FEW_PASTS;
    });
    if (too_many) return false;
    patience.spend(static_cast<int>(found.size() >> 2));
    return true;
  }

  bool look_through(int place, const std::vector<Past>& known, const Points& later,
                    const Places& joints, const Points& dive, Witness& found) {
    patience.spend(1 + static_cast<int>(known.size() >> 4));
    for (const Past& past : known) {
      if ((past.covered & later).any()) continue;
      Places all = joints;
      for (int n = past.ends.size; n--;) all.push(past.ends.place[n]);
      Points route = dive.any() ? dive : past.covered | later;
      if (back_to_the_surface(place - past.ends.size, all, route, found)) return true;
    }
    return false;
  }

  bool back_to_the_surface(int place, const Places& joints, const Points& dive, Witness& found) {
    const Leg& leg = legs[place];
    if (leg.joint == Joint::START) return accept(joints, dive, found);
    const Leg& before = legs[place - 1];
    int end = (joints.empty() ? sought : joints.back()) + leg.first;
    if (!holds(before.ends, end)) return false;
    Places longer = joints;
    longer.push(end);
    auto known = before.closed.find(end);
    if (known != before.closed.end()) {
      Places whole = longer;
      for (int n = known->second.size; n--;) whole.push(known->second.place[n]);
      if (accept(whole, dive, found)) return true;
    }
    return back(place - 1, end, Points::none(), longer, dive, found);
  }

  bool accept(const Places& joints, const Points& covered, Witness& found) {
    Places ends = joints.reversed();
    found.joints = ends;
    found.covered = covered;
    ends.push(sought);
    return mines_along(ends, found.mines);
  }

  // From where a silence could lead here, with all that the route covers from then on; until `act`
  // says that it is enough.
  template <class Act>
  bool silences_back(int place, int first, const Points& covered, Act&& act) {
    const Points water = legs[place].water;
    const Leg& before = legs[place - 1];
    if (least == 0 && before.ends.has(first)) {
      Points line = covered;
      line.drop(first);
      if (!(before.points(first) & line).any() && act(first, line)) return true;
    }
    if (!water.has(first)) return false;
    for (int step : STEPS) {
      int at = first;
      Points line = covered;
      for (int distance = 1; distance <= most; ++distance) {
        at -= step;
        if (!on_mask(at) || line.has(at)) break;
        if (distance >= least && before.ends.has(at) && !(before.points(at) & line).any() &&
            act(at, line))
          return true;
        if (!water.has(at)) break;
        line.add(at);
      }
    }
    return false;
  }
};

}  // namespace fathom
