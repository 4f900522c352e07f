// SPDX-License-Identifier: BSD-3-Clause
// The algorithms of nonblocking collectives, which persistent ones have too: MPICH's, of schedules
// (sched_) and of its generic transport (tsp_), read with their restrictions in
// src/mpi/coll/coll_algorithms.txt at v4.0.2; and those of Open MPI's component coll/libnbc, read
// in ompi/mca/coll/libnbc/nbc_i*.c at v4.1.4. The demands on calls were found by tests/legal_calls
// with each algorithm forced, on MPICH 4.0.2 and 5.0.2 and Open MPI 4.1.4 and 6.0.0rc2.
#include <array>

#include "libraries/conditions.hpp"
#include "libraries/library_algorithm.hpp"

namespace breakeven::libraries {

namespace {

using namespace conditions;
using enum Collective;

constexpr std::array kNoGapsNotBelow{Requirement{Demand::types_without_gaps, kWrong},
                                     Requirement{Demand::not_below, kEnds}};
constexpr std::array kNoGapsSameCounts{Requirement{Demand::types_without_gaps, kWrong},
                                       Requirement{Demand::same_counts, kWrong}};
constexpr std::array kSameTypesOrWrong{Requirement{Demand::same_types, kWrong}};
constexpr std::array kNotPersistent{Requirement{Demand::not_persistent, kEnds}};
// MPICH 5.0.2 divides by the packed size of a datatype with gaps.
constexpr std::array kNotEmpty{Requirement{Demand::not_empty, kEnds}};
// Plain calls are wrong, too.
constexpr std::array kNoCall{Requirement{Demand::known, kWrong}};

/// The functions have no names here: some run for several algorithms, and no test counts them.
constexpr LibraryAlgorithm row(Collective collective, std::string_view name,
                               Condition runs = kAlways,
                               std::span<const Requirement> requirements = {}) {
  return {collective, name, "", runs, requirements};
}

constexpr std::array kMpichAlgorithms{
    row(allgather, "sched_brucks"),
    row(allgather, "sched_recursive_doubling", kPowerOfTwo),
    row(allgather, "sched_ring"),
    row(allgather, "tsp_brucks", kAlways, kNoGapsNotBelow),
    row(allgather, "tsp_recexch_doubling", kAlways, kNoGapsSameCounts),
    row(allgather, "tsp_recexch_halving", kAlways, kNoGapsSameCounts),
    row(allgather, "tsp_ring", kAlways, kNoGapsNotBelow),

    row(allgatherv, "sched_brucks"),
    row(allgatherv, "sched_recursive_doubling", kPowerOfTwo),
    row(allgatherv, "sched_ring", kAlways, kSameTypesOrWrong),
    row(allgatherv, "tsp_brucks", kAlways, kNoCall),
    row(allgatherv, "tsp_recexch_doubling", kAlways, kNoGapsSameCounts),
    row(allgatherv, "tsp_recexch_halving", kAlways, kNoGapsSameCounts),
    row(allgatherv, "tsp_ring", kAlways, kNoGapsNotBelow),

    row(allreduce, "sched_naive"),
    row(allreduce, "sched_recursive_doubling"),
    row(allreduce, "sched_reduce_scatter_allgather", kElementForEachOfPowerOfTwo, kBuiltIn),
    row(allreduce, "sched_smp", kSharedNode, kCommuting),
    row(allreduce, "tsp_recexch_multiple_buffer", kAlways, kCommutingNotBelow),
    row(allreduce, "tsp_recexch_reduce_scatter_recexch_allgatherv", kAlways, kNoGapsNotBelow),
    row(allreduce, "tsp_recexch_single_buffer", kAlways, kCommutingNotBelow),
    row(allreduce, "tsp_ring", kAlways, kNoGapsNotBelow),
    row(allreduce, "tsp_tree", kAlways, kCommuting),

    row(alltoall, "sched_brucks", kAlways, kNotEmpty),
    row(alltoall, "sched_inplace", kInPlace),
    row(alltoall, "sched_pairwise"),
    row(alltoall, "sched_permuted_sendrecv"),
    row(alltoall, "tsp_brucks", kAlways, kNoGapsNotBelow),
    row(alltoall, "tsp_ring", kAlways, kNoGapsNotBelow),
    row(alltoall, "tsp_scattered", kAlways, kNoGapsNotBelow),

    row(alltoallv, "sched_blocked"),
    row(alltoallv, "sched_inplace", kInPlace),
    row(alltoallv, "tsp_blocked", kAlways, kNoGaps),
    row(alltoallv, "tsp_inplace", kInPlace, kNoGapsNotBelow),
    row(alltoallv, "tsp_scattered", kAlways, kNoGaps),

    row(alltoallw, "sched_blocked"),
    row(alltoallw, "sched_inplace", kInPlace),
    row(alltoallw, "tsp_blocked"),
    row(alltoallw, "tsp_inplace", kInPlace),

    row(barrier, "sched_recursive_doubling"),
    row(barrier, "tsp_k_dissemination"),
    row(barrier, "tsp_recexch"),

    row(bcast, "sched_binomial"),
    row(bcast, "sched_scatter_recursive_doubling_allgather", kPowerOfTwo),
    row(bcast, "sched_scatter_ring_allgather"),
    row(bcast, "sched_smp", kSharedNode),
    row(bcast, "tsp_ring"),
    row(bcast, "tsp_scatterv_recexch_allgatherv", kAlways, kNoCall),
    row(bcast, "tsp_tree"),

    row(exscan, "sched_recursive_doubling"),

    row(gather, "sched_binomial"),
    row(gather, "tsp_tree", kAlways, kNoCall),
    row(gatherv, "sched_linear"),
    row(gatherv, "tsp_linear"),

    row(reduce, "sched_binomial"),
    row(reduce, "sched_reduce_scatter_gather", kElementForEachOfPowerOfTwo, kBuiltIn),
    row(reduce, "sched_smp", kSharedNode, kCommuting),
    row(reduce, "tsp_ring", kAlways, kNotPersistent),
    row(reduce, "tsp_tree", kAlways, kNotPersistent),

    row(reduce_scatter, "sched_noncommutative", kPowerOfTwoAndEqualCounts, kNoGaps),
    row(reduce_scatter, "sched_pairwise", kAlways, kCommutingNotInPlace),
    row(reduce_scatter, "sched_recursive_doubling"),
    row(reduce_scatter, "sched_recursive_halving", kAlways, kCommuting),
    row(reduce_scatter, "tsp_recexch", kAlways, kNoGapsNotBelow),

    row(reduce_scatter_block, "sched_noncommutative", kPowerOfTwo, kNoGaps),
    row(reduce_scatter_block, "sched_pairwise", kAlways, kCommuting),
    row(reduce_scatter_block, "sched_recursive_doubling"),
    row(reduce_scatter_block, "sched_recursive_halving", kAlways, kCommuting),
    row(reduce_scatter_block, "tsp_recexch", kAlways, kNoGapsNotBelow),

    row(scan, "sched_recursive_doubling"),
    row(scan, "sched_smp", kSharedConsecutiveNode),
    row(scan, "tsp_recursive_doubling", kAlways, kNotBelow),

    row(scatter, "sched_binomial"),
    row(scatter, "tsp_tree", kAlways, kNoGapsNotBelow),
    row(scatterv, "sched_linear"),
    row(scatterv, "tsp_linear"),
};

// In the order of their numbers, from 1 on.
constexpr std::array kOpenMpiAlgorithms{
    row(allgather, "linear"),
    row(allgather, "recursive_doubling", kPowerOfTwo),
    row(allreduce, "ring", kAlways, kCommuting),
    row(allreduce, "binomial"),
    row(allreduce, "rabenseifner", kElementForEachOfPowerOfTwo, kCommuting),
    row(allreduce, "recursive_doubling"),
    row(bcast, "linear"),
    row(bcast, "binomial"),
    row(bcast, "chain", kAlways, kSameTypesOrEnds),
    row(bcast, "knomial"),
    row(exscan, "linear"),
    row(exscan, "recursive_doubling"),
    row(reduce, "chain", kAlways, kCommuting),
    row(reduce, "binomial"),
    row(reduce, "rabenseifner", kElementForEachOfPowerOfTwo, kCommuting),
    row(scan, "linear"),
    row(scan, "recursive_doubling"),
};

}  // namespace

std::span<const LibraryAlgorithm> mpich_nonblocking() { return kMpichAlgorithms; }
std::span<const LibraryAlgorithm> openmpi_nonblocking() { return kOpenMpiAlgorithms; }

}  // namespace breakeven::libraries
