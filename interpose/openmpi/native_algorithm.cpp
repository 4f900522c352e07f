// SPDX-License-Identifier: BSD-3-Clause
// Open MPI's components call the functions of its algorithms by their names, so those of a
// preloaded library run first.
#include "interpose/native_algorithm.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <cstdint>
#include <string_view>

namespace breakeven::interpose {

namespace {

struct Observed {
  Collective collective{};
  MPI_Comm comm = MPI_COMM_NULL;  ///< of the call; null: none is observed
  const libraries::LibraryAlgorithm* algorithm = nullptr;
};
constinit thread_local Observed observed{};

const libraries::LibraryAlgorithm* algorithm_of(std::string_view function) {
  const auto found = std::ranges::find(libraries::openmpi_algorithms(), function,
                                       &libraries::LibraryAlgorithm::function);
  return found == libraries::openmpi_algorithms().end() ? nullptr : &*found;
}

/// An argument: a pointer, a handle or a count. The functions have up to eleven, on all versions,
/// and what lies behind them on the stack does no harm.
using Word = std::intptr_t;
using Function = Word (*)(Word, Word, Word, Word, Word, Word, Word, Word, Word, Word, Word);

/// A function of the library behind the one of its name here.
struct Behind {
  explicit Behind(const char* name)
      : function{reinterpret_cast<Function>(dlsym(RTLD_NEXT, name))},
        algorithm{algorithm_of(name)} {}

  template <typename... Words>
  Word operator()(Words... words) const {
    const bool of_call = observed.comm != MPI_COMM_NULL &&
                         algorithm->collective == observed.collective &&
                         ((words == reinterpret_cast<Word>(observed.comm)) || ...);
    if (of_call) observed.algorithm = algorithm;
    return function(words...);
  }

  Function function;
  const libraries::LibraryAlgorithm* algorithm;
};

}  // namespace

DerivedAlgorithm derived_algorithm(const executor::MpiCall& /*call*/, const NodeLayout& /*layout*/,
                                   bool /*shares_memory*/) {
  return {};
}

Observation::Observation(Collective collective, MPI_Comm comm) noexcept {
  observed = {collective, comm};
}
Observation::~Observation() { observed = {}; }
const libraries::LibraryAlgorithm* Observation::algorithm() const noexcept {
  return observed.algorithm;
}

#define OBSERVE(name)                                                                           \
  extern "C" [[gnu::visibility("default")]] Word name(                                          \
      Word a, Word b, Word c, Word d, Word e, Word f, Word g, Word h, Word i, Word j, Word k) { \
    static const Behind behind{#name};                                                          \
    return behind(a, b, c, d, e, f, g, h, i, j, k);                                             \
  }
#include "interpose/observed_functions.inc"  // made by CMake

}  // namespace breakeven::interpose
