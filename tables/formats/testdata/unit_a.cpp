// SPDX-License-Identifier: BSD-3-Clause
#include <cstdio>

#include "breakeven_table.hpp"

namespace table = breakeven_table;
using table::Algorithm;
using table::Collective;

// Answers are there at compile time.
static_assert(table::choose(Collective::allreduce, 2, 1, 1019).algorithm == Algorithm::native);
static_assert(table::choose(Collective::allreduce, 2, 1, 1020).algorithm == Algorithm::ring);
static_assert(table::choose(Collective::allreduce, 2, 1, 1020).decided);
static_assert(!table::choose(Collective::allreduce, 3, 1, 1020).measured);
static_assert(table::choose(Collective::allreduce, 12, 1, 8).algorithm == Algorithm::native);
static_assert(table::choose(Collective::scatter, 4, 1, 8).algorithm == Algorithm::native);
static_assert(table::choose(Collective::allreduce, 8, 2, 8, table::Mapping::rr).params ==
              "segments=4");
static_assert(table::name(Algorithm::halving_doubling) == "halving_doubling");

const void* rules_seen_by_b();

/// Prints every answer of a grid, in the order of cpp_header_test.cpp; 1 when the table exists
/// twice.
int main() {
  constexpr int kLast = static_cast<int>(Collective::scatterv);
  for (int collective = 0; collective <= kLast; ++collective) {
    for (int mapping = 0; mapping < 2; ++mapping) {
      for (int procs = 0; procs <= 70; ++procs) {
        for (int nodes = 1; nodes <= procs; nodes *= 2) {
          for (unsigned long long bytes = 0; bytes <= 300000; bytes = bytes * 3 / 2 + 1) {
            const table::Choice choice =
                table::choose(static_cast<Collective>(collective), procs, nodes, bytes,
                              static_cast<table::Mapping>(mapping));
            std::printf("%s %.*s %d %d\n", table::name(choice.algorithm).data(),
                        static_cast<int>(choice.params.size()), choice.params.data(),
                        choice.measured, choice.decided);
          }
        }
      }
    }
  }
  return rules_seen_by_b() == &table::detail::kRules ? 0 : 1;
}
