// SPDX-License-Identifier: BSD-3-Clause
#include "tables/formats/mpich/search.hpp"

#include <bit>
#include <span>

#include "tables/formats/common/head.hpp"

namespace breakeven::formats::mpich {

namespace {

using Rest = std::span<const Node>;  // of a chain: the node that is asked, and those if it fails

bool counts_irregular(const Call& call) {
  return lists("allgatherv iallgatherv reduce_scatter ireduce_scatter", ' ', call.collective);
}

/// Whether elements are counted in the place of bytes: read in src/mpi/coll/src/csel.c.
bool loses_extent(const Call& call) {
  return lists("gather igather scatter iscatter ireduce_scatter_block", ' ', call.collective);
}

bool power_of_two(int procs) { return std::has_single_bit(static_cast<unsigned>(procs)); }

bool equals(const Question& asked, const Call& call) {
  if (asked.value == "any") return true;
  const bool yes = asked.value == "yes";
  if (asked.of == "comm_type") return call.between_groups == (asked.value == "inter");
  if (asked.of == "comm_hierarchy") return asked.value == name_of(call.hierarchy);
  if (asked.of == "comm_size") {
    if (asked.value == "pow2") return power_of_two(call.procs);
    return call.hierarchy == Hierarchy::parent && call.nodes == 1;  // node_comm_size
  }
  if (asked.of == "is_node_consecutive") return call.node_consecutive == yes;
  if (asked.of == "is_commutative") return call.commutative == yes;
  if (asked.of == "is_op_built_in") return call.built_in == yes;
  if (asked.of == "is_block_regular") return call.regular_blocks == yes;
  if (asked.of == "is_sendbuf_inplace") return call.in_place == yes;
  if (asked.of == "is_multi_threaded") return call.threaded == yes;
  return asked.of == "collective" && asked.value == call.collective;
}

/// The largest number that a limit lets pass.
std::int64_t most(const Question& asked, const Call& call, bool at_call) {
  if (asked.value == "pow2") return std::bit_floor(static_cast<unsigned>(call.procs)) - 1;
  const std::int64_t limit = asked.limit().value() * (asked.of == "comm_avg_ppn" ? call.nodes : 1);
  const bool or_equal = asked.sign == "<=" || (at_call && asked.of == "comm_size");
  return or_equal ? limit : limit - 1;
}

/// Asks, and takes it into the way.
bool holds(const Question& asked, const Call& call, bool at_call, std::vector<Step>& way) {
  Step step{.asked = asked};
  if (asked.sign == "=") {
    step.held = equals(asked, call);
  } else {
    step.most = most(asked, call, at_call);
    step.held = measure(asked.of, call) <= *step.most;
  }
  way.push_back(step);
  return step.held;
}

/// As far as the communicator alone decides; the whole of it where it leads nowhere.
Rest prune(Rest chain, const Call& call, std::vector<Step>& way) {
  const std::size_t before = way.size();
  Rest at = chain;
  while (!at.empty()) {
    const Question asked = question_in(at.front().key);
    if (at.front().leaf() || !of_communicator(asked)) return at;
    at = holds(asked, call, false, way) ? Rest{at.front().below} : at.subspan(1);
  }
  way.resize(before);
  return chain;
}

}  // namespace

Call call_of(const Case& problem) {
  const std::int64_t extent_bytes =
      moves_data(problem.collective) ? extent(problem.datatype).value : 1;
  const bool parent = problem.nodes < problem.procs;
  const bool consecutive = problem.mapping == Mapping::seq || problem.nodes == 1;
  return {.collective = call_name(problem.collective, problem.form),
          .procs = problem.procs,
          .nodes = problem.nodes,
          .hierarchy = parent ? Hierarchy::parent : Hierarchy::flat,
          .node_consecutive = parent && consecutive,
          .count = problem.message.value / extent_bytes,
          .extent = extent_bytes};
}

std::int64_t measure(std::string_view of, const Call& call) {
  if (of.starts_with("comm_")) return call.procs;
  if (of == "count") return counts_irregular(call) ? call.count * call.procs : call.count;
  if (of == "avg_msg_size") return call.count * call.extent;
  return call.count * call.procs * (loses_extent(call) ? 1 : call.extent);
}

Found search(const Chain& tree, const Call& call) {
  Found found;
  for (Rest at = prune(tree, call, found.way); !at.empty(); at = at.subspan(1)) {
    if (!equals(question_in(at.front().key), call)) continue;
    at = prune(at.front().below, call, found.way);
    while (!at.empty() && !at.front().leaf()) {
      at = holds(question_in(at.front().key), call, true, found.way) ? Rest{at.front().below}
                                                                     : at.subspan(1);
    }
    if (!at.empty()) found.leaf = &at.front();
    break;
  }
  return found;
}

}  // namespace breakeven::formats::mpich
