// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "core/names.hpp"

namespace breakeven {

enum class Collective : std::uint8_t {
  allgather,
  allgatherv,
  allreduce,
  barrier,
  bcast,
  gather,
  gatherv,
  reduce,
  reduce_scatter,
  reduce_scatter_block,
  scatter,
  scatterv,
};
inline constexpr Names<Collective, 12> kCollectives{
    "collective",
    {{{Collective::allgather, "allgather"},
      {Collective::allgatherv, "allgatherv"},
      {Collective::allreduce, "allreduce"},
      {Collective::barrier, "barrier"},
      {Collective::bcast, "bcast"},
      {Collective::gather, "gather"},
      {Collective::gatherv, "gatherv"},
      {Collective::reduce, "reduce"},
      {Collective::reduce_scatter, "reduce_scatter"},
      {Collective::reduce_scatter_block, "reduce_scatter_block"},
      {Collective::scatter, "scatter"},
      {Collective::scatterv, "scatterv"}}}};

/// The collective that does the same with equal counts: allgather for allgatherv, itself for those
/// whose counts are always equal. Both have the same algorithms: a schedule knows blocks, not their
/// sizes.
[[nodiscard]] constexpr Collective regular(Collective collective) {
  switch (collective) {
    case Collective::allgatherv: return Collective::allgather;
    case Collective::gatherv: return Collective::gather;
    case Collective::reduce_scatter: return Collective::reduce_scatter_block;
    case Collective::scatterv: return Collective::scatter;
    default: return collective;
  }
}

/// Whether each process may have a count of its own.
[[nodiscard]] constexpr bool irregular(Collective collective) {
  return regular(collective) != collective;
}

/// Whether the operation combines data, so that a case of it has an `op`.
[[nodiscard]] constexpr bool reduces(Collective collective) {
  return collective == Collective::allreduce || collective == Collective::reduce ||
         regular(collective) == Collective::reduce_scatter_block;
}

/// Whether one process plays the root.
[[nodiscard]] constexpr bool rooted(Collective collective) {
  switch (regular(collective)) {
    case Collective::bcast:
    case Collective::gather:
    case Collective::reduce:
    case Collective::scatter: return true;
    default: return false;
  }
}

/// Whether there is data at all, so that a case of it has a message size and a datatype.
[[nodiscard]] constexpr bool moves_data(Collective collective) {
  return collective != Collective::barrier;
}

/// Whether every process's own block is collected, unreduced.
[[nodiscard]] constexpr bool collects(Collective collective) {
  return regular(collective) == Collective::allgather || regular(collective) == Collective::gather;
}

/// Whether MPI's count argument describes one process's block rather than the whole vector.
[[nodiscard]] constexpr bool counts_one_block(Collective collective) {
  switch (regular(collective)) {
    case Collective::allgather:
    case Collective::gather:
    case Collective::reduce_scatter_block:
    case Collective::scatter: return true;
    default: return false;
  }
}

}  // namespace breakeven
