// SPDX-License-Identifier: BSD-3-Clause
// The names that a leaf may have, by collective: read in src/mpi/coll/src/csel_container.c and
// src/mpid/ch4/src/ch4_init.c at v4.0.2, v4.2.1, v4.3.0 and v5.0.1. Allreduce's composition delta
// is declared since 4.2, but MPICH ends in MPI_Init where a file names it.
#include <array>

#include "tables/formats/mpich/names.hpp"

namespace breakeven::formats::mpich {

namespace {

constexpr std::array kLeafNames{
    // clang-format off
    LeafNames{"allgather", "allcomm_nb inter_local_gather_remote_bcast intra_brucks intra_recursive_doubling intra_ring", "", "intra_k_brucks intra_recexch_doubling intra_recexch_halving", "a", "ab"},
    LeafNames{"allgatherv", "allcomm_nb inter_remote_gather_local_bcast intra_brucks intra_recursive_doubling intra_ring", "", "", "a", "a"},
    LeafNames{"allreduce", "allcomm_nb inter_reduce_exchange_bcast intra_recursive_doubling intra_reduce_scatter_allgather intra_smp", "", "intra_k_reduce_scatter_allgather intra_recexch intra_ring intra_tree", "abg", "abg"},
    LeafNames{"alltoall", "allcomm_nb inter_pairwise_exchange intra_brucks intra_pairwise intra_pairwise_sendrecv_replace intra_scattered", "", "intra_k_brucks", "a", "ab"},
    LeafNames{"alltoallv", "allcomm_nb inter_pairwise_exchange intra_pairwise_sendrecv_replace intra_scattered", "", "", "a", "a"},
    LeafNames{"alltoallw", "allcomm_nb inter_pairwise_exchange intra_pairwise_sendrecv_replace intra_scattered", "", "", "a", "a"},
    LeafNames{"barrier", "allcomm_nb inter_bcast intra_smp", "intra_dissemination", "intra_k_dissemination intra_recexch", "ab", "ab"},
    LeafNames{"bcast", "allcomm_nb inter_remote_send_local_bcast intra_binomial intra_scatter_recursive_doubling_allgather intra_scatter_ring_allgather intra_smp", "", "intra_pipelined_tree intra_tree", "abg", "abg"},
    LeafNames{"exscan", "allcomm_nb intra_recursive_doubling", "", "", "a", "a"},
    LeafNames{"gather", "allcomm_nb inter_linear inter_local_gather_remote_send intra_binomial", "", "", "a", "a"},
    LeafNames{"gatherv", "allcomm_linear allcomm_nb", "", "", "a", "a"},
    LeafNames{"iallgather", "inter_sched_local_gather_remote_bcast intra_sched_brucks intra_sched_recursive_doubling intra_sched_ring intra_tsp_brucks intra_tsp_recexch_doubling intra_tsp_recexch_halving intra_tsp_ring", "", "", "", ""},
    LeafNames{"iallgatherv", "inter_sched_remote_gather_local_bcast intra_sched_brucks intra_sched_recursive_doubling intra_sched_ring intra_tsp_brucks intra_tsp_recexch_doubling intra_tsp_recexch_halving intra_tsp_ring", "", "", "", ""},
    LeafNames{"iallreduce", "inter_sched_remote_reduce_local_bcast intra_sched_naive intra_sched_recursive_doubling intra_sched_reduce_scatter_allgather intra_sched_smp intra_tsp_recexch_multiple_buffer intra_tsp_recexch_reduce_scatter_recexch_allgatherv intra_tsp_recexch_single_buffer intra_tsp_ring intra_tsp_tree", "", "", "", ""},
    LeafNames{"ialltoall", "inter_sched_pairwise_exchange intra_sched_brucks intra_sched_inplace intra_sched_pairwise intra_sched_permuted_sendrecv intra_tsp_brucks intra_tsp_ring intra_tsp_scattered", "", "", "", ""},
    LeafNames{"ialltoallv", "inter_sched_pairwise_exchange intra_sched_blocked intra_sched_inplace intra_tsp_blocked intra_tsp_inplace intra_tsp_scattered", "", "", "", ""},
    LeafNames{"ialltoallw", "inter_sched_pairwise_exchange intra_sched_blocked intra_sched_inplace intra_tsp_blocked intra_tsp_inplace", "", "", "", ""},
    LeafNames{"ibarrier", "inter_sched_bcast intra_sched_recursive_doubling intra_tsp_recexch", "", "intra_tsp_k_dissem", "", ""},
    LeafNames{"ibcast", "inter_sched_flat intra_sched_binomial intra_sched_scatter_recursive_doubling_allgather intra_sched_scatter_ring_allgather intra_sched_smp intra_tsp_ring intra_tsp_scatterv_recexch_allgatherv intra_tsp_tree", "", "", "", ""},
    LeafNames{"iexscan", "intra_sched_recursive_doubling", "", "", "", ""},
    LeafNames{"igather", "inter_sched_long inter_sched_short intra_sched_binomial intra_tsp_tree", "", "", "", ""},
    LeafNames{"igatherv", "allcomm_sched_linear allcomm_tsp_linear", "", "", "", ""},
    LeafNames{"ineighbor_allgather", "allcomm_sched_linear allcomm_tsp_linear", "", "", "", ""},
    LeafNames{"ineighbor_allgatherv", "allcomm_sched_linear allcomm_tsp_linear", "", "", "", ""},
    LeafNames{"ineighbor_alltoall", "allcomm_sched_linear allcomm_tsp_linear", "", "", "", ""},
    LeafNames{"ineighbor_alltoallv", "allcomm_sched_linear allcomm_tsp_linear", "", "", "", ""},
    LeafNames{"ineighbor_alltoallw", "allcomm_sched_linear allcomm_tsp_linear", "", "", "", ""},
    LeafNames{"ireduce", "inter_sched_local_reduce_remote_send intra_sched_binomial intra_sched_reduce_scatter_gather intra_sched_smp intra_tsp_ring intra_tsp_tree", "", "", "", ""},
    LeafNames{"ireduce_scatter", "inter_sched_remote_reduce_local_scatterv intra_sched_noncommutative intra_sched_pairwise intra_sched_recursive_doubling intra_sched_recursive_halving intra_tsp_recexch", "", "", "", ""},
    LeafNames{"ireduce_scatter_block", "inter_sched_remote_reduce_local_scatterv intra_sched_noncommutative intra_sched_pairwise intra_sched_recursive_doubling intra_sched_recursive_halving intra_tsp_recexch", "", "", "", ""},
    LeafNames{"iscan", "intra_sched_recursive_doubling intra_sched_smp intra_tsp_recursive_doubling", "", "", "", ""},
    LeafNames{"iscatter", "inter_sched_linear inter_sched_remote_send_local_scatter intra_sched_binomial intra_tsp_tree", "", "", "", ""},
    LeafNames{"iscatterv", "allcomm_sched_linear allcomm_tsp_linear", "", "", "", ""},
    LeafNames{"neighbor_allgather", "allcomm_nb", "", "", "", ""},
    LeafNames{"neighbor_allgatherv", "allcomm_nb", "", "", "", ""},
    LeafNames{"neighbor_alltoall", "allcomm_nb", "", "", "", ""},
    LeafNames{"neighbor_alltoallv", "allcomm_nb", "", "", "", ""},
    LeafNames{"neighbor_alltoallw", "allcomm_nb", "", "", "", ""},
    LeafNames{"reduce", "allcomm_nb inter_local_reduce_remote_send intra_binomial intra_reduce_scatter_gather intra_smp", "", "", "abg", "abg"},
    LeafNames{"reduce_scatter", "allcomm_nb inter_remote_reduce_local_scatter intra_noncommutative intra_pairwise intra_recursive_doubling intra_recursive_halving", "", "", "a", "a"},
    LeafNames{"reduce_scatter_block", "allcomm_nb inter_remote_reduce_local_scatter intra_noncommutative intra_pairwise intra_recursive_doubling intra_recursive_halving", "", "", "a", "a"},
    LeafNames{"scan", "allcomm_nb intra_recursive_doubling intra_smp", "", "", "ab", "ab"},
    LeafNames{"scatter", "allcomm_nb inter_linear inter_remote_send_local_scatter intra_binomial", "", "", "a", "a"},
    LeafNames{"scatterv", "allcomm_linear allcomm_nb", "", "", "a", "a"},
    // clang-format on
};

constexpr std::array kLaterLeaves{
    LaterLeaf{"algorithm=MPIR_Allreduce_intra_recursive_multiplying", Series::v4_3},
    LaterLeaf{"composition=MPIDI_Bcast_intra_composition_delta", Series::v4_3},
    LaterLeaf{"algorithm=MPIR_Allreduce_intra_ccl", Series::v5_0},
};

}  // namespace

std::span<const LeafNames> leaf_names() { return kLeafNames; }
std::span<const LaterLeaf> later_leaves() { return kLaterLeaves; }

}  // namespace breakeven::formats::mpich
