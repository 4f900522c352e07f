// SPDX-License-Identifier: BSD-3-Clause
#include "bench/same_algorithm/library.hpp"
#include "core/names.hpp"

// Open MPI looks at the variables when a communicator is made, and only with dynamic rules, which
// the environment turns on. Of the components, only those that obey them or that MPI_Init can't do
// without may offer collectives. The variables of allgatherv can't be written at run time.

namespace breakeven::bench {
namespace {

constexpr Honest kAnElementEach = [](int procs, std::int64_t count) { return count >= procs; };
const Setting kSettings[] = {{"coll", "basic,inter,libnbc,self,tuned"},
                             {"coll_tuned_use_dynamic_rules", "1"},
                             {"coll_tuned_bcast_algorithm_segmentsize", "0"},
                             {"coll_tuned_reduce_algorithm_segmentsize", "0"}};

std::string algorithm_variable(Collective collective) {
  return "coll_tuned_" + std::string{kCollectives.of(collective)} + "_algorithm";
}

constexpr Pair kPairs[] = {
    {Collective::allgather, "bruck", "bruck"},
    {Collective::allgather, "neighbor_exchange", "neighbor"},
    {Collective::allgather, "recursive_doubling", "recursive_doubling"},
    {Collective::allgather, "ring", "ring"},
    {Collective::allreduce, "recursive_doubling", "recursive_doubling"},
    {Collective::allreduce, "ring", "ring", kAnElementEach},
    {Collective::allreduce, "halving_doubling", "rabenseifner", kEnoughToHalve},
    {Collective::barrier, "dissemination", "bruck"},
    {Collective::bcast, "binomial", "binomial"},
    {Collective::bcast, "scatter_recursive_doubling", "scatter_allgather", kAnElementEach},
    {Collective::bcast, "scatter_ring", "scatter_allgather_ring", kAnElementEach},
    {Collective::gather, "binomial", "binomial"},
    {Collective::gather, "linear", "basic_linear"},
    {Collective::reduce, "binomial", "binomial"},
    {Collective::reduce, "halving_doubling", "rabenseifner", kEnoughToHalve},
    {Collective::reduce_scatter, "recursive_halving", "recursive_halving"},
    {Collective::reduce_scatter, "ring", "ring"},
    {Collective::reduce_scatter_block, "recursive_halving", "recursive_halving"},
    {Collective::scatter, "binomial", "binomial"},
    {Collective::scatter, "linear", "basic_linear"},
};

}  // namespace

const Library kLibrary{"Open MPI", "OMPI_MCA_", kSettings, algorithm_variable, kPairs};

}  // namespace breakeven::bench
