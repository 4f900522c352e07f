// SPDX-License-Identifier: BSD-3-Clause
#include "bench/same_algorithm/library.hpp"

// Of the components, only the one whose algorithms are forced, or that MPI_Init can't do without,
// may offer collectives. Ours don't cut messages, so that the library's don't either.

namespace breakeven::bench {
namespace {

const Setting kSettings[] = {{"coll", "basic,inter,libnbc,self,tuned"},
                             {"coll_tuned_bcast_algorithm_segmentsize", "0"},
                             {"coll_tuned_reduce_algorithm_segmentsize", "0"}};

constexpr Pair kPairs[] = {
    {Collective::allgather, "bruck", "bruck"},
    {Collective::allgather, "neighbor_exchange", "neighbor"},
    {Collective::allgather, "recursive_doubling", "recursive_doubling"},
    {Collective::allgather, "ring", "ring"},
    {Collective::allreduce, "recursive_doubling", "recursive_doubling"},
    {Collective::allreduce, "ring", "ring"},
    {Collective::allreduce, "halving_doubling", "rabenseifner"},
    {Collective::barrier, "dissemination", "bruck"},
    {Collective::bcast, "binomial", "binomial"},
    {Collective::bcast, "scatter_recursive_doubling", "scatter_allgather"},
    {Collective::bcast, "scatter_ring", "scatter_allgather_ring"},
    {Collective::gather, "binomial", "binomial"},
    {Collective::gather, "linear", "basic_linear"},
    {Collective::reduce, "binomial", "binomial"},
    {Collective::reduce, "halving_doubling", "rabenseifner"},
    {Collective::reduce_scatter, "recursive_halving", "recursive_halving"},
    {Collective::reduce_scatter, "ring", "ring"},
    {Collective::reduce_scatter_block, "recursive_halving", "recursive_halving"},
    {Collective::scatter, "binomial", "binomial"},
    {Collective::scatter, "linear", "basic_linear"},
};

}  // namespace

const Library kLibrary{.name = "Open MPI",
                       .key = "openmpi",
                       .prefix = "OMPI_MCA_",
                       .settings = kSettings,
                       .pairs = kPairs};

}  // namespace breakeven::bench
