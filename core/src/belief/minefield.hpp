// The tracked crew's mines, as in fathom/belief/minefield.py.
#pragma once

#include "route.hpp"

namespace fathom {

inline constexpr int NEVER = 1 << 30;

// A mine that was laid; or, as a phantom, the room there was for one or for a course.
struct Lay {
  int moment;  // its place among the moments
  Points room, living;
  bool phantom, to_sail, armed = false, forgotten = false;
  struct Death {
    int at, when;
  };
  std::vector<Death> dead;  // where it would have been destroyed unheard, and at which moment

  Lay(int laid, const Points& where, bool nothing, bool sailing)
      : moment(laid), room(where), living(nothing ? Points::none() : where), phantom(nothing),
        to_sail(sailing) {}

  Points around(int at) const {
    Points here = Points::of(at);
    return (to_sail ? cross(here) : blast(here)) & room;
  }
};

struct Burst {
  int at, when;
  std::vector<int> lays;  // which it may have been, by their places
};

// One history laid out on the chart: the points of every leg and silence.
class Path {
 public:
  Path(const std::vector<Leg>& route, const std::vector<Moment>& when, const Places& where)
      : legs(route), moments(when), ends(where) {
    for (std::size_t place = 0; place < legs.size(); ++place) {
      bodies[place] = legs[place].points(ends.place[place]);
      lines[place] = place && legs[place].joint == Joint::SILENCE
                         ? between(ends.place[place - 1], first(static_cast<int>(place)))
                         : Points::none();
    }
  }

  int at(int moment) const { return ends.place[moments[moment].leg] + moments[moment].offset; }

  // The route since the last surfacing, as it was then.
  Points covered(int moment) const {
    int place = moments[moment].leg;
    Points mask = bodies[place] & ~after(moment);
    for (; legs[place].joint == Joint::SILENCE; --place) mask |= lines[place] | bodies[place - 1];
    return mask;
  }

  // The points entered after one moment, up to another or, for NONE, to now.
  Points entered(int since, int until = NONE) const {
    int from = moments[since].leg;
    int last = until != NONE ? moments[until].leg : static_cast<int>(legs.size()) - 1;
    Points mask = after(since);
    if (until != NONE && last == from) return mask & ~after(until);
    for (int place = from + 1; place <= last; ++place) {
      Points fresh = newly(place);
      if (until != NONE && place == last) fresh &= ~after(until);
      mask |= fresh;
    }
    return mask;
  }

 private:
  const std::vector<Leg>& legs;
  const std::vector<Moment>& moments;
  Places ends;
  std::array<Points, LONGEST_ROUTE + 4> bodies, lines;

  int first(int place) const { return ends.place[place] + legs[place].first; }
  Points after(int moment) const {
    return moments[moment].after.at(ends.place[moments[moment].leg]);
  }
  // What a leg and the silence before it entered; standing still enters nothing.
  Points newly(int place) const {
    Points mask = bodies[place] | lines[place];
    if (first(place) == ends.place[place - 1]) mask.drop(first(place));
    return mask;
  }
};

// Which mine lay where, on one path.
class Puzzle {
 public:
  Puzzle(const Path& history, const std::vector<Lay>& all, const std::vector<Burst>& heard,
         const std::vector<Moment>& when, bool mines_block, Patience& steps, int leg_count)
      : path(history), every(all), bursts(heard), moments(when), blocks(mines_block), patience(steps) {
    place_of.assign(every.size(), NONE);
    for (std::size_t n = 0; n < every.size(); ++n) {
      if (every[n].forgotten) continue;
      place_of[n] = static_cast<int>(lays.size());
      lays.push_back(&every[n]);
    }
    patience.spend(1 + (leg_count + 3 * static_cast<int>(lays.size())) / 2);
    for (const Lay* lay : lays)
      rooms.push_back(lay->around(path.at(lay->moment)) & ~path.covered(lay->moment));
    exploded.assign(lays.size(), NONE);
    chosen.assign(lays.size(), NONE);
  }

  // Whether some layout fits; `lying` is then where the living mines lie in it.
  bool solve(Points& lying) {
    for (const Points& room : rooms)
      if (!room.any()) return false;
    return explain(0, lying);
  }

 private:
  const Path& path;
  const std::vector<Lay>& every;
  const std::vector<Burst>& bursts;
  const std::vector<Moment>& moments;
  bool blocks;
  Patience& patience;
  std::vector<const Lay*> lays;
  std::vector<int> place_of, exploded, chosen;  // of each mine the burst that it was, and its point
  std::vector<Points> rooms, places;

  bool explain(std::size_t number, Points& lying) {
    patience.spend();
    if (number == bursts.size()) {
      places.clear();
      for (std::size_t mine = 0; mine < lays.size(); ++mine)
        places.push_back(places_for(static_cast<int>(mine)));
      return lay_out(0, lying);
    }
    const Burst& burst = bursts[number];
    for (int lay : burst.lays) {
      int mine = place_of[lay];
      if (exploded[mine] != NONE || !could_be(mine, burst)) continue;
      exploded[mine] = static_cast<int>(number);
      if (explain(number + 1, lying)) return true;
      exploded[mine] = NONE;
    }
    return false;
  }

  bool could_be(int mine, const Burst& burst) const {
    if (!rooms[mine].has(burst.at)) return false;
    return !(blocks && path.entered(lays[mine]->moment, burst.when).has(burst.at));
  }

  // Where a mine may have been laid, apart from the other mines.
  Points places_for(int mine) const {
    const Lay& lay = *lays[mine];
    if (exploded[mine] != NONE) return Points::of(bursts[exploded[mine]].at);
    if (lay.phantom) return rooms[mine];
    Points found = lay.living;
    if (blocks) found &= ~path.entered(lay.moment);
    for (const Lay::Death& death : lay.dead)
      if (!(blocks && path.entered(lay.moment, death.when).has(death.at))) found.add(death.at);
    return found & rooms[mine];
  }

  bool lay_out(std::size_t mine, Points& lying) {
    if (mine == lays.size()) {
      lying = Points::none();
      for (std::size_t n = 0; n < lays.size(); ++n)
        if (exploded[n] == NONE && lays[n]->living.has(chosen[n])) lying.add(chosen[n]);
      return true;
    }
    Points open = places[mine] & ~taken(static_cast<int>(mine));
    for (; open.any();) {
      int at = open.lowest();
      open.drop(at);
      patience.spend(2);
      chosen[mine] = at;
      if (lay_out(mine + 1, lying)) return true;
    }
    return false;
  }

  // Where other mines lay when this one was laid.
  Points taken(int mine) const {
    Points mask = Points::none();
    if (lays[mine]->to_sail && !blocks) return mask;
    int number = moments[lays[mine]->moment].number;
    for (int n = 0; n < mine; ++n)
      if (number < end_of(n)) mask.add(chosen[n]);
    return mask;
  }

  // The moment, by its number, from which a mine no longer lies on its point.
  int end_of(int mine) const {
    const Lay& lay = *lays[mine];
    if (lay.phantom) return 0;
    if (exploded[mine] != NONE) return moments[bursts[exploded[mine]].when].number;
    for (const Lay::Death& death : lay.dead)
      if (death.at == chosen[mine]) return moments[death.when].number;
    return NEVER;
  }
};

}  // namespace fathom
