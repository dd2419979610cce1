// The Python module. Arrays are plain bytes here; fathom.core gives them their names.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <memory>
#include <stdexcept>

#include "listing.hpp"
#include "batch.hpp"
#include "belief/belief.hpp"
#include "perft.hpp"
#include "playout.hpp"
#include "validity.hpp"

namespace nb = nanobind;
using namespace fathom;

namespace {

using Bytes = nb::ndarray<u8, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using ConstBytes = nb::ndarray<const u8, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Grid = nb::ndarray<u8, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using ConstGrid = nb::ndarray<const u8, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Numbers = nb::ndarray<const std::int32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Seeds = nb::ndarray<u64, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

nb::list describe(const std::vector<Field>& fields) {
  nb::list found;
  for (const Field& field : fields) {
    nb::object format = nb::cast(field.format);
    if (!field.fields.empty()) format = nb::make_tuple(describe(field.fields), field.size);
    found.append(nb::make_tuple(field.name, format, nb::tuple(nb::cast(field.shape)), field.offset));
  }
  return found;
}

void must(bool holds, const std::string& what) {
  if (!holds) throw std::invalid_argument(what);
}

template <class Array>
auto states_in(const Array& grid) {
  must(grid.shape(1) == sizeof(State), "a state has " + std::to_string(sizeof(State)) + " bytes");
  using Byte = std::remove_pointer_t<decltype(grid.data())>;
  using Target = std::conditional_t<std::is_const_v<Byte>, const State, State>;
  must(reinterpret_cast<std::uintptr_t>(grid.data()) % alignof(State) == 0, "states must be aligned");
  return reinterpret_cast<Target*>(grid.data());
}

void check_game(const Sea& sea, const State* states, std::size_t row) {
  if (const char* field = bad_field(sea.rules, states[row]))
    throw std::invalid_argument("state " + std::to_string(row) + " has a bad value: " + field);
}

// The states, after a look whether a game can be in them.
template <class Array>
auto games_in(const Sea& sea, const Array& grid) {
  auto* states = states_in(grid);
  for (std::size_t row = 0; row < grid.shape(0); ++row) check_game(sea, states, row);
  return states;
}

// One of the states, after the same.
template <class Array>
auto game_in(const Sea& sea, const Array& grid, int row) {
  auto* states = states_in(grid);
  must(row >= 0 && static_cast<std::size_t>(row) < grid.shape(0), "there is no such state");
  check_game(sea, states, row);
  return states + row;
}

template <class Numbers>
void same_length(const Numbers& numbers, std::size_t count, const char* name) {
  must(numbers.shape(0) == count,
       std::string(name) + ": " + std::to_string(count) + " are needed, not " +
           std::to_string(numbers.shape(0)));
}

void known_actor(const Sea& sea, int actor) {
  bool seat = actor >= 0 && actor < REFEREE && actor % SEATS < sea.rules.seat_count[actor / SEATS];
  must(seat || (actor >= REFEREE && actor < WHOLE_CREW + 2), "there is no actor " + std::to_string(actor));
}

std::unique_ptr<Sea> make_core(const ConstBytes& bytes) {
  must(bytes.shape(0) == sizeof(Rules), "the rules have " + std::to_string(sizeof(Rules)) + " bytes");
  Rules rules;
  std::memcpy(&rules, bytes.data(), sizeof rules);
  return std::make_unique<Sea>(rules);
}

void begin(const Sea& sea, const Grid& grid) {
  State* states = states_in(grid);
  for (std::size_t i = 0; i < grid.shape(0); ++i) states[i].begin(sea.rules);
}

void masks(const Sea& sea, const ConstGrid& grid, const Numbers& actors, const Grid& out) {
  const State* states = games_in(sea, grid);
  same_length(actors, grid.shape(0), "actors");
  must(out.shape(0) == grid.shape(0) && out.shape(1) == Action::COUNT, "the masks have a wrong shape");
  Choices found;
  for (std::size_t i = 0; i < grid.shape(0); ++i) {
    known_actor(sea, actors.data()[i]);
    Judge(sea, states[i]).find(actors.data()[i], found);
    u8* mask = out.data() + i * Action::COUNT;
    std::memset(mask, 0, Action::COUNT);
    write_mask(sea, found, mask);
  }
}

void check_legal(const Sea& sea, const State& state, int actor, int action) {
  known_actor(sea, actor);
  Choices found;
  Judge(sea, state).find(actor, found);
  if (!contains(sea, found, action))
    throw std::invalid_argument("action " + std::to_string(action) + " is not legal for actor " +
                                std::to_string(actor));
}

nb::object perform(const Sea& sea, const Grid& grid, int row, int actor, int action) {
  State* state = game_in(sea, grid, row);
  check_legal(sea, *state, actor, action);
  auto record = std::make_unique<Record>();
  Play<Record>(sea, *state, *record).perform(actor, action);
  std::size_t count = record->events.size();
  auto* data = reinterpret_cast<i16*>(record->events.data());
  nb::capsule owner(record.release(), [](void* held) noexcept { delete static_cast<Record*>(held); });
  return nb::ndarray<nb::numpy, i16, nb::ndim<2>>(data, {count, EVENT_COLUMNS}, owner).cast();
}

void perform_all(const Sea& sea, const Grid& grid, const Numbers& actors, const Numbers& actions) {
  State* states = games_in(sea, grid);
  same_length(actors, grid.shape(0), "actors");
  same_length(actions, grid.shape(0), "actions");
  for (std::size_t i = 0; i < grid.shape(0); ++i)
    check_legal(sea, states[i], actors.data()[i], actions.data()[i]);
  Nothing nothing;
  for (std::size_t i = 0; i < grid.shape(0); ++i)
    Play<Nothing>(sea, states[i], nothing).perform(actors.data()[i], actions.data()[i]);
}

u64 count_sequences(const Sea& sea, const ConstGrid& grid, int row, int depth) {
  const State* state = game_in(sea, grid, row);
  must(depth >= 1, "the depth must be at least 1");
  nb::gil_scoped_release free;
  return perft(sea, *state, depth);
}

using Weights = nb::ndarray<const u32, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Counts = nb::ndarray<std::int32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

void playouts(const Sea& sea, const Grid& grid, const Seeds& seeds, int most, const Weights& weights,
              const Counts& given) {
  State* states = games_in(sea, grid);
  std::size_t count = grid.shape(0);
  same_length(seeds, count, "seeds");
  same_length(given, count, "given");
  Policy policy;
  if (weights.shape(0)) {
    same_length(weights, Action::COUNT, "weights");
    policy.by_kind = true;
    std::memcpy(policy.weight.data(), weights.data(), sizeof policy.weight);
  }
  u64* states_of_dice = seeds.data();
  std::int32_t* orders = given.data();
  nb::gil_scoped_release free;
  for (std::size_t i = 0; i < count; ++i) {
    Random dice{states_of_dice[i]};
    orders[i] = play_out(sea, states[i], policy, dice, most);
    states_of_dice[i] = dice.state;
  }
}

template <class T>
using Array = nb::ndarray<T, nb::c_contig, nb::device::cpu>;

template <class T>
T* memory_of(const Array<T>& array, std::size_t size, const char* name) {
  must(array.size() == size, std::string(name) + " must have " + std::to_string(size) + " entries");
  return array.data();
}

// A batch, and the arrays that its memory belongs to.
class PyBatch {
 public:
  PyBatch(const Sea& sea, const BatchOptions& options, const Grid& states, const Array<u8>& planes,
          const Array<u8>& vector, const Array<u8>& masks, const Array<u8>& ended,
          const Array<float>& rewards, const Array<std::int32_t>& agents)
      : kept{nb::cast(states), nb::cast(planes),  nb::cast(vector), nb::cast(masks),
             nb::cast(ended),  nb::cast(rewards), nb::cast(agents)},
        rows(rows_of(sea, options)),
        batch(sea, options, buffers(sea, options, states, planes, vector, masks, ended, rewards, agents)) {}

