// Sets of points, as in fathom/points.py: point 16 * row + column is a bit; column 15 is land.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

namespace fathom {

using u8 = std::uint8_t;
using i8 = std::int8_t;
using u16 = std::uint16_t;
using i16 = std::int16_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;

inline constexpr int POINTS = 256;
inline constexpr std::array<int, 4> STEPS = {-16, 16, 1, -1};

struct Points {
  u64 word[4];

  static Points none() { return {{0, 0, 0, 0}}; }
  static Points of(int point) {
    Points set = none();
    set.add(point);
    return set;
  }

  bool has(int point) const { return word[point >> 6] >> (point & 63) & 1; }
  void add(int point) { word[point >> 6] |= u64{1} << (point & 63); }
  void drop(int point) { word[point >> 6] &= ~(u64{1} << (point & 63)); }
  bool any() const { return (word[0] | word[1] | word[2] | word[3]) != 0; }
  int count() const {
    return std::popcount(word[0]) + std::popcount(word[1]) + std::popcount(word[2]) +
           std::popcount(word[3]);
  }
  // The lowest point; there must be one.
  int lowest() const {
    for (int i = 0; i < 3; ++i)
      if (word[i]) return 64 * i + std::countr_zero(word[i]);
    return 192 + std::countr_zero(word[3]);
  }
  // The point that has `place` lower ones in the set.
  int nth(int place) const {
    for (int i = 0; i < 4; ++i) {
      int here = std::popcount(word[i]);
      if (place < here) {
        u64 left = word[i];
        while (place--) left &= left - 1;
        return 64 * i + std::countr_zero(left);
      }
      place -= here;
    }
    return -1;
  }

  friend Points operator&(Points a, const Points& b) {
    for (int i = 0; i < 4; ++i) a.word[i] &= b.word[i];
    return a;
  }
  friend Points operator|(Points a, const Points& b) {
    for (int i = 0; i < 4; ++i) a.word[i] |= b.word[i];
    return a;
  }
  friend Points operator^(Points a, const Points& b) {
    for (int i = 0; i < 4; ++i) a.word[i] ^= b.word[i];
    return a;
  }
  friend Points operator~(Points a) {
    for (int i = 0; i < 4; ++i) a.word[i] = ~a.word[i];
    return a;
  }
  Points& operator&=(const Points& b) { return *this = *this & b; }
  Points& operator|=(const Points& b) { return *this = *this | b; }
  friend bool operator==(const Points& a, const Points& b) { return !(a ^ b).any(); }

  // All points moved by `by` bits up or down; what leaves the 256 bits is gone.
  Points up(int by) const {
    Points moved = none();
    if (by >= POINTS) return moved;
    int whole = by >> 6, part = by & 63;
    for (int i = 3; i >= whole; --i) {
      moved.word[i] = word[i - whole] << part;
      if (part && i > whole) moved.word[i] |= word[i - whole - 1] >> (64 - part);
    }
    return moved;
  }
  Points down(int by) const {
    Points moved = none();
    if (by >= POINTS) return moved;
    int whole = by >> 6, part = by & 63;
    for (int i = 0; i + whole < 4; ++i) {
      moved.word[i] = word[i + whole] >> part;
      if (part && i + whole < 3) moved.word[i] |= word[i + whole + 1] << (64 - part);
    }
    return moved;
  }
  Points shift(int step) const { return step > 0 ? up(step) : down(-step); }
};

template <class Do>
void each(const Points& set, Do&& act) {
  for (int i = 0; i < 4; ++i)
    for (u64 left = set.word[i]; left; left &= left - 1) act(64 * i + std::countr_zero(left));
}

// The four neighbours along rows and columns.
inline Points cross(const Points& set) { return set.up(1) | set.down(1) | set.up(16) | set.down(16); }

// The points and their eight neighbours.
inline Points blast(const Points& set) {
  Points rows = set | set.up(1) | set.down(1);
  return rows | rows.up(16) | rows.down(16);
}

// Where at most `steps` steps along rows and columns lead through `water`.
inline Points reach(Points set, int steps, const Points& water) {
  for (int i = 0; i < steps; ++i) set |= cross(set) & water;
  return set;
}

}  // namespace fathom
