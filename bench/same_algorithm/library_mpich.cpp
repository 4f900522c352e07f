// SPDX-License-Identifier: BSD-3-Clause
#include "bench/same_algorithm/library.hpp"

namespace breakeven::bench {
namespace {

constexpr Pair kPairs[] = {
    {Collective::allgather, "bruck", "brucks"},
    {Collective::allgather, "recursive_doubling", "recursive_doubling"},
    {Collective::allgather, "ring", "ring"},
    {Collective::allgatherv, "bruck", "brucks"},
    {Collective::allgatherv, "recursive_doubling", "recursive_doubling"},
    {Collective::allgatherv, "ring", "ring"},
    {Collective::allreduce, "recursive_doubling", "recursive_doubling"},
    {Collective::allreduce, "halving_doubling", "reduce_scatter_allgather"},
    {Collective::barrier, "dissemination", "dissemination"},
    {Collective::bcast, "binomial", "binomial"},
    {Collective::bcast, "scatter_recursive_doubling", "scatter_recursive_doubling_allgather"},
    {Collective::bcast, "scatter_ring", "scatter_ring_allgather"},
    {Collective::gather, "binomial", "binomial"},
    {Collective::gatherv, "linear", "linear"},
    {Collective::reduce, "binomial", "binomial"},
    {Collective::reduce, "halving_doubling", "reduce_scatter_gather"},
    {Collective::reduce_scatter, "pairwise", "pairwise"},
    {Collective::reduce_scatter, "recursive_halving", "recursive_halving"},
    {Collective::reduce_scatter_block, "pairwise", "pairwise"},
    {Collective::reduce_scatter_block, "recursive_halving", "recursive_halving"},
    {Collective::scatter, "binomial", "binomial"},
    {Collective::scatterv, "linear", "linear"},
};

}  // namespace

const Library kLibrary{.name = "MPICH", .key = "mpich", .prefix = "", .pairs = kPairs};

}  // namespace breakeven::bench
