// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <algorithm>

#include "kernels/build.hpp"
#include "kernels/call.hpp"
#include "kernels/catalogue.hpp"
#include "kernels/exchange.hpp"
#include "kernels/fold.hpp"
#include "kernels/price.hpp"

namespace breakeven::kernels {
namespace {

/// [traff2023], proposition 4: ceil(log2 p) rounds, in which a rank sends and receives
/// ceil(log2 p) m elements at most in all, however the m elements are divided into blocks.
TEST(CirculantAllgatherv, KeepsProposition4WithAllCounts) {
  constexpr std::int64_t kMean = 5;
  const Algorithm& circulant = find_algorithm(Collective::allgatherv, "circulant");
  for (const auto& [counts, name] : kCounts.entries) {
    for (int procs = 2; procs <= 40; ++procs) {
      const Problem problem{.collective = Collective::allgatherv, .procs = procs};
      const CollectiveCall call{.problem = problem,
                                .count = kMean,
                                .begins = begins_of(block_counts(counts, procs, kMean)),
                                .datatype = Datatype::byte};
      const Exchange exchange = make_exchange(problem, world_of(circulant, problem));
      const auto loads = loads_of(exchange, [&](const Transfer& transfer) {
        double elements = 0;
        for (const BlockRange blocks : exchange.blocks_of(transfer.carried)) {
          elements += static_cast<double>(bytes_of(call, exchange.blocks, blocks).value);
        }
        return elements;
      });
      const auto most = static_cast<double>(ceil_log2(procs) * procs * kMean);
      double received = 0;
      for (int number : exchange.first_rounds) {
        int with_messages = 0;
        Load all;
        while (number != RankRound::kNone) {
          const RankRound& round = exchange.rounds[static_cast<std::size_t>(number)];
          if (round.sends + round.receives > 0) ++with_messages;
          all.out += loads[static_cast<std::size_t>(number)].out;
          all.in += loads[static_cast<std::size_t>(number)].in;
          number = round.next;
        }
        EXPECT_EQ(with_messages, ceil_log2(procs)) << name << ", p = " << procs;
        EXPECT_LE(all.out, most) << name << ", p = " << procs;
        EXPECT_LE(all.in, most) << name << ", p = " << procs;
        received += all.in;
      }
      // Each rank gets all blocks but its own, once.
      EXPECT_EQ(received, (procs - 1) * procs * kMean) << name << ", p = " << procs;
    }
  }
}

}  // namespace
}  // namespace breakeven::kernels
