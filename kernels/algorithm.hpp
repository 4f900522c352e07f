// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/problem.hpp"
#include "kernels/schedule.hpp"

namespace breakeven {

/// What an algorithm asks of a problem: a fact beside it, not a branch inside it.
struct Needs {
  std::string_view words;  ///< "p a power of two"
  /// Whether it can run with these processes and parameters.
  /// @throws UsageError when a parameter can't be understood.
  bool (*met)(const Problem& problem);
};
inline constexpr Needs kAnyProcs{"any p", [](const Problem&) { return true; }};
inline constexpr Needs kPowerOfTwo{
    "p a power of two", [](const Problem& op) { return (op.procs & (op.procs - 1)) == 0; }};
inline constexpr Needs kEvenProcs{
    "p even, or 1", [](const Problem& op) { return op.procs % 2 == 0 || op.procs == 1; }};

/// A parameter that an algorithm takes.
struct Param {
  std::string_view key;
  std::string_view words;  ///< what it means, and what is taken without it
};

/// The cost that an algorithm's source states, for the busiest rank: what a schedule's counted
/// cost is compared with. Volumes are in parts of the vector's m bytes.
struct Cost {
  int rounds = 0;
  double sent = 0;     ///< bytes sent / m
  double reduced = 0;  ///< bytes that take part in a local reduction / m
};

/// One row of the catalogue: all that the CLI, the harness, the tests and the tables know of an
/// algorithm. What it promises holds for all its parameters; the rewrites of kernels/rewrite/ come
/// on top, see `build_schedule`.
struct Algorithm {
  std::string_view name;  ///< the literature's name
  Needs needs{};
  std::span<const Param> params{};
  /// Parameters worth trying at a p, besides none: each a text for Params::parse.
  std::vector<std::string> (*variants)(int procs) = nullptr;
  bool ordered = false;    ///< operands stay in rank order, so the operation need not commute
  bool identical = false;  ///< of allreduce: all ranks reduce alike, so results have equal bits
  bool segments = false;   ///< may be pipelined: takes the parameter segments=k
  Schedule (*build)(const Problem& problem) = nullptr;
  Cost (*cost)(const Problem& problem) = nullptr;  ///< of any rank's problem
  std::string_view source;                         ///< where the algorithm is published
};

}  // namespace breakeven
