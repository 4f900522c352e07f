// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cctype>

#include "bench/same_algorithm/library.hpp"
#include "core/names.hpp"

// The variables choose among the flat algorithms on the caller's communicator; left to itself,
// MPICH would first cut it by nodes or leave it to the device. What does not fit a call is an error
// then, not something else.

namespace breakeven::bench {
namespace {

const Setting kSettings[] = {{"MPIR_CVAR_DEVICE_COLLECTIVES", "none"},
                             {"MPIR_CVAR_COLLECTIVE_FALLBACK", "error"}};

std::string algorithm_variable(Collective collective) {
  std::string name{kCollectives.of(collective)};
  std::ranges::transform(name, name.begin(), [](unsigned char c) { return std::toupper(c); });
  return "MPIR_CVAR_" + name + "_INTRA_ALGORITHM";
}

constexpr Pair kPairs[] = {
    {Collective::allgather, "bruck", "brucks"},
    {Collective::allgather, "recursive_doubling", "recursive_doubling"},
    {Collective::allgather, "ring", "ring"},
    {Collective::allgatherv, "bruck", "brucks"},
    {Collective::allgatherv, "recursive_doubling", "recursive_doubling"},
    {Collective::allgatherv, "ring", "ring"},
    {Collective::allreduce, "recursive_doubling", "recursive_doubling"},
    {Collective::allreduce, "halving_doubling", "reduce_scatter_allgather", kEnoughToHalve},
    {Collective::barrier, "dissemination", "dissemination"},
    {Collective::bcast, "binomial", "binomial"},
    {Collective::bcast, "scatter_recursive_doubling", "scatter_recursive_doubling_allgather"},
    {Collective::bcast, "scatter_ring", "scatter_ring_allgather"},
    {Collective::gather, "binomial", "binomial"},
    {Collective::gatherv, "linear", "linear"},
    {Collective::reduce, "binomial", "binomial"},
    {Collective::reduce, "halving_doubling", "reduce_scatter_gather", kEnoughToHalve},
    {Collective::reduce_scatter, "pairwise", "pairwise"},
    {Collective::reduce_scatter, "recursive_halving", "recursive_halving"},
    {Collective::reduce_scatter_block, "pairwise", "pairwise"},
    {Collective::reduce_scatter_block, "recursive_halving", "recursive_halving"},
    {Collective::scatter, "binomial", "binomial"},
    {Collective::scatterv, "linear", "linear"},
};

}  // namespace

const Library kLibrary{"MPICH", "", kSettings, algorithm_variable, kPairs};

}  // namespace breakeven::bench
