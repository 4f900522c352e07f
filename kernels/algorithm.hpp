// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string_view>

#include "kernels/problem.hpp"
#include "kernels/schedule.hpp"

namespace breakeven {

/// What an algorithm asks of the number of processes: a fact beside it, not a branch inside it.
struct Needs {
  std::string_view words;  ///< "p a power of two"
  bool (*met)(int procs);
};
inline constexpr Needs kAnyProcs{"any p", [](int) { return true; }};
inline constexpr Needs kPowerOfTwo{"p a power of two",
                                   [](int procs) { return (procs & (procs - 1)) == 0; }};

/// The cost that an algorithm's source states, for the busiest rank: what a schedule's counted
/// cost is compared with. Volumes are in parts of the vector's m bytes.
struct Cost {
  int rounds = 0;
  double sent = 0;     ///< bytes sent / m
  double reduced = 0;  ///< bytes that take part in a local reduction / m
};

/// One row of the catalogue: all that the CLI, the harness, the tests and the tables know of an
/// algorithm.
struct Algorithm {
  std::string_view name;  ///< the literature's name
  Needs needs{};
  bool ordered = false;  ///< operands stay in rank order, so the operation need not commute
  Schedule (*build)(const Problem& problem) = nullptr;
  Cost (*cost)(int procs) = nullptr;
  std::string_view source;  ///< where the algorithm is published
};

}  // namespace breakeven
