// SPDX-License-Identifier: BSD-3-Clause
// The algorithms of Open MPI's component coll/tuned, of versions from 4.1 to 6.0, and of coll/han,
// of 5.0, and when they call others instead: read in ompi/mca/coll/base/coll_base_*.c at v4.1.4 and
// in the branch v6.0.x, and in ompi/mca/coll/han/*.c at v5.0.7, and counted in
// harness/worker/library_algorithms_mpi_test.cpp.
#include <array>

#include "kernels/params.hpp"
#include "libraries/conditions.hpp"
#include "libraries/library_algorithm.hpp"
#include "libraries/openmpi_rules.hpp"

namespace breakeven::libraries {

namespace {

using namespace conditions;
using namespace library_params;

constexpr std::array<LibraryParam, 0> kNoParams{};
constexpr std::array kSegments{LibraryParam{kSegmentBytes}};
constexpr std::array kChains{LibraryParam{kFanout, openmpi::kDefaultFanout},
                             LibraryParam{kSegmentBytes}};
// Of reduce, where a leaf's requests are those of its segments.
constexpr std::array kLimitedSegments{LibraryParam{kSegmentBytes}, LibraryParam{kMaxRequests}};
constexpr std::array kLimitedChains{LibraryParam{kFanout, openmpi::kDefaultFanout},
                                    LibraryParam{kSegmentBytes}, LibraryParam{kMaxRequests}};
constexpr std::array kLimited{LibraryParam{kMaxRequests}};
constexpr std::array kK{LibraryParam{kRadix, openmpi::kDefaultRadix}};
// Segments and parts are counted in each rank's own datatype, which may hold more elements than
// another's of the same data.
constexpr std::array kSameTypes{Requirement{Demand::same_types, kWrong}};
constexpr std::array kSameTypesInSegments{Requirement{Demand::same_types, kWrong, kSegmentBytes}};
// Of 5.0: what is received is counted as what is sent, by allgather also in place, where that count
// means nothing.
constexpr std::array kSameCounts{Requirement{Demand::same_counts, kEnds}};
constexpr std::array kSameCountsNotInPlace{Requirement{Demand::same_counts, kWrong},
                                           Requirement{Demand::not_in_place, kWrong}};
constexpr std::array kPlainTypes{Requirement{Demand::types_without_gaps, kWrong},
                                 Requirement{Demand::not_below, kWrong}};

// Of 6.0.
constexpr std::array kNotInPlace{Requirement{Demand::not_in_place, kWrong}};
constexpr std::array kCommutingPlainTypes{Requirement{Demand::commuting, kWrong},
                                          Requirement{Demand::types_without_gaps, kWrong},
                                          Requirement{Demand::not_below, kWrong}};

constexpr std::array kTree{LibraryParam{kRadix, openmpi::kDefaultRadix},
                           LibraryParam{kSegmentBytes}};

std::int64_t segment_bytes(const Case& what) {
  return kernels::Params::parse(what.variant.params()).find_number(kSegmentBytes, 0).value_or(0);
}

/// Elements of a segment: at least one, and all where there are no segments.
std::int64_t segment_count(const Case& what, std::int64_t all) {
  const std::int64_t bytes = segment_bytes(what);
  const std::int64_t element = extent(what.datatype).value;
  return bytes < element || bytes >= all * element ? all : bytes / element;
}

constexpr Condition kSegmentForEachProcess{
    "segment_bytes, and as many segments as processes", [](const Case& what) {
      const std::int64_t all = count(what);
      return all > 0 && all >= what.procs * segment_count(what, all);
    }};
constexpr Condition kTwoSegments{
    "two elements, and segments not above the smaller half of the message", [](const Case& what) {
      const std::int64_t half = count(what) / 2;
      return half > 0 && segment_bytes(what) <= half * extent(what.datatype).value;
    }};

constexpr std::array kAlgorithms{
    LibraryAlgorithm{Collective::allgather, "linear", "ompi_coll_base_allgather_intra_basic_linear",
                     kAlways},
    LibraryAlgorithm{Collective::allgather, "bruck", "ompi_coll_base_allgather_intra_bruck",
                     kAlways, kAnyCall, kNoParams, 0, 5},
    LibraryAlgorithm{Collective::allgather, "bruck-k-fanout",
                     "ompi_coll_base_allgather_intra_k_bruck", kAlways, kAnyCall, kK, 6},
    LibraryAlgorithm{Collective::allgather, "recursive_doubling",
                     "ompi_coll_base_allgather_intra_recursivedoubling", kPowerOfTwo},
    LibraryAlgorithm{Collective::allgather, "ring", "ompi_coll_base_allgather_intra_ring", kAlways},
    LibraryAlgorithm{Collective::allgather, "neighbor",
                     "ompi_coll_base_allgather_intra_neighborexchange", kEven},
    LibraryAlgorithm{Collective::allgather, "two_proc", "ompi_coll_base_allgather_intra_two_procs",
                     kTwoProcs},
    LibraryAlgorithm{Collective::allgather, "sparbit", "ompi_coll_base_allgather_intra_sparbit",
                     kAlways, kSameCountsNotInPlace, kNoParams, 5},
    LibraryAlgorithm{Collective::allgather, "direct-messaging",
                     "ompi_coll_base_allgather_direct_messaging", kAlways, kNotInPlace, kNoParams,
                     6},

    LibraryAlgorithm{Collective::allgatherv, "default",
                     "ompi_coll_base_allgatherv_intra_basic_default", kAlways},
    LibraryAlgorithm{Collective::allgatherv, "bruck", "ompi_coll_base_allgatherv_intra_bruck",
                     kAlways},
    LibraryAlgorithm{Collective::allgatherv, "ring", "ompi_coll_base_allgatherv_intra_ring",
                     kAlways},
    LibraryAlgorithm{Collective::allgatherv, "neighbor",
                     "ompi_coll_base_allgatherv_intra_neighborexchange", kEven},
    LibraryAlgorithm{Collective::allgatherv, "two_proc",
                     "ompi_coll_base_allgatherv_intra_two_procs", kTwoProcs},
    LibraryAlgorithm{Collective::allgatherv, "sparbit", "ompi_coll_base_allgatherv_intra_sparbit",
                     kAlways, kSameCounts, kNoParams, 5},

    LibraryAlgorithm{Collective::allreduce, "basic_linear",
                     "ompi_coll_base_allreduce_intra_basic_linear", kAlways},
    LibraryAlgorithm{Collective::allreduce, "nonoverlapping",
                     "ompi_coll_base_allreduce_intra_nonoverlapping", kAlways},
    LibraryAlgorithm{Collective::allreduce, "recursive_doubling",
                     "ompi_coll_base_allreduce_intra_recursivedoubling", kAlways},
    LibraryAlgorithm{Collective::allreduce, "ring", "ompi_coll_base_allreduce_intra_ring",
                     kElementForEachProcess, kCommuting},
    LibraryAlgorithm{Collective::allreduce, "segmented_ring",
                     "ompi_coll_base_allreduce_intra_ring_segmented", kSegmentForEachProcess,
                     kCommuting, kSegments},
    LibraryAlgorithm{Collective::allreduce, "rabenseifner",
                     "ompi_coll_base_allreduce_intra_redscat_allgather",
                     kElementForEachOfPowerOfTwo},
    LibraryAlgorithm{Collective::allreduce, "allgather_reduce",
                     "ompi_coll_base_allreduce_intra_allgather_reduce", kAlways, kCommuting,
                     kNoParams, 6},

    LibraryAlgorithm{Collective::alltoall, "linear", "ompi_coll_base_alltoall_intra_basic_linear",
                     kAlways},
    LibraryAlgorithm{Collective::alltoall, "pairwise", "ompi_coll_base_alltoall_intra_pairwise",
                     kAlways},
    LibraryAlgorithm{Collective::alltoall, "modified_bruck", "ompi_coll_base_alltoall_intra_bruck",
                     kAlways, kPlainTypes},
    LibraryAlgorithm{Collective::alltoall, "linear_sync",
                     "ompi_coll_base_alltoall_intra_linear_sync", kAlways, kAnyCall, kLimited},
    LibraryAlgorithm{Collective::alltoall, "two_proc", "ompi_coll_base_alltoall_intra_two_procs",
                     kTwoProcs},

    LibraryAlgorithm{Collective::alltoallv, "basic_linear",
                     "ompi_coll_base_alltoallv_intra_basic_linear", kAlways},
    LibraryAlgorithm{Collective::alltoallv, "pairwise", "ompi_coll_base_alltoallv_intra_pairwise",
                     kAlways},

    LibraryAlgorithm{Collective::barrier, "linear", "ompi_coll_base_barrier_intra_basic_linear",
                     kAlways},
    LibraryAlgorithm{Collective::barrier, "double_ring", "ompi_coll_base_barrier_intra_doublering",
                     kAlways},
    LibraryAlgorithm{Collective::barrier, "recursive_doubling",
                     "ompi_coll_base_barrier_intra_recursivedoubling", kAlways},
    LibraryAlgorithm{Collective::barrier, "bruck", "ompi_coll_base_barrier_intra_bruck", kAlways},
    LibraryAlgorithm{Collective::barrier, "two_proc", "ompi_coll_base_barrier_intra_two_procs",
                     kTwoProcs},
    LibraryAlgorithm{Collective::barrier, "tree", "ompi_coll_base_barrier_intra_tree", kAlways},

    LibraryAlgorithm{Collective::bcast, "basic_linear", "ompi_coll_base_bcast_intra_basic_linear",
                     kAlways},
    LibraryAlgorithm{Collective::bcast, "chain", "ompi_coll_base_bcast_intra_chain", kAlways,
                     kSameTypesInSegments, kChains},
    LibraryAlgorithm{Collective::bcast, "pipeline", "ompi_coll_base_bcast_intra_pipeline", kAlways,
                     kSameTypesInSegments, kSegments},
    LibraryAlgorithm{Collective::bcast, "split_binary_tree",
                     "ompi_coll_base_bcast_intra_split_bintree", kTwoSegments, kSameTypes,
                     kSegments},
    LibraryAlgorithm{Collective::bcast, "binary_tree", "ompi_coll_base_bcast_intra_bintree",
                     kAlways, kSameTypesInSegments, kSegments},
    LibraryAlgorithm{Collective::bcast, "binomial", "ompi_coll_base_bcast_intra_binomial", kAlways,
                     kSameTypesInSegments, kSegments},
    LibraryAlgorithm{Collective::bcast, "knomial", "ompi_coll_base_bcast_intra_knomial", kAlways,
                     kSameTypesInSegments, kTree},
    LibraryAlgorithm{Collective::bcast, "scatter_allgather",
                     "ompi_coll_base_bcast_intra_scatter_allgather", kElementForEachProcess,
                     kSameTypes},
    LibraryAlgorithm{Collective::bcast, "scatter_allgather_ring",
                     "ompi_coll_base_bcast_intra_scatter_allgather_ring", kElementForEachProcess,
                     kSameTypes},

    LibraryAlgorithm{Collective::exscan, "linear", "ompi_coll_base_exscan_intra_linear", kAlways},
    LibraryAlgorithm{Collective::exscan, "recursive_doubling",
                     "ompi_coll_base_exscan_intra_recursivedoubling", kAlways},

    LibraryAlgorithm{Collective::gather, "basic_linear", "ompi_coll_base_gather_intra_basic_linear",
                     kAlways},
    LibraryAlgorithm{Collective::gather, "binomial", "ompi_coll_base_gather_intra_binomial",
                     kAlways},
    LibraryAlgorithm{Collective::gather, "linear_sync", "ompi_coll_base_gather_intra_linear_sync",
                     kAlways, kSameTypesInSegments, kSegments},

    LibraryAlgorithm{Collective::reduce, "linear", "ompi_coll_base_reduce_intra_basic_linear",
                     kAlways},
    LibraryAlgorithm{Collective::reduce, "chain", "ompi_coll_base_reduce_intra_chain", kAlways,
                     kCommuting, kLimitedChains},
    LibraryAlgorithm{Collective::reduce, "pipeline", "ompi_coll_base_reduce_intra_pipeline",
                     kAlways, kCommuting, kLimitedSegments},
    LibraryAlgorithm{Collective::reduce, "binary", "ompi_coll_base_reduce_intra_binary", kAlways,
                     kCommuting, kLimitedSegments},
    LibraryAlgorithm{Collective::reduce, "binomial", "ompi_coll_base_reduce_intra_binomial",
                     kAlways, kCommuting, kLimitedSegments},
    LibraryAlgorithm{Collective::reduce, "in-order_binary",
                     "ompi_coll_base_reduce_intra_in_order_binary", kAlways, kAnyCall,
                     kLimitedSegments},
    LibraryAlgorithm{Collective::reduce, "rabenseifner",
                     "ompi_coll_base_reduce_intra_redscat_gather", kElementForEachOfPowerOfTwo},
    LibraryAlgorithm{Collective::reduce, "knomial", "ompi_coll_base_reduce_intra_knomial", kAlways,
                     kCommutingPlainTypes, kK, 6},

    LibraryAlgorithm{Collective::reduce_scatter, "non-overlapping",
                     "ompi_coll_base_reduce_scatter_intra_nonoverlapping", kAlways},
    LibraryAlgorithm{Collective::reduce_scatter, "recursive_halving",
                     "ompi_coll_base_reduce_scatter_intra_basic_recursivehalving", kAlways,
                     kCommuting},
    LibraryAlgorithm{Collective::reduce_scatter, "ring", "ompi_coll_base_reduce_scatter_intra_ring",
                     kAlways, kCommuting},
    LibraryAlgorithm{Collective::reduce_scatter, "butterfly",
                     "ompi_coll_base_reduce_scatter_intra_butterfly", kAlways},

    LibraryAlgorithm{Collective::reduce_scatter_block, "basic_linear",
                     "ompi_coll_base_reduce_scatter_block_basic_linear", kAlways},
    LibraryAlgorithm{Collective::reduce_scatter_block, "recursive_doubling",
                     "ompi_coll_base_reduce_scatter_block_intra_recursivedoubling", kAlways},
    LibraryAlgorithm{Collective::reduce_scatter_block, "recursive_halving",
                     "ompi_coll_base_reduce_scatter_block_intra_recursivehalving", kAlways},
    LibraryAlgorithm{Collective::reduce_scatter_block, "butterfly",
                     "ompi_coll_base_reduce_scatter_block_intra_butterfly", kAlways},

    LibraryAlgorithm{Collective::scan, "linear", "ompi_coll_base_scan_intra_linear", kAlways},
    LibraryAlgorithm{Collective::scan, "recursive_doubling",
                     "ompi_coll_base_scan_intra_recursivedoubling", kAlways},

    LibraryAlgorithm{Collective::scatter, "basic_linear",
                     "ompi_coll_base_scatter_intra_basic_linear", kAlways},
    LibraryAlgorithm{Collective::scatter, "binomial", "ompi_coll_base_scatter_intra_binomial",
                     kAlways},
    LibraryAlgorithm{Collective::scatter, "linear_nb", "ompi_coll_base_scatter_intra_linear_nb",
                     kAlways},

    // coll/han's. Each has functions of its own for the steps on the nodes and between them.
    LibraryAlgorithm{Collective::allgather, "han_intra", "mca_coll_han_allgather_intra",
                     kEqualSharedNodes},
    LibraryAlgorithm{Collective::allgather, "han_simple", "mca_coll_han_allgather_intra_simple",
                     kEqualSharedNodes},
    LibraryAlgorithm{Collective::allreduce, "han_intra", "mca_coll_han_allreduce_intra",
                     kSharedNodes},
    LibraryAlgorithm{Collective::allreduce, "han_simple", "mca_coll_han_allreduce_intra_simple",
                     kSharedNodes},
    LibraryAlgorithm{Collective::barrier, "han_simple", "mca_coll_han_barrier_intra_simple",
                     kSharedNodes},
    LibraryAlgorithm{Collective::bcast, "han_intra", "mca_coll_han_bcast_intra", kEqualSharedNodes},
    LibraryAlgorithm{Collective::bcast, "han_simple", "mca_coll_han_bcast_intra_simple",
                     kEqualSharedNodes},
    LibraryAlgorithm{Collective::gather, "han_intra", "mca_coll_han_gather_intra",
                     kEqualSharedNodes},
    LibraryAlgorithm{Collective::gather, "han_simple", "mca_coll_han_gather_intra_simple",
                     kEqualSharedNodes},
    LibraryAlgorithm{Collective::reduce, "han_intra", "mca_coll_han_reduce_intra",
                     kEqualSharedNodes},
    LibraryAlgorithm{Collective::reduce, "han_simple", "mca_coll_han_reduce_intra_simple",
                     kEqualSharedNodes},
    LibraryAlgorithm{Collective::scatter, "han_intra", "mca_coll_han_scatter_intra",
                     kEqualSharedNodes},
    LibraryAlgorithm{Collective::scatter, "han_simple", "mca_coll_han_scatter_intra_simple",
                     kEqualSharedNodes},
};

}  // namespace

std::span<const LibraryAlgorithm> openmpi_algorithms() { return kAlgorithms; }

}  // namespace breakeven::libraries
