// SPDX-License-Identifier: BSD-3-Clause
// The algorithms of nonblocking collectives, which persistent ones have too: MPICH's, of schedules
// (sched_) and of its generic transport (tsp_), read with their restrictions in
// src/mpi/coll/coll_algorithms.txt at v4.0.2; and those of Open MPI's component coll/libnbc, read
// in ompi/mca/coll/libnbc/nbc_i*.c at v4.1.4. No table chooses them, so what else they demand of
// calls is not stated.
#include <array>

#include "libraries/conditions.hpp"
#include "libraries/library_algorithm.hpp"

namespace breakeven::libraries {

namespace {

using namespace conditions;
using enum Collective;

constexpr std::array kUnknown{Requirement{Demand::known, "may do harm"}};

/// One whose function runs for other algorithms, too, has no name here.
constexpr LibraryAlgorithm row(Collective collective, std::string_view name,
                               Condition runs = kAlways) {
  return {collective, name, "", runs, kUnknown};
}

constexpr std::array kMpichAlgorithms{
    row(allgather, "sched_brucks"),
    row(allgather, "sched_recursive_doubling", kPowerOfTwo),
    row(allgather, "sched_ring"),
    row(allgather, "tsp_brucks"),
    row(allgather, "tsp_recexch_doubling"),
    row(allgather, "tsp_recexch_halving"),
    row(allgather, "tsp_ring"),

    row(allgatherv, "sched_brucks"),
    row(allgatherv, "sched_recursive_doubling", kPowerOfTwo),
    row(allgatherv, "sched_ring"),
    row(allgatherv, "tsp_brucks"),
    row(allgatherv, "tsp_recexch_doubling"),
    row(allgatherv, "tsp_recexch_halving"),
    row(allgatherv, "tsp_ring"),

    row(allreduce, "sched_naive"),
    row(allreduce, "sched_recursive_doubling"),
    row(allreduce, "sched_reduce_scatter_allgather", kElementForEachOfPowerOfTwo),
    row(allreduce, "sched_smp", kSharedNode),
    row(allreduce, "tsp_recexch_multiple_buffer"),
    row(allreduce, "tsp_recexch_reduce_scatter_recexch_allgatherv"),
    row(allreduce, "tsp_recexch_single_buffer"),
    row(allreduce, "tsp_ring"),
    row(allreduce, "tsp_tree"),

    row(alltoall, "sched_brucks"),
    row(alltoall, "sched_inplace", kInPlace),
    row(alltoall, "sched_pairwise"),
    row(alltoall, "sched_permuted_sendrecv"),
    row(alltoall, "tsp_brucks"),
    row(alltoall, "tsp_ring"),
    row(alltoall, "tsp_scattered"),

    row(alltoallv, "sched_blocked"),
    row(alltoallv, "sched_inplace", kInPlace),
    row(alltoallv, "tsp_blocked"),
    row(alltoallv, "tsp_inplace", kInPlace),
    row(alltoallv, "tsp_scattered"),

    row(alltoallw, "sched_blocked"),
    row(alltoallw, "sched_inplace", kInPlace),
    row(alltoallw, "tsp_blocked"),
    row(alltoallw, "tsp_inplace", kInPlace),

    row(barrier, "sched_recursive_doubling"),

    row(bcast, "sched_binomial"),
    row(bcast, "sched_scatter_recursive_doubling_allgather", kPowerOfTwo),
    row(bcast, "sched_scatter_ring_allgather"),
    row(bcast, "sched_smp", kSharedNode),
    row(bcast, "tsp_ring"),
    row(bcast, "tsp_scatterv_recexch_allgatherv"),
    row(bcast, "tsp_tree"),

    row(exscan, "sched_recursive_doubling"),

    row(gather, "sched_binomial"),
    row(gather, "tsp_tree"),
    row(gatherv, "sched_linear"),
    row(gatherv, "tsp_linear"),

    row(reduce, "sched_binomial"),
    row(reduce, "sched_reduce_scatter_gather", kElementForEachOfPowerOfTwo),
    row(reduce, "sched_smp", kSharedNode),
    row(reduce, "tsp_ring"),
    row(reduce, "tsp_tree"),

    row(reduce_scatter, "sched_noncommutative", kPowerOfTwoAndEqualCounts),
    row(reduce_scatter, "sched_pairwise"),
    row(reduce_scatter, "sched_recursive_doubling"),
    row(reduce_scatter, "sched_recursive_halving"),
    row(reduce_scatter, "tsp_recexch"),

    row(reduce_scatter_block, "sched_noncommutative", kPowerOfTwo),
    row(reduce_scatter_block, "sched_pairwise"),
    row(reduce_scatter_block, "sched_recursive_doubling"),
    row(reduce_scatter_block, "sched_recursive_halving"),
    row(reduce_scatter_block, "tsp_recexch"),

    row(scan, "sched_recursive_doubling"),
    row(scan, "sched_smp", kSharedConsecutiveNode),
    row(scan, "tsp_recursive_doubling"),

    row(scatter, "sched_binomial"),
    row(scatter, "tsp_tree"),
    row(scatterv, "sched_linear"),
    row(scatterv, "tsp_linear"),
};

constexpr std::array kOpenMpiAlgorithms{
    row(allgather, "linear"),
    row(allgather, "recursive_doubling", kPowerOfTwo),
    row(allreduce, "binomial"),
    row(allreduce, "rabenseifner", kElementForEachOfPowerOfTwo),
    row(allreduce, "recursive_doubling"),
    row(allreduce, "ring"),
    row(bcast, "binomial"),
    row(bcast, "chain"),
    row(bcast, "knomial"),
    row(bcast, "linear"),
    row(exscan, "linear"),
    row(exscan, "recursive_doubling"),
    row(reduce, "binomial"),
    row(reduce, "chain"),
    row(reduce, "rabenseifner", kElementForEachOfPowerOfTwo),
    row(scan, "linear"),
    row(scan, "recursive_doubling"),
};

}  // namespace

std::span<const LibraryAlgorithm> mpich_nonblocking() { return kMpichAlgorithms; }
std::span<const LibraryAlgorithm> openmpi_nonblocking() { return kOpenMpiAlgorithms; }

}  // namespace breakeven::libraries
