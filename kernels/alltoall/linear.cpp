// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "kernels/alltoall/algorithms.hpp"

namespace breakeven::kernels::alltoall {

namespace {

constexpr std::array kParams{
    Param{"batch", "number of messages that a rank sends at once, 1 or more [all]"}};

int batch_of(const Problem& op) { return op.params.find_number("batch", 1).value_or(op.procs); }

/// Linear: each rank sends each other rank its block, the nearest one ahead first, so that no rank
/// is the first destination of two. All at once, or in batches.
///
///     to     me+1  me+2  ...  me-1
///     from   me-1  me-2  ...  me+1
///
/// Needs   any p.
/// Cost    ceil((p-1) / batch) rounds, p-1 messages, (p-1)/p m sent.
/// Source  [thakur2005]; batches as MPICH's "scattered".
Schedule build(const Problem& op) {
  Schedule schedule{.blocks = op.procs, .scratch = {}, .rounds = {}};
  schedule.local(Copy{input(op.me.value), output(op.me.value)});
  const int batch = batch_of(op);
  for (int first = 1; first < op.procs; first += batch) {
    Round& round = schedule.rounds.emplace_back();
    for (int i = first; i < std::min(first + batch, op.procs); ++i) {
      const Rank to = op.ahead(i);
      const Rank source = op.behind(i);
      round.comm.emplace_back(Send{to, input(to.value)});
      round.comm.emplace_back(Recv{source, output(source.value)});
    }
  }
  return schedule;
}

bool can_read(const Problem& op) { return batch_of(op) > 0; }

std::vector<std::string> variants(int procs) {
  std::vector<std::string> texts;
  for (int batch = 2; batch < procs - 1 && batch <= 32; batch *= 4) {
    texts.push_back(fmt::format("batch={}", batch));
  }
  return texts;
}

Formula formula(const Problem& op) {
  const double others = op.procs - 1;
  const int batch = batch_of(op);
  return {
      .rounds = (op.procs - 1 + batch - 1) / batch, .messages = others, .sent = others / op.procs};
}

}  // namespace

const Algorithm linear{.name = "linear",
                       .requirement = kAnyProcs,
                       .params = kParams,
                       .params_requirement = {.met = can_read},
                       .variants = variants,
                       .build = build,
                       .formula = formula,
                       .formula_text = "(p-1) alpha + (p-1)/p m beta",
                       .source = "[thakur2005]"};

}  // namespace breakeven::kernels::alltoall
