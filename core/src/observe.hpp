// What a seat sees, as bytes; fathom/core/observation.py says what they mean.
#pragma once

#include <algorithm>

#include "choices.hpp"
#include "events.hpp"

namespace fathom {

// The last announcements, the newest first, as each crew tells them.
struct Heard {
  std::array<std::array<u8, HEARD * HEARD_FIELDS>, 2> told;

  void clear() { std::memset(this, 0, sizeof *this); }

  void add(const Event& event) {
    int kind = event.kind();
    if (!announced(kind) || forgotten(kind)) return;
    Event said = heard(event);
    for (int crew = 0; crew < 2; ++crew) {
      u8* entry = told[crew].data();
      std::memmove(entry + HEARD_FIELDS, entry, told[crew].size() - HEARD_FIELDS);
      entry[0] = static_cast<u8>(said.kind() + 1);
      entry[1] = static_cast<u8>(said.crew() == NONE ? 0 : said.crew() == crew ? 1 : 2);
      for (int n = 2; n < HEARD_FIELDS; ++n) entry[n] = clipped(said.column[n] + 1);
      if (kind == EventKind::Exploded && crew == 1) std::swap(entry[4], entry[5]);
    }
  }

 private:
  static bool forgotten(int kind) {
    return kind == EventKind::FirstDrawn || kind == EventKind::PlayBegan ||
           kind == EventKind::PlayResumed || kind == EventKind::TurnEnded ||
           kind == EventKind::GameEnded;
  }
  static u8 clipped(int value) { return static_cast<u8>(std::min(value, 255)); }
};

// Whose eyes: a seat's, or those of a crew as one player.
struct Eyes {
  int crew, sheets, seat;
  bool engineer;

  Eyes(const Sea& sea, int actor) {
    Actor who = actor_of(sea, actor);
    crew = who.crew;
    seat = who.seat;
    sheets = seat == NONE ? 0xFF : sea.rules.sees[crew][seat];
    engineer = who.posts & ENGINEER;
  }
  bool see(int sheet) const { return sheets >> sheet & 1; }
};

class Observer {
 public:
  explicit Observer(const Sea& given) : sea(given), rules(given.rules) {
    for (int byte = 0; byte < 256; ++byte) {
      u8 bits[8];
      for (int n = 0; n < 8; ++n) bits[n] = byte >> n & 1;
      std::memcpy(&spread[byte], bits, 8);
    }
    for (int n = 0; n < rules.volcano_count; ++n) volcanoes.add(rules.volcanoes[n]);
  }

  int plane_size() const { return rules.across * rules.down; }

  void planes(const State& state, const Eyes& eyes, u8* out) const {
    const Boat& boat = state.boats[eyes.crew];
    const Points none = Points::none();
    bool helm = eyes.see(Sheet::HELM);
    plane(out, Plane::SEA, rules.water & ~state.lava);
    plane(out, Plane::AT, helm && boat.at != DOCK ? Points::of(boat.at) : none);
    plane(out, Plane::ROUTE, helm ? boat.covered : none);
    plane(out, Plane::SILENT, helm ? boat.silent : none);
    plane(out, Plane::MINES, helm ? boat.mines : none);
    plane(out, Plane::UNARMED, helm ? boat.unarmed : none);
    plane(out, Plane::OLD_MINES, state.old_mines);
    plane(out, Plane::THIN_ICE, rules.thin_ice);
    plane(out, Plane::VOLCANOES, volcanoes);
    plane(out, Plane::SMOKE,
          state.smoke ? sea.sector_points[sea.sector[rules.volcanoes[state.smoke - 1]]] : none);
    plane(out, Plane::FINISH, rules.finish);
    int disabled = rules.systems & ~state.in_service[eyes.crew];
    plane(out, Plane::SHORES, disabled ? sea.shores(disabled) : none);
  }

  // One plane of 0 and 1, by rows.
  void plane(u8* out, int number, const Points& set) const {
    const int size = plane_size(), across = rules.across;
    u8* row = out + number * size;
    if (!set.any()) {
      std::memset(row, 0, size);
      return;
    }
    for (int y = 0; y < rules.down; ++y, row += across) {
      u32 bits = static_cast<u32>(set.word[y >> 2] >> (y & 3) * 16);
      if (across == 10) {
        std::memcpy(row, &spread[bits & 255], 8);
        std::memcpy(row + 8, &spread[bits >> 8 & 255], 2);
      } else if (across == 15) {
        std::memcpy(row, &spread[bits & 255], 8);
        std::memcpy(row + 8, &spread[bits >> 8 & 255], 7);
      } else {
        for (int x = 0; x < across; ++x) row[x] = bits >> x & 1;
      }
    }
  }

