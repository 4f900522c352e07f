// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "core/case.hpp"
#include "core/testing.hpp"
#include "tables/provenance.hpp"
#include "tables/table.hpp"

namespace breakeven::tables {

[[nodiscard]] inline std::string chosen_variant(const Table& table, const Case& problem) {
  return to_text(chosen(table, problem).variant);
}

namespace testing {

/// An allreduce of int and sum on one node.
[[nodiscard]] inline Case allreduce(const std::string& algorithm, int procs, std::int64_t bytes) {
  return {.collective = Collective::allreduce,
          .variant = Variant::parse(algorithm),
          .procs = procs,
          .nodes = 1,
          .procs_per_node = procs,
          .message = {bytes},
          .datatype = Datatype::int_,
          .op = Op::sum};
}

/// A table with every kind of rule: native, parameters, a requirement, every certainty, both
/// mappings.
[[nodiscard]] inline Table small_table() {
  const auto rule = [](Case what, std::int64_t first, std::int64_t last) {
    return Rule{.what = std::move(what),
                .previous = {first / 2},
                .first_measured = {first},
                .last_measured = {last},
                .certainty = Certainty::decided,
                .speedup = Speedup{1.5, 1.25, 1.75},
                .near_best = 0.995,
                .launches = 3,
                .sizes = 2,
                .decided_sizes = 2,
                .gains = {{{first}, {1.5, 1.25, 1.75}}, {{last}, {2, 1.75, 2.25}}}};
  };
  Case gathered = allreduce("recursive_doubling", 4, 1024);
  gathered.collective = Collective::allgather;
  gathered.op = Op::none;
  Case pipelined = allreduce("ring", 2, 1020);
  pipelined.variant = Ours{"ring", "segments=8"};
  Case dealt = allreduce("ring", 8, 8);
  dealt.variant = Ours{"ring", "segments=4"};
  dealt.nodes = 2;
  dealt.procs_per_node = 4;
  dealt.mapping = Mapping::rr;

  Table table{.datatype = Datatype::int_, .op = Op::sum};
  table.rules = {rule(gathered, 1024, 2048),
                 rule(allreduce("native", 2, 8), 8, 8),
                 rule(pipelined, 1024, 1 << 20),
                 rule(allreduce("recursive_doubling", 8, 8), 8, 65536),
                 rule(allreduce("halving_doubling", 8, 100000), 131072, 1 << 20),
                 rule(dealt, 8, 8)};
  table.rules[0].requirement = kernels::kPowerOfTwo;
  table.rules[0].speedup.reset();
  table.rules[0].gains.clear();
  table.rules[1].certainty = Certainty::undecided;
  table.rules[1].near_best = 0.61;
  table.rules[1].rivals = {Ours{"ring"}, Ours{"stage_list", "stages=a2"}};
  table.rules[1].decided_sizes = 0;
  table.rules[1].gains.clear();
  table.rules[3].requirement = kernels::kPowerOfTwo;
  table.rules[4].certainty = Certainty::too_few;
  table.rules[4].launches = 2;
  table.rules[5].oversubscribed = true;
  table.rules[5].requirement = kMeasuredProcs;
  return table;
}

[[nodiscard]] inline Provenance some_provenance() {
  return {.database = "results.db",
          .machine = {.name = "mpich",
                      .library_version = "MPICH Version: 4.0.2",
                      .cpu = "Example CPU @ 2.00GHz"},
          .date = "2025-01-31",
          .version = "0.1.0",
          .command = "breakeven tune --db results.db --machine mpich"};
}

}  // namespace testing
}  // namespace breakeven::tables
