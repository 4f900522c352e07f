// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "core/names.hpp"

namespace breakeven {

enum class Collective : std::uint8_t {
  allgather,
  allgatherv,
  allreduce,
  alltoall,
  alltoallv,
  alltoallw,
  barrier,
  bcast,
  exscan,
  gather,
  gatherv,
  reduce,
  reduce_scatter,
  reduce_scatter_block,
  scan,
  scatter,
  scatterv,
};
inline constexpr Names<Collective, 17> kCollectives{
    "collective",
    {{{Collective::allgather, "allgather"},
      {Collective::allgatherv, "allgatherv"},
      {Collective::allreduce, "allreduce"},
      {Collective::alltoall, "alltoall"},
      {Collective::alltoallv, "alltoallv"},
      {Collective::alltoallw, "alltoallw"},
      {Collective::barrier, "barrier"},
      {Collective::bcast, "bcast"},
      {Collective::exscan, "exscan"},
      {Collective::gather, "gather"},
      {Collective::gatherv, "gatherv"},
      {Collective::reduce, "reduce"},
      {Collective::reduce_scatter, "reduce_scatter"},
      {Collective::reduce_scatter_block, "reduce_scatter_block"},
      {Collective::scan, "scan"},
      {Collective::scatter, "scatter"},
      {Collective::scatterv, "scatterv"}}}};
constexpr const auto& names(Collective) { return kCollectives; }

/// The collective that does the same with equal counts: allgather for allgatherv; itself if its
/// counts are always equal. Both have the same algorithms, because schedules have no block sizes.
[[nodiscard]] constexpr Collective regular(Collective collective) {
  switch (collective) {
    case Collective::allgatherv: return Collective::allgather;
    case Collective::alltoallv:
    case Collective::alltoallw: return Collective::alltoall;
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

/// Whether each process gets the combination of those before it alone: scan with its own
/// contribution, exscan without.
[[nodiscard]] constexpr bool scans(Collective collective) {
  return collective == Collective::scan || collective == Collective::exscan;
}

/// Whether the operation combines data, so that a case of it has an `op`.
[[nodiscard]] constexpr bool reduces(Collective collective) {
  return collective == Collective::allreduce || collective == Collective::reduce ||
         regular(collective) == Collective::reduce_scatter_block || scans(collective);
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

/// Whether each process has a block for each process, all of them different.
[[nodiscard]] constexpr bool personalised(Collective collective) {
  return regular(collective) == Collective::alltoall;
}

/// Whether MPI's count argument describes one process's block rather than the whole vector.
[[nodiscard]] constexpr bool counts_one_block(Collective collective) {
  switch (regular(collective)) {
    case Collective::allgather:
    case Collective::alltoall:
    case Collective::gather:
    case Collective::reduce_scatter_block:
    case Collective::scatter: return true;
    default: return false;
  }
}

/// How a program makes a call. Two of them return before the call is complete: MPI 4.1, sections
/// 6.12 and 6.13.
enum class CallForm : std::uint8_t { blocking, nonblocking, persistent };
inline constexpr Names<CallForm, 3> kCallForms{"form",
                                               {{{CallForm::blocking, "blocking"},
                                                 {CallForm::nonblocking, "nonblocking"},
                                                 {CallForm::persistent, "persistent"}}}};
constexpr const auto& names(CallForm) { return kCallForms; }

}  // namespace breakeven
