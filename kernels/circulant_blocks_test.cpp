// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "kernels/build.hpp"
#include "kernels/catalogue.hpp"
#include "kernels/fold.hpp"
#include "kernels/price.hpp"
#include "kernels/verify.hpp"

namespace breakeven::kernels {
namespace {

/// Each rank gets each block once, in the fewest rounds possible.
TEST(CirculantBlocks, AreRightAndRoundOptimal) {
  const Algorithm& algorithm = find_algorithm(Collective::bcast, "circulant_blocks");
  for (int procs = 2; procs <= 130; ++procs) {
    for (int blocks = 1; blocks <= 20; ++blocks) {
      SCOPED_TRACE(fmt::format("{} blocks at p = {}", blocks, procs));
      const Problem problem{.collective = Collective::bcast,
                            .procs = procs,
                            .root = {procs / 3},
                            .params = Params::parse(fmt::format("blocks={}", blocks))};
      const std::vector<Schedule> world = world_of(algorithm, problem);
      ASSERT_NO_THROW(static_cast<void>(verify(problem, world)));
      std::size_t messages = 0;
      for (const Schedule& schedule : world) {
        for (const Round& round : schedule.rounds) messages += round.comm.size();
      }
      ASSERT_EQ(messages, 2 * static_cast<std::size_t>(blocks * (procs - 1)));
      ASSERT_EQ(price(problem, world).rounds, blocks - 1 + ceil_log2(procs));
    }
  }
}

}  // namespace
}  // namespace breakeven::kernels
