// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>
#include <string_view>

#include "libraries/library_algorithm.hpp"

namespace breakeven::libraries::mpich {

/// How MPICH's device ch4 puts a collective together from collectives of a node's processes and of
/// the nodes' first ones, for which MPICH then chooses algorithms itself: they are algorithms as
/// good as others. The control variables that choose them are there from 4.1 on. In the order of
/// those variables' numbers, from 1 on, for each collective.
[[nodiscard]] std::span<const LibraryAlgorithm> compositions();

/// Whether an algorithm's name is that of a composition: "composition_alpha".
[[nodiscard]] constexpr bool is_composition(std::string_view name) {
  return name.starts_with("composition_");
}

/// The number of leaders on each node in a composition of several leaders, unless it is told
/// otherwise: as near to 4 as divides the node's processes.
[[nodiscard]] int leaders(int procs_per_node);

/// The largest block for which the compositions of several leaders have room in shared memory.
inline constexpr Bytes kLargestSharedBlock{4096};

}  // namespace breakeven::libraries::mpich
