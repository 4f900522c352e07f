// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "kernels/algorithm.hpp"
#include "sim/machine.hpp"

namespace breakeven::sim {

/// Rounds in which every rank does the same: it sends one message to the rank `distance` ahead, or
/// to the one whose number differs in the bits of `distance`, and receives one of the same kind.
struct UniformRound {
  bool exchange = false;  ///< the latter
  int distance = 0;
  int sent = 0;     ///< blocks
  int reduced = 0;  ///< blocks
  int times = 1;    ///< the number of equal rounds in a row
  friend bool operator==(const UniformRound&, const UniformRound&) = default;
};

/// An algorithm whose ranks all do so, in blocks of equal length: recursive doubling, rings,
/// dissemination.
struct Uniform {
  int procs = 1;
  int blocks = 1;
  std::vector<UniformRound> rounds{};
};

/// Derived as in alike_of().
/// @return nothing where they are not uniform
[[nodiscard]] std::optional<Uniform> uniform_of(const kernels::Algorithm& algorithm,
                                                const kernels::Problem& problem);

/// Whether all ranks take equally long, as done_times() needs: the blocks of the call are of equal
/// length, and no ranks share a node.
[[nodiscard]] bool are_alike(const Uniform& uniform, const kernels::CollectiveCall& call,
                             const Machine& machine);

/// When each rank is done, as trace() has it, without the schedules of all ranks.
/// @param starts  when each rank begins
[[nodiscard]] std::vector<Ticks> done_times(const Uniform& uniform,
                                            const kernels::CollectiveCall& call,
                                            const Machine& machine, std::span<const Ticks> starts);

}  // namespace breakeven::sim
