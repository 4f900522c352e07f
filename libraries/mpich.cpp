// SPDX-License-Identifier: BSD-3-Clause
// The blocking algorithms of MPICH's MPIR layer, of versions 4.0 to 5.0, and their restrictions:
// read in src/mpi/coll/coll_algorithms.txt at v4.0.2, v4.2.1, v4.3.0 and v5.0.1, and counted in
// harness/worker/library_algorithms_mpi_test.cpp, which also found that
// reduce_scatter/noncommutative ends the job where p is no power of two, though no restriction says
// so. `nb` is the nonblocking collective, waited for.
#include <array>
#include <vector>

#include "libraries/conditions.hpp"
#include "libraries/library_algorithm.hpp"
#include "libraries/mpich_compositions.hpp"

namespace breakeven::libraries {

namespace {

using namespace conditions;
using namespace library_params;

// Of 4.3: its buffers are as long as the extents, which interlocking elements exceed.
constexpr std::array kCommutingNoGaps{Requirement{Demand::commuting, kWrong},
                                      Requirement{Demand::types_without_gaps, kEnds}};
constexpr std::array kNoIdup{Requirement{Demand::no_idup, kHangs}};
constexpr std::array kNotInPlace{Requirement{Demand::not_in_place, kEnds}};
constexpr std::array kNoncommutative{Requirement{Demand::types_without_gaps, kWrong},
                                     Requirement{Demand::power_of_two, kEnds},
                                     Requirement{Demand::equal_counts, kEnds}};
constexpr std::array kNoncommutativeBlocks{Requirement{Demand::types_without_gaps, kWrong},
                                           Requirement{Demand::power_of_two, kEnds}};

constexpr std::array kK{LibraryParam{kRadix, 2}};
constexpr std::array kTree{LibraryParam{kRadix, 2}, LibraryParam{kSegmentBytes}};
constexpr std::array kPipelinedTree{LibraryParam{kRadix, 2}, LibraryParam{kSegmentBytes, 8192}};

constexpr std::array kAlgorithms{
    LibraryAlgorithm{Collective::allgather, "brucks", "MPIR_Allgather_intra_brucks", kAlways},
    LibraryAlgorithm{Collective::allgather, "k_brucks", "MPIR_Allgather_intra_k_brucks", kAlways,
                     kNoGaps, kK},
    LibraryAlgorithm{Collective::allgather, "nb", "MPIR_Allgather_allcomm_nb", kAlways},
    LibraryAlgorithm{Collective::allgather, "recursive_doubling",
                     "MPIR_Allgather_intra_recursive_doubling", kPowerOfTwo},
    LibraryAlgorithm{Collective::allgather, "recexch_doubling", "MPIR_Allgather_intra_recexch",
                     kAlways, kNoGaps, kK},
    LibraryAlgorithm{Collective::allgather, "recexch_halving", "MPIR_Allgather_intra_recexch",
                     kAlways, kNoGaps, kK},
    LibraryAlgorithm{Collective::allgather, "ring", "MPIR_Allgather_intra_ring", kAlways},

    LibraryAlgorithm{Collective::allgatherv, "brucks", "MPIR_Allgatherv_intra_brucks", kAlways},
    LibraryAlgorithm{Collective::allgatherv, "nb", "MPIR_Allgatherv_allcomm_nb", kAlways},
    LibraryAlgorithm{Collective::allgatherv, "recursive_doubling",
                     "MPIR_Allgatherv_intra_recursive_doubling", kPowerOfTwo},
    // Blocks above 32 KiB go in parts, counted in each rank's own datatype.
    LibraryAlgorithm{Collective::allgatherv, "ring", "MPIR_Allgatherv_intra_ring", kAlways,
                     kSameTypesOrEnds},

    LibraryAlgorithm{Collective::allreduce, "ccl", "MPIR_Allreduce_intra_ccl", kOnGpus},
    LibraryAlgorithm{Collective::allreduce, "k_reduce_scatter_allgather",
                     "MPIR_Allreduce_intra_k_reduce_scatter_allgather", kAlways, kCommutingNotBelow,
                     kK},
    LibraryAlgorithm{Collective::allreduce, "nb", "MPIR_Allreduce_allcomm_nb", kAlways},
    LibraryAlgorithm{Collective::allreduce, "recexch", "MPIR_Allreduce_intra_recexch", kAlways,
                     kNotBelow, kK},
    LibraryAlgorithm{Collective::allreduce, "recursive_doubling",
                     "MPIR_Allreduce_intra_recursive_doubling", kAlways},
    LibraryAlgorithm{Collective::allreduce, "recursive_multiplying",
                     "MPIR_Allreduce_intra_recursive_multiplying", kAlways, kCommutingNoGaps, kK},
    LibraryAlgorithm{Collective::allreduce, "reduce_scatter_allgather",
                     "MPIR_Allreduce_intra_reduce_scatter_allgather", kElementForEachOfPowerOfTwo,
                     kBuiltIn},
    LibraryAlgorithm{Collective::allreduce, "ring", "MPIR_Allreduce_intra_ring", kAlways,
                     kCommutingNotBelow},
    LibraryAlgorithm{Collective::allreduce, "smp", "MPIR_Allreduce_intra_smp", kSharedNode,
                     kCommuting},
    LibraryAlgorithm{Collective::allreduce, "tree", "MPIR_Allreduce_intra_tree", kAlways, kNotBelow,
                     kTree},

    LibraryAlgorithm{Collective::alltoall, "brucks", "MPIR_Alltoall_intra_brucks", kAlways},
    LibraryAlgorithm{Collective::alltoall, "k_brucks", "MPIR_Alltoall_intra_k_brucks", kAlways,
                     kNoGaps, kK},
    LibraryAlgorithm{Collective::alltoall, "nb", "MPIR_Alltoall_allcomm_nb", kAlways},
    LibraryAlgorithm{Collective::alltoall, "pairwise", "MPIR_Alltoall_intra_pairwise", kAlways},
    LibraryAlgorithm{Collective::alltoall, "pairwise_sendrecv_replace",
                     "MPIR_Alltoall_intra_pairwise_sendrecv_replace", kInPlace},
    LibraryAlgorithm{Collective::alltoall, "scattered", "MPIR_Alltoall_intra_scattered", kAlways},

    LibraryAlgorithm{Collective::alltoallv, "nb", "MPIR_Alltoallv_allcomm_nb", kAlways},
    LibraryAlgorithm{Collective::alltoallv, "pairwise_sendrecv_replace",
                     "MPIR_Alltoallv_intra_pairwise_sendrecv_replace", kInPlace},
    LibraryAlgorithm{Collective::alltoallv, "scattered", "MPIR_Alltoallv_intra_scattered", kAlways},

    LibraryAlgorithm{Collective::alltoallw, "nb", "MPIR_Alltoallw_allcomm_nb", kAlways,
                     kNotInPlace},
    LibraryAlgorithm{Collective::alltoallw, "pairwise_sendrecv_replace",
                     "MPIR_Alltoallw_intra_pairwise_sendrecv_replace", kInPlace},
    LibraryAlgorithm{Collective::alltoallw, "scattered", "MPIR_Alltoallw_intra_scattered", kAlways},

    LibraryAlgorithm{Collective::barrier, "dissemination", "MPIR_Barrier_intra_dissemination",
                     kAlways},
    LibraryAlgorithm{Collective::barrier, "k_dissemination", "MPIR_Barrier_intra_k_dissemination",
                     kAlways, kAnyCall, kK},
    LibraryAlgorithm{Collective::barrier, "nb", "MPIR_Barrier_allcomm_nb", kAlways},
    LibraryAlgorithm{Collective::barrier, "recexch", "MPIR_Barrier_intra_recexch", kAlways,
                     kAnyCall, kK},
    LibraryAlgorithm{Collective::barrier, "smp", "MPIR_Barrier_intra_smp", kSharedNode},

    LibraryAlgorithm{Collective::bcast, "binomial", "MPIR_Bcast_intra_binomial", kAlways},
    LibraryAlgorithm{Collective::bcast, "nb", "MPIR_Bcast_allcomm_nb", kAlways, kNoIdup},
    LibraryAlgorithm{Collective::bcast, "pipelined_tree", "MPIR_Bcast_intra_pipelined_tree",
                     kAlways, kAnyCall, kPipelinedTree},
    LibraryAlgorithm{Collective::bcast, "scatter_recursive_doubling_allgather",
                     "MPIR_Bcast_intra_scatter_recursive_doubling_allgather", kAlways},
    LibraryAlgorithm{Collective::bcast, "scatter_ring_allgather",
                     "MPIR_Bcast_intra_scatter_ring_allgather", kAlways},
    LibraryAlgorithm{Collective::bcast, "smp", "MPIR_Bcast_intra_smp", kSharedNode},
    LibraryAlgorithm{Collective::bcast, "tree", "MPIR_Bcast_intra_tree", kAlways, kAnyCall, kK},

    LibraryAlgorithm{Collective::exscan, "nb", "MPIR_Exscan_allcomm_nb", kAlways},
    LibraryAlgorithm{Collective::exscan, "recursive_doubling",
                     "MPIR_Exscan_intra_recursive_doubling", kAlways},

    LibraryAlgorithm{Collective::gather, "binomial", "MPIR_Gather_intra_binomial", kAlways},
    LibraryAlgorithm{Collective::gather, "nb", "MPIR_Gather_allcomm_nb", kAlways},
    LibraryAlgorithm{Collective::gatherv, "linear", "MPIR_Gatherv_allcomm_linear", kAlways},
    LibraryAlgorithm{Collective::gatherv, "nb", "MPIR_Gatherv_allcomm_nb", kAlways},

    LibraryAlgorithm{Collective::reduce, "binomial", "MPIR_Reduce_intra_binomial", kAlways},
    LibraryAlgorithm{Collective::reduce, "nb", "MPIR_Reduce_allcomm_nb", kAlways},
    LibraryAlgorithm{Collective::reduce, "reduce_scatter_gather",
                     "MPIR_Reduce_intra_reduce_scatter_gather", kElementForEachOfPowerOfTwo,
                     kBuiltIn},
    LibraryAlgorithm{Collective::reduce, "smp", "MPIR_Reduce_intra_smp", kSharedNode, kCommuting},

    LibraryAlgorithm{Collective::reduce_scatter, "nb", "MPIR_Reduce_scatter_allcomm_nb", kAlways},
    LibraryAlgorithm{Collective::reduce_scatter, "noncommutative",
                     "MPIR_Reduce_scatter_intra_noncommutative", kPowerOfTwoAndEqualCounts,
                     kNoncommutative},
    LibraryAlgorithm{Collective::reduce_scatter, "pairwise", "MPIR_Reduce_scatter_intra_pairwise",
                     kAlways, kCommutingNotInPlace},
    LibraryAlgorithm{Collective::reduce_scatter, "recursive_doubling",
                     "MPIR_Reduce_scatter_intra_recursive_doubling", kAlways},
    LibraryAlgorithm{Collective::reduce_scatter, "recursive_halving",
                     "MPIR_Reduce_scatter_intra_recursive_halving", kAlways, kCommuting},

    LibraryAlgorithm{Collective::reduce_scatter_block, "nb", "MPIR_Reduce_scatter_block_allcomm_nb",
                     kAlways},
    LibraryAlgorithm{Collective::reduce_scatter_block, "noncommutative",
                     "MPIR_Reduce_scatter_block_intra_noncommutative", kPowerOfTwo,
                     kNoncommutativeBlocks},
    LibraryAlgorithm{Collective::reduce_scatter_block, "pairwise",
                     "MPIR_Reduce_scatter_block_intra_pairwise", kAlways, kCommuting},
    LibraryAlgorithm{Collective::reduce_scatter_block, "recursive_doubling",
                     "MPIR_Reduce_scatter_block_intra_recursive_doubling", kAlways},
    LibraryAlgorithm{Collective::reduce_scatter_block, "recursive_halving",
                     "MPIR_Reduce_scatter_block_intra_recursive_halving", kAlways, kCommuting},

    LibraryAlgorithm{Collective::scan, "nb", "MPIR_Scan_allcomm_nb", kAlways},
    LibraryAlgorithm{Collective::scan, "recursive_doubling", "MPIR_Scan_intra_recursive_doubling",
                     kAlways},
    LibraryAlgorithm{Collective::scan, "smp", "MPIR_Scan_intra_smp", kSharedConsecutiveNode},

    LibraryAlgorithm{Collective::scatter, "binomial", "MPIR_Scatter_intra_binomial", kAlways},
    LibraryAlgorithm{Collective::scatter, "nb", "MPIR_Scatter_allcomm_nb", kAlways},
    LibraryAlgorithm{Collective::scatterv, "linear", "MPIR_Scatterv_allcomm_linear", kAlways},
    LibraryAlgorithm{Collective::scatterv, "nb", "MPIR_Scatterv_allcomm_nb", kAlways},
};

}  // namespace

std::span<const LibraryAlgorithm> mpich_algorithms() {
  static const std::vector<LibraryAlgorithm> kAll = [] {
    std::vector<LibraryAlgorithm> all{kAlgorithms.begin(), kAlgorithms.end()};
    const auto compositions = mpich::compositions();
    all.insert(all.end(), compositions.begin(), compositions.end());
    return all;
  }();
  return kAll;
}

}  // namespace breakeven::libraries