  void step(const Numbers& actions) {
    same_length(actions, rows, "actions");
    const std::int32_t* chosen = actions.data();
    nb::gil_scoped_release free;
    batch.step(chosen);
  }

  void sample(const Counts& actions, const Seeds& seed) {
    same_length(actions, rows, "actions");
    same_length(seed, 1, "seed");
    Random dice{seed.data()[0]};
    batch.sample(actions.data(), dice);
    seed.data()[0] = dice.state;
  }

 private:
  std::vector<nb::object> kept;
  std::size_t rows;
  Batch batch;

  static std::size_t rows_of(const Sea& sea, const BatchOptions& options) {
    must(options.games > 0, "a batch has at least one game");
    int rows = sea.rules.real_time ? Batch::agent_count(sea, options.by_crew) : 1;
    return static_cast<std::size_t>(options.games) * rows;
  }

  static BatchBuffers buffers(const Sea& sea, const BatchOptions& options, const Grid& states,
                              const Array<u8>& planes, const Array<u8>& vector,
                              const Array<u8>& masks, const Array<u8>& ended,
                              const Array<float>& rewards, const Array<std::int32_t>& agents) {
    std::size_t games = options.games, rows = rows_of(sea, options);
    std::size_t plane = static_cast<std::size_t>(sea.rules.across) * sea.rules.down;
    must(states.shape(0) == games, "there must be a state for each game");
    return {states_in(states),
            memory_of(planes, rows * plane * Batch::plane_count(options), "planes"),
            memory_of(vector, rows * Entry::COUNT, "vector"),
            memory_of(masks, rows * Action::COUNT, "masks"),
            memory_of(ended, games, "ended"),
            memory_of(rewards, 2 * games, "rewards"),
            memory_of(agents, rows, "agents")};
  }
};

using Rows = nb::ndarray<const i16, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

void hear(Belief& belief, const Rows& rows) {
  must(rows.shape(1) == EVENT_COLUMNS, "an event has " + std::to_string(EVENT_COLUMNS) + " columns");
  for (std::size_t n = 0; n < rows.shape(0); ++n) {
    Event event;
    std::memcpy(&event, rows.data() + n * EVENT_COLUMNS, sizeof event);
    must(event.kind() >= 0 && event.kind() < EventKind::COUNT, "there is no such kind of event");
    belief.hear(event);
  }
}

nb::bytes mask_of(const Points& points) {
  return nb::bytes(reinterpret_cast<const char*>(points.word), sizeof points.word);
}

nb::list mines_of(const Belief& belief) {
  nb::list found;
  for (const Points& where : belief.mines()) found.append(mask_of(where));
  return found;
}

nb::list weights_of(const Belief& belief) {
  nb::list found;
  if (const auto* weights = belief.weights())
    for (double weight : *weights) found.append(weight);
  return found;
}

}  // namespace

