// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/problem.hpp"

#include <algorithm>

namespace breakeven::kernels {

namespace {

BlockRange share_of(const Problem& problem, int blocks) {
  const int share = blocks / problem.procs;
  return {problem.me.value * share, share};
}

}  // namespace

Problem problem_of(const Case& what, Rank me) {
  return {.collective = what.collective,
          .procs = what.procs,
          .me = me,
          .root = what.root,
          .params = Params::parse(what.variant.params()),
          .placement = {.procs_per_node = what.procs_per_node, .mapping = what.mapping}};
}

Case without_data(Case what) {
  what.message = {};
  what.datatype = {};
  what.op = Op::none;
  what.counts = Counts::equal;
  return what;
}

BlockRange input_blocks(const Problem& problem, int blocks) {
  switch (regular(problem.collective)) {
    case Collective::allreduce:
    case Collective::alltoall:
    case Collective::exscan:
    case Collective::reduce:
    case Collective::reduce_scatter_block:
    case Collective::scan: return {0, blocks};
    case Collective::allgather:
    case Collective::gather: return share_of(problem, blocks);
    case Collective::bcast:
    case Collective::scatter: return {0, problem.at_root() ? blocks : 0};
    default: return {};
  }
}

BlockRange output_blocks(const Problem& problem, int blocks) {
  switch (regular(problem.collective)) {
    case Collective::allgather:
    case Collective::allreduce:
    case Collective::alltoall:
    case Collective::bcast:
    case Collective::scan: return {0, blocks};
    case Collective::exscan: return {0, problem.me == Rank{} ? 0 : blocks};
    case Collective::gather:
    case Collective::reduce: return {0, problem.at_root() ? blocks : 0};
    case Collective::reduce_scatter_block:
    case Collective::scatter: return share_of(problem, blocks);
    default: return {};
  }
}

std::int64_t first_element(std::int64_t count, int blocks, int block) {
  return (count / blocks) * block + std::min<std::int64_t>(count % blocks, block);
}

}  // namespace breakeven::kernels
