// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "kernels/algorithm.hpp"
#include "kernels/problem.hpp"

namespace breakeven::kernels {

/// The broadcast of n blocks from a root on the circulant graph in n-1+q rounds, q = ceil(lg p),
/// the fewest possible; the reduction is its reverse.
namespace circulant_blocks {

inline constexpr std::array kParams{
    Param{"blocks", "number n of blocks that the vector is cut into, 1 or more [8]"}};

/// A round of the broadcast: the blocks that a rank passes on and gets, none where it does not.
struct BlockRound {
  Rank to{};
  std::optional<int> sent{};
  Rank source{};
  std::optional<int> received{};
};

[[nodiscard]] int blocks_of(const Problem& problem);
/// Of rank `problem.me`, found in O(n + log^2 p) steps.
[[nodiscard]] std::vector<BlockRound> rounds_of(const Problem& problem);
[[nodiscard]] bool can_read(const Problem& problem);
[[nodiscard]] std::vector<std::string> variants(int procs);
/// Of the broadcast; the reduction has as many reductions as messages.
[[nodiscard]] Formula formula(const Problem& problem);

}  // namespace circulant_blocks

/// The broadcasts of all ranks' blocks at once, each cut into n: an allgather, and backwards a
/// reduce-scatter. More blocks pay where those of ranks differ in size.
namespace circulant_parts {

inline constexpr std::array kParams{
    Param{"blocks", "number n of blocks that each rank's block is cut into, 1 or more [2]"}};

/// A round of all broadcasts, in which a rank has the same partners in each: the blocks of p n.
struct PartsRound {
  Rank to{};
  std::vector<int> sent{};
  Rank source{};
  std::vector<int> received{};
};

[[nodiscard]] int parts_of(const Problem& problem);
/// Of rank `problem.me`, found in O(p (n + log p)) steps.
[[nodiscard]] std::vector<PartsRound> rounds_of(const Problem& problem);
[[nodiscard]] bool can_read(const Problem& problem);
[[nodiscard]] std::vector<std::string> variants(int procs);

}  // namespace circulant_parts
}  // namespace breakeven::kernels
