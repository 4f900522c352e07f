// SPDX-License-Identifier: BSD-3-Clause
// Read in src/mpid/ch4/src/ch4_coll.h and ch4_coll_impl.h at v4.1 and v4.2.1, and told apart by
// what ran on which communicators in harness/worker/mpich/compositions_mpi_test.cpp. No variable
// chooses those of other collectives.
#include "libraries/mpich_compositions.hpp"

#include <array>

#include "libraries/conditions.hpp"

namespace breakeven::libraries::mpich {

namespace {

using namespace conditions;

// Seen with 4.2.1: allgather's writes beyond its shared memory, alltoall's takes datatypes with
// gaps for datatypes without gaps. Allreduce's delta, which MPICH reads from no file, gives wrong
// sums with elements of 24 bytes, which only operations of users are for.
constexpr std::array kCrashesOnGaps{Requirement{Demand::types_without_gaps, kEnds}};
constexpr std::array kWrongOnGaps{Requirement{Demand::types_without_gaps, kWrong}};
constexpr std::array kCommutingBuiltIn{Requirement{Demand::commuting, kWrong},
                                       Requirement{Demand::built_in, kWrong}};

constexpr std::array kCompositions{
    LibraryAlgorithm{Collective::allgather, "composition_alpha",
                     "MPIDI_Allgather_intra_composition_alpha", kSharedBlocks, kCrashesOnGaps},
    LibraryAlgorithm{Collective::allgather, "composition_beta",
                     "MPIDI_Allgather_intra_composition_beta", kAlways},

    LibraryAlgorithm{Collective::allreduce, "composition_alpha",
                     "MPIDI_Allreduce_intra_composition_alpha", kSharedNode, kCommuting},
    LibraryAlgorithm{Collective::allreduce, "composition_beta",
                     "MPIDI_Allreduce_intra_composition_beta", kAlways},
    LibraryAlgorithm{Collective::allreduce, "composition_gamma",
                     "MPIDI_Allreduce_intra_composition_gamma", kOneNode},
    LibraryAlgorithm{Collective::allreduce, "composition_delta",
                     "MPIDI_Allreduce_intra_composition_delta", kElementForEachLeader,
                     kCommutingBuiltIn},

    LibraryAlgorithm{Collective::alltoall, "composition_alpha",
                     "MPIDI_Alltoall_intra_composition_alpha", kSharedBlocks, kWrongOnGaps},
    LibraryAlgorithm{Collective::alltoall, "composition_beta",
                     "MPIDI_Alltoall_intra_composition_beta", kAlways},

    LibraryAlgorithm{Collective::barrier, "composition_alpha",
                     "MPIDI_Barrier_intra_composition_alpha", kSharedNode},
    LibraryAlgorithm{Collective::barrier, "composition_beta",
                     "MPIDI_Barrier_intra_composition_beta", kAlways},

    LibraryAlgorithm{Collective::bcast, "composition_alpha", "MPIDI_Bcast_intra_composition_alpha",
                     kSharedNode},
    LibraryAlgorithm{Collective::bcast, "composition_beta", "MPIDI_Bcast_intra_composition_beta",
                     kSharedNode},
    LibraryAlgorithm{Collective::bcast, "composition_gamma", "MPIDI_Bcast_intra_composition_gamma",
                     kAlways},

    LibraryAlgorithm{Collective::reduce, "composition_alpha",
                     "MPIDI_Reduce_intra_composition_alpha", kSharedNode, kCommuting},
    LibraryAlgorithm{Collective::reduce, "composition_beta", "MPIDI_Reduce_intra_composition_beta",
                     kSharedNode, kCommuting},
    LibraryAlgorithm{Collective::reduce, "composition_gamma",
                     "MPIDI_Reduce_intra_composition_gamma", kAlways},
};

}  // namespace

std::span<const LibraryAlgorithm> compositions() { return kCompositions; }

int leaders(int procs_per_node) {
  constexpr int kAsked = 4;  // MPIR_CVAR_NUM_MULTI_LEADS
  for (int away = 0; away < kAsked - 1; ++away) {
    if (procs_per_node % (kAsked - away) == 0) return kAsked - away;
    if (procs_per_node % (kAsked + away) == 0) return kAsked + away;
  }
  return 1;
}

}  // namespace breakeven::libraries::mpich
