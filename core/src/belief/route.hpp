// A heard route, as in fathom/belief/route.py: courses are rigid, silences and surfacings are joints.
#pragma once

#include <map>
#include <vector>

#include "../state.hpp"

namespace fathom {


// Points relative to a leg's last one, which stands at bit ANCHOR of twice as many.
struct Shape {
  u64 word[8] = {};

  static Shape here() {
    Shape shape;
    shape.word[ANCHOR >> 6] = 1;
    return shape;
  }
  // One more course: all points move back, and the new last one is added.
  void sail(int step) {
    Shape moved;
    int by = step > 0 ? step : -step;
    for (int i = 0; i < 8; ++i) {
      if (step > 0)
        moved.word[i] = word[i] >> by | (i < 7 ? word[i + 1] << (64 - by) : 0);
      else
        moved.word[i] = word[i] << by | (i > 0 ? word[i - 1] >> (64 - by) : 0);
    }
    moved.word[ANCHOR >> 6] |= 1;
    *this = moved;
  }
  // The points on the chart when the last one is at `end`.
  Points at(int end) const {
    int by = ANCHOR - end, whole = by >> 6, part = by & 63;
    Points points;
    for (int i = 0; i < 4; ++i) {
      u64 low = word[i + whole] >> part;
      u64 high = part && i + whole < 7 ? word[i + whole + 1] << (64 - part) : 0;
      points.word[i] = low | high;
    }
    return points;
  }
};

// A few places in a row, without an allocation.
struct Places {
  std::array<u8, LONGEST_ROUTE + 4> place;
  u8 size = 0;

  void push(int point) { place[size++] = static_cast<u8>(point); }
  int back() const { return place[size - 1]; }
  bool empty() const { return size == 0; }
  Places reversed() const {
    Places turned;
    for (int n = size; n--;) turned.push(place[n]);
    return turned;
  }
};

// What later facts may refer to, such as the laying of a mine.
struct Moment {
  int leg, number;
  int offset = 0;  // from the leg's last point back to where the submarine was
  Shape after{};   // the leg's points since then
};

enum class Joint { START, SILENCE, SURFACING };

// A dive up to the end of one leg: what it covered, and where each leg before ended.
struct Past {
  Points covered;
  Places ends;
};

// The courses between two joints: a rigid shape, and where it may end.
struct Leg {
  Joint joint;
  Shape shape = Shape::here();
  int first = 0;  // from the last point back to the first
  Points ends, water;
  std::map<int, Places> closed;            // of a leg that ended with a surfacing: a history to each end
  std::map<int, std::vector<Past>> pasts;  // of a closed leg, where they are few
  Points asked = Points::none();           // ends whose pasts were worked out; there may be too many

  Leg(Joint how, const Points& where, const Points& sea) : joint(how), ends(where), water(sea) {}

  void sail(int step, const Points& sea) {
    shape.sail(step);
    first -= step;
    ends = ends.shift(step) & sea;
  }
  Points points(int end) const { return shape.at(end); }
};

inline bool on_mask(int point) { return point >= 0 && point < POINTS; }
inline bool holds(const Points& set, int point) { return on_mask(point) && set.has(point); }

// The points strictly between two points of the same row or column.
inline Points between(int one, int other) {
  int low = one < other ? one : other, high = one < other ? other : one;
  int step = high - low < 16 ? 1 : 16;
  Points mask = Points::none();
  for (int point = low + step; point < high; point += step) mask.add(point);
  return mask;
}

// Where silences from these points can lead, the route left aside.
inline Points in_line(const Points& points, int least, int most, const Points& water) {
  Points reached = least == 0 ? points : Points::none();
  for (int step : STEPS) {
    Points line = points;
    for (int distance = 1; distance <= most; ++distance) {
      line = line.shift(step) & water;
      if (distance >= least) reached |= line;
    }
  }
  return reached;
}

// One history that explains all that was heard: it shows that a point is possible.
struct Witness {
  Points covered;
  Places joints;  // where each earlier leg ended
  Points mines = Points::none();
};

// Witnesses by their points, in the order in which they came, like a Python dict.
class Witnesses {
 public:
  struct Entry {
    int point;
    Witness witness;
  };

  Witnesses() { index.fill(-1); }
  const std::vector<Entry>& entries() const { return all; }
  const Points& points() const { return members; }
  bool has(int point) const { return index[point] >= 0; }
  std::size_t size() const { return all.size(); }
  Witness& get(int point) { return all[index[point]].witness; }

  void put(int point, const Witness& witness) {
    if (has(point)) {
      get(point) = witness;
      return;
    }
    index[point] = static_cast<i16>(all.size());
    members.add(point);
    all.push_back({point, witness});
  }
  void drop(int point) {
    int place = index[point];
    all.erase(all.begin() + place);
    index[point] = -1;
    members.drop(point);
    for (std::size_t n = place; n < all.size(); ++n) index[all[n].point] = static_cast<i16>(n);
  }
  void clear() {
    for (const Entry& entry : all) index[entry.point] = -1;
    all.clear();
    members = Points::none();
  }
  void keep(const Points& points) {
    std::vector<Entry> old;
    old.swap(all);
    Witnesses kept;
    for (const Entry& entry : old)
      if (points.has(entry.point)) kept.put(entry.point, entry.witness);
    *this = std::move(kept);
  }

 private:
  std::vector<Entry> all;
  std::array<i16, POINTS> index;
  Points members = Points::none();
};

// How long one piece of news may be thought about: counted, not timed.
struct OutOfPatience {};

struct Patience {
  int budget, left;

  explicit Patience(int steps) : budget(steps), left(steps) {}
  void renew() { left = budget; }
  void spend(int steps = 1) {
    left -= steps;
    if (left < 0) throw OutOfPatience{};
  }
};

}  // namespace fathom
