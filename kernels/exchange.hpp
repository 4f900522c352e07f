// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>
#include <vector>

#include "kernels/problem.hpp"
#include "kernels/schedule.hpp"

namespace breakeven::kernels {

/// A message of a collective: from a round of one rank to a round of another.
struct Transfer {
  int source = 0;
  int source_round = 0;
  int to = 0;
  int to_round = 0;
  std::vector<BlockRange> blocks{};  ///< of the problem's vector: what it carries, in its order
};

/// A round as its time depends on it.
struct RoundWork {
  std::vector<int> transfers{};       ///< indices: those it sends and those it receives
  std::vector<BlockRange> reduced{};  ///< the blocks of its local reductions
};

/// The schedules of all ranks with their messages matched: what every machine model prices. Made
/// once; it does not depend on the message size.
struct Exchange {
  int procs = 1;
  int blocks = 1;
  std::vector<Transfer> transfers{};
  std::vector<std::vector<RoundWork>> ranks{};  ///< ranks[r][round]
};

/// Matches the k-th message that a rank sends to another with the k-th receive there.
/// @pre the schedules pass verify()
/// @throws Error when a message has no partner.
[[nodiscard]] Exchange make_exchange(const Problem& problem, std::span<const Schedule> world);

}  // namespace breakeven::kernels
