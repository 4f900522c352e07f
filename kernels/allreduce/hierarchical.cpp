// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <array>
#include <numeric>

#include "kernels/allreduce/algorithms.hpp"
#include "kernels/build.hpp"
#include "kernels/catalogue.hpp"
#include "kernels/rewrite/rewrite.hpp"

namespace breakeven::kernels::allreduce {

namespace {

constexpr std::array kParams{
    Param{"reduce", "the algorithm within each node, to its leader [binomial]"},
    Param{"allreduce", "the algorithm among the leaders [ring]"},
    Param{"bcast", "the algorithm within each node, from its leader [binomial]"}};

/// One of the three phases, for one rank of the group that does it.
struct Phase {
  const Algorithm* algorithm = nullptr;
  Problem problem{};

  [[nodiscard]] Schedule schedule() const { return build_schedule(*algorithm, problem); }
};

Phase phase(const Problem& op, Collective collective, std::string_view otherwise) {
  const auto asked = op.params.find(kCollectives.of(collective));
  auto [algorithm, params] = find_instance(collective, Variant::parse(asked.value_or(otherwise)));
  return {algorithm, {.collective = collective, .params = std::move(params)}};
}

/// The phases of a problem, for any of its groups.
struct Phases {
  explicit Phases(const Problem& op)
      : reduce{phase(op, Collective::reduce, "binomial")},
        among_leaders{phase(op, Collective::allreduce, "ring")},
        bcast{phase(op, Collective::bcast, "binomial")} {
    among_leaders.problem.procs = op.placement.nodes(op.procs);
    among_leaders.problem.placement = {.procs_per_node = 1};
  }

  /// Lets rank `me` of a node with this many members do the phases within the node.
  void enter_node(int members, int me) {
    for (Phase* in_node : {&reduce, &bcast}) {
      in_node->problem.procs = members;
      in_node->problem.me = {me};
    }
  }

  Phase reduce;
  Phase among_leaders;
  Phase bcast;
};

/// The blocks into which all ranks must cut the vector, as nodes of each size do, and the leaders.
int common_blocks(const Problem& op, Phases phases) {
  int blocks = phases.among_leaders.schedule().blocks;
  for (const int members : op.placement.node_sizes(op.procs)) {
    phases.enter_node(members, 0);
    blocks = std::lcm(blocks, phases.reduce.schedule().blocks);
    blocks = std::lcm(blocks, phases.bcast.schedule().blocks);
  }
  return blocks;
}

bool can_run(const Phase& phase) { return runs(*phase.algorithm, phase.problem); }

bool phases_can_run(const Problem& op) {
  Phases phases{op};
  if (!can_run(phases.among_leaders)) return false;
  return std::ranges::all_of(op.placement.node_sizes(op.procs), [&](int members) {
    phases.enter_node(members, 0);
    return can_run(phases.reduce) && can_run(phases.bcast);
  });
}

/// Hierarchical: each node reduces to its leader, the leaders do an allreduce, and each broadcasts
/// the result in its node. Between nodes there are only the leaders' messages.
///
///     2 nodes   0 1 2 3 | 4 5 6 7      reduce       1 2 3 -> 0     5 6 7 -> 4
///                                      allreduce    0 <-> 4
///                                      bcast        0 -> 1 2 3     4 -> 5 6 7
///
/// Needs   any p, on any nodes; all on one makes it reduce, then bcast.
/// Cost    the costs of its three phases in turn.
/// Source  [ricogallego2014], section III.1, with the algorithms of section V.
Schedule build(const Problem& op) {
  const int node = op.placement.node_of(op.me, op.procs);
  const RankGroup members = op.placement.members(node, op.procs);
  const Rank me = members.place_of(op.me);
  Phases phases{op};
  const int blocks = common_blocks(op, phases);

  phases.enter_node(members.count(), me.value);
  SequencePart so_far{phases.reduce.problem, on_group(phases.reduce.schedule(), members)};
  if (me == Rank{0}) {
    const RankGroup leaders = op.placement.leaders(op.procs);
    phases.among_leaders.problem.me = {node};
    so_far = {op, sequence(op, std::move(so_far),
                           {phases.among_leaders.problem,
                            on_group(phases.among_leaders.schedule(), leaders)})};
  }
  Schedule schedule = sequence(op, std::move(so_far),
                               {phases.bcast.problem, on_group(phases.bcast.schedule(), members)});
  const int parts = blocks / schedule.blocks;
  return refine(std::move(schedule), parts);
}

std::vector<std::string> variants(int) {
  return {"allreduce=circulant", "allreduce=recursive_multiplying"};
}

}  // namespace

const Algorithm hierarchical{
    .name = "hierarchical",
    .requirement = kAnyProcs,
    .params = kParams,
    .params_requirement = {"phases, if given, that run on these nodes", phases_can_run},
    .variants = variants,
    .build = build,
    .source = "[ricogallego2014] III.1"};

}  // namespace breakeven::kernels::allreduce
