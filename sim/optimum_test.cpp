// SPDX-License-Identifier: BSD-3-Clause
// One-ported rounds against the messages of the rank that has most: no round needs more steps.
#include <gtest/gtest.h>

#include "kernels/build.hpp"
#include "kernels/catalogue.hpp"
#include "kernels/price.hpp"
#include "sim/machine.hpp"

namespace breakeven::sim {
namespace {

constexpr Ticks kStep = 1000;

/// How many messages follow one another.
Ticks steps_of(const kernels::Algorithm& algorithm, const kernels::Problem& problem) {
  const auto world = kernels::world_of(algorithm, problem);
  return trace(kernels::make_exchange(problem, world),
               {.problem = problem, .count = problem.procs, .datatype = Datatype::byte},
               Postal{.alpha = {kStep / kTicksPerSecond}})
             .end() /
         kStep;
}

TEST(OnePorted, TakesNoMoreStepsThanARoundHasMessagesOfARank) {
  for (const auto& [collective, name] : kCollectives.entries) {
    for (const kernels::Algorithm* const algorithm : kernels::catalogue(collective)) {
      for (int procs = 2; procs <= 16; ++procs) {
        for (const kernels::Problem& problem :
             kernels::problems_to_prove(collective, *algorithm, procs)) {
          const auto world = kernels::world_of(*algorithm, problem);
          EXPECT_LE(steps_of(*algorithm, problem),
                    static_cast<Ticks>(kernels::price(problem, world).critical_path.messages))
              << name << '/' << algorithm->name << ':' << problem.params.text() << " p = " << procs
              << " root " << problem.root.value;
        }
      }
    }
  }
}

}  // namespace
}  // namespace breakeven::sim
