// Random numbers that every platform draws alike (SplitMix64).
#pragma once

#include "points.hpp"

namespace fathom {

struct Random {
  u64 state;

  u64 next() {
    u64 z = state += 0x9E3779B97F4A7C15ULL;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
    return z ^ (z >> 31);
  }
  // A number below `limit`, which is at most 2^32.
  u32 below(u32 limit) { return static_cast<u32>((next() >> 32) * limit >> 32); }
};

}  // namespace fathom
