// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/problem.hpp"

#include <algorithm>

namespace breakeven {

namespace {

BlockRange share_of(const Problem& problem, int blocks) {
  const int share = blocks / problem.procs;
  return {problem.me.value * share, share};
}

}  // namespace

BlockRange input_blocks(const Problem& problem, int blocks) {
  switch (problem.collective) {
    case Collective::allreduce:
    case Collective::reduce:
    case Collective::reduce_scatter_block: return {0, blocks};
    case Collective::allgather: return share_of(problem, blocks);
    case Collective::bcast:
    case Collective::scatter: return {0, problem.at_root() ? blocks : 0};
  }
  throw Error("input_blocks: not a collective");
}

BlockRange output_blocks(const Problem& problem, int blocks) {
  switch (problem.collective) {
    case Collective::allreduce:
    case Collective::allgather:
    case Collective::bcast: return {0, blocks};
    case Collective::reduce: return {0, problem.at_root() ? blocks : 0};
    case Collective::reduce_scatter_block:
    case Collective::scatter: return share_of(problem, blocks);
  }
  throw Error("output_blocks: not a collective");
}

std::int64_t first_element(std::int64_t count, int blocks, int block) {
  return (count / blocks) * block + std::min<std::int64_t>(count % blocks, block);
}

}  // namespace breakeven
