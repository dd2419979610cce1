// How likely each possible point is, as in fathom/belief/likelihood.py.
#pragma once

#include <cmath>

#include "route.hpp"

namespace fathom {

class Odds {
 public:
  std::array<double, POINTS> weight{};

  Odds(const Points& possible, int least_silence, int most_silence)
      : least(least_silence), most(most_silence) {
    share_out(possible);
  }

  const Points& points() const { return members; }

  void sail(int heading, const Points& water) {
    int step = STEPS[heading];
    std::array<double, POINTS> after{};
    Points moved = Points::none();
    each(members, [&](int point) {
      int ways = 0;
      for (int way : STEPS)
        if (way != astern && holds(water, point + way)) ++ways;
      // Points may leave the chart here; they are not possible and drop out in `keep`.
      if (!on_mask(point + step)) return;
      after[point + step] = weight[point] * (ways ? std::pow(ways, -FREEDOM) : 1.0);
      moved.add(point + step);
    });
    weight = after;
    members = moved;
    astern = -step;
  }

  void slip(const Points& water) {
    astern = 0;
    std::array<double, POINTS> after{};
    Points reached = Points::none();
    each(members, [&](int point) { spread(point, water, after, reached); });
    weight = after;
    members = reached;
  }

  void surface() { astern = 0; }

  void keep(const Points& possible) {
    double total = 0;
    each(members & possible, [&](int point) { total += weight[point]; });
    if (total == 0) return share_out(possible);
    double share = DOUBT / possible.count();
    std::array<double, POINTS> kept{};
    Points both = members & possible;
    each(possible, [&](int point) {
      kept[point] = (both.has(point) ? weight[point] : 0.0) / total * (1 - DOUBT) + share;
    });
    weight = kept;
    members = possible;
  }

 private:
  int least, most;
  int astern = 0;  // the step back to where the submarine came from, if that is known
  Points members = Points::none();

  void share_out(const Points& possible) {
    weight = {};
    members = possible;
    int count = possible.count();
    each(possible, [&](int point) { weight[point] = 1.0 / count; });
  }

  void spread(int point, const Points& water, std::array<double, POINTS>& after, Points& reached) const {
    struct End {
      int at;
      double odds;
    };
    std::array<End, 1 + 4 * LONGEST_SILENCE> ends;
    int size = 0;
    double total = 0;
    auto add = [&](int at, double odds) {
      ends[size++] = {at, odds};
      total += odds;
    };
    if (least == 0) add(point, 1.0);
    for (int step : STEPS) {
      int at = point;
      for (int distance = 1; distance <= most; ++distance) {
        at += step;
        if (!holds(water, at)) break;
        if (distance >= least) add(at, 1 + FARTHER * distance);
      }
    }
    for (int n = 0; n < size; ++n) {
      after[ends[n].at] += weight[point] * (ends[n].odds / total);
      reached.add(ends[n].at);
    }
  }
};

}  // namespace fathom