NB_MODULE(_native, m) {
  m.attr("SHARED_HASH") = SHARED_HASH;
  m.def("layouts", [] {
    nb::dict found;
    found["rules"] = nb::make_tuple(describe(Rules::layout()), sizeof(Rules));
    found["state"] = nb::make_tuple(describe(State::layout()), sizeof(State));
    return found;
  });
  nb::class_<Sea>(m, "NativeCore")
      .def("__init__", [](Sea* self, const ConstBytes& rules) { new (self) Sea(*make_core(rules)); },
           nb::arg("rules"))
      .def("begin", &begin, nb::arg("states"))
      .def("masks", &masks, nb::arg("states"), nb::arg("actors"), nb::arg("out"))
      .def("perform", &perform, nb::arg("states"), nb::arg("row"), nb::arg("actor"), nb::arg("action"))
      .def("perform_all", &perform_all, nb::arg("states"), nb::arg("actors"), nb::arg("actions"))
      .def("perft", &count_sequences, nb::arg("states"), nb::arg("row"), nb::arg("depth"))
      .def("playouts", &playouts, nb::arg("states"), nb::arg("seeds"), nb::arg("most"),
           nb::arg("weights"), nb::arg("given"));
  nb::class_<Belief>(m, "NativeBelief")
      .def(
          "__init__",
          [](Belief* self, const Sea& sea, int target, bool likely, int budget) {
            must(target == 0 || target == 1, "the target is crew 0 or 1");
            new (self) Belief(sea, target, likely, budget);
          },
          nb::keep_alive<1, 2>(), nb::arg("core"), nb::arg("target"), nb::arg("likely"),
          nb::arg("budget"))
      .def("__copy__", [](const Belief& self) { return Belief(self); }, nb::keep_alive<0, 1>())
      .def("hear", &hear, nb::arg("rows"))
      .def("settle", &Belief::settle)
      .def("possible", [](const Belief& self) { return mask_of(self.possible()); })
      .def("exact", &Belief::exact)
      .def("mines", &mines_of)
      .def("weights", &weights_of);
  nb::class_<PyBatch>(m, "NativeBatch")
      .def(
          "__init__",
          [](PyBatch* self, const Sea& sea, int games, u64 seed, bool by_crew, bool everything,
             int limit, int patience, int pause, const Grid& states, const Array<u8>& planes,
             const Array<u8>& vector, const Array<u8>& masks, const Array<u8>& ended,
             const Array<float>& rewards, const Array<std::int32_t>& agents) {
            BatchOptions options{games, seed, by_crew, everything, limit, patience, pause};
            new (self) PyBatch(sea, options, states, planes, vector, masks, ended, rewards, agents);
          },
          nb::keep_alive<1, 2>(), nb::arg("core"), nb::kw_only(), nb::arg("games"), nb::arg("seed"),
          nb::arg("by_crew"), nb::arg("everything"), nb::arg("limit"), nb::arg("patience"), nb::arg("pause"),
          nb::arg("states"), nb::arg("planes"), nb::arg("vector"), nb::arg("masks"),
          nb::arg("ended"), nb::arg("rewards"), nb::arg("agents"))
      .def("step", &PyBatch::step, nb::arg("actions"))
      .def("sample", &PyBatch::sample, nb::arg("actions"), nb::arg("seed"));
}