  void vector(const State& state, const Eyes& eyes, const Heard& heard, u8* out) const {
    std::memset(out, 0, Entry::HEARD);
    table(state, eyes.crew, out);
    sheets(state, eyes, out);
    std::memcpy(out + Entry::HEARD, heard.told[eyes.crew].data(), heard.told[eyes.crew].size());
  }

 private:
  const Sea& sea;
  const Rules& rules;
  std::array<u64, 256> spread;
  Points volcanoes = Points::none();

  // Own and enemy's, of something that one crew has or none.
  static void whose(u8* out, int entry, int crew, int of) {
    if (of != NONE) out[entry + (of != crew)] = 1;
  }
  template <class T>
  static void both(u8* out, int entry, int crew, const Two<T>& values) {
    out[entry] = static_cast<u8>(std::min<int>(values[crew], 255));
    out[entry + 1] = static_cast<u8>(std::min<int>(values[!crew], 255));
  }
  static void flags(u8* out, int entry, u32 bits, int size) {
    for (int n = 0; n < size; ++n) out[entry + n] = bits >> n & 1;
  }

  // What everyone knows.
  void table(const State& state, int crew, u8* out) const {
    out[Entry::PHASE + state.phase] = 1;
    both(out, Entry::DIVED, crew, state.dived);
    both(out, Entry::SURFACED, crew, state.surfaced);
    whose(out, Entry::TURN, crew, state.turn);
    out[Entry::TURNS_LEFT] = state.turns_left;
    out[Entry::SAILED] = state.sailed;
    out[Entry::ANNOUNCED] = state.announced;
    whose(out, Entry::STOP, crew, state.stop);
    out[Entry::STOP_FOR_MARKS] = state.stop_marks;
    if (state.awaited == Awaits::SONAR_ANSWER)
      whose(out, Entry::ANSWER_AWAITED, crew, state.awaited_crew);
    if (state.awaited == Awaits::VOLCANO)
      whose(out, Entry::VOLCANO_AWAITED, crew, state.awaited_crew);
    both(out, Entry::DAMAGE, crew, state.damage);
    flags(out, Entry::IN_SERVICE_OWN, state.in_service[crew], 6);
    flags(out, Entry::IN_SERVICE_ENEMY, state.in_service[!crew], 6);
    both(out, Entry::VOLCANO_MARKS, crew, state.volcano_marks);
    out[Entry::VOLCANO_EVENTS] = state.volcano_events;
    out[Entry::SMOKE_VOLCANO] = state.smoke;
    if (!state.over()) return;
    whose(out, Entry::RESULT, crew, state.winner);
    out[Entry::RESULT + 2] = state.winner == NONE;
  }

  // The crew's sheets, as far as the seat sees them.
  void sheets(const State& state, const Eyes& eyes, u8* out) const {
    const Boat& boat = state.boats[eyes.crew];
    out[Entry::CHARGE_DUE + boat.charge] = 1;
    out[Entry::CROSS_DUE + boat.cross] = 1;
    out[Entry::BARRED + boat.barred] = 1;
    flags(out, Entry::READY, boat.ready, 6);
    if (eyes.see(Sheet::HELM) && boat.at != DOCK) {
      out[Entry::PLACE] = static_cast<u8>(row_of(boat.at));
      out[Entry::PLACE + 1] = static_cast<u8>(column_of(boat.at));
      out[Entry::PLACE + 2] = sea.sector[boat.at];
    }
    if (eyes.see(Sheet::GAUGES)) {
      std::memcpy(out + Entry::BOXES, boat.boxes.data(), 6);
      out[Entry::ENERGY] = boat.energy;
    }
    if (eyes.see(Sheet::ENGINE)) flags(out, Entry::CROSSED, boat.crossed, SYMBOLS);
    if (eyes.see(Sheet::RADIO)) out[Entry::RADIO_LOCKED] = boat.locked;
    if (boat.tracing) {
      out[Entry::TRACING] = 1;
      std::memcpy(out + Entry::SECTIONS, boat.strokes.data(), 4);
      out[Entry::TRACE_GOOD] = boat.trace_good;
      out[Entry::TRACE_READY] = boat.trace_ready;
      out[Entry::SHEET_IN_HAND] = eyes.seat == NONE || eyes.seat == boat.holder;
    }
    const Boat& enemy = state.boats[!eyes.crew];
    if (eyes.engineer && enemy.tracing) {
      out[Entry::ENEMY_TRACING] = 1;
      std::memcpy(out + Entry::ENEMY_SECTIONS, enemy.strokes.data(), 4);
      out[Entry::ENEMY_TRACE_GOOD] = enemy.trace_good;
    }
  }
};

}  // namespace fathom
