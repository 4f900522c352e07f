// SPDX-License-Identifier: BSD-3-Clause
#include "sim/two_level.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "kernels/build.hpp"
#include "kernels/catalogue.hpp"
#include "sim/machine.hpp"

namespace breakeven::sim {
namespace {

constexpr Ticks kNanosecond = 1'000'000;

/// Buses of 1 GB/s that all else waits for.
constexpr TwoLevel kBusBound{.bus_per_byte = {1e-9}};

Ticks done(const kernels::Algorithm& algorithm, const kernels::Problem& problem, std::int64_t bytes,
           const Machine& machine) {
  return std::ranges::max(
      done_times(kernels::exchange_of(algorithm, problem),
                 {.problem = problem, .count = bytes, .datatype = Datatype::byte}, machine));
}

Ticks two_level_allreduce(std::string_view name, int nodes, int cores, const Mapping& mapping,
                          std::int64_t bytes, const Machine& machine) {
  return done(kernels::find_algorithm(Collective::allreduce, name),
              {.collective = Collective::allreduce,
               .procs = nodes * cores,
               .placement = {.procs_per_node = cores, .mapping = mapping}},
              bytes, machine);
}

TEST(TwoLevel, RingTakes2QOfQPlus1AsLongRoundRobinWhereBusesAreTheLimit) {
  // 2 (p - 1) rounds in which a bus carries Q + 1 messages or 2 Q; it is never idle.
  constexpr Ticks kBlock = 1024;
  for (const int cores : {1, 2, 3, 4, 8, 16}) {
    for (const int nodes : {2, 3, 4, 8}) {
      const int procs = nodes * cores;
      const auto rounds = [&](const Mapping& mapping) {
        return two_level_allreduce("ring", nodes, cores, mapping, kBlock * procs, kBusBound) /
               (2 * (procs - 1) * kBlock * kNanosecond);
      };
      EXPECT_EQ(rounds(Mapping::seq), cores + 1) << nodes << " x " << cores;
      EXPECT_EQ(rounds(Mapping::rr), 2 * cores) << nodes << " x " << cores;
    }
  }
}

TEST(TwoLevel, SendersOfLongMessagesWaitForTheirReceivers) {
  const kernels::Algorithm& binomial = kernels::find_algorithm(Collective::bcast, "binomial");
  const kernels::Problem problem{.collective = Collective::bcast,
                                 .procs = 2,
                                 .params = kernels::Params::parse("segments=4"),
                                 .placement = {.procs_per_node = 1, .mapping = Mapping::seq}};
  TwoLevel machine{.latency_inter = {1e-6}, .card_per_byte = {1e-9}};
  const auto time = [&](double S, Ticks late) {
    machine.S = S;
    return done_times(kernels::exchange_of(binomial, problem),
                      {.problem = problem, .count = 4000, .datatype = Datatype::byte}, machine,
                      {.starts = {0, late}});
  };
  EXPECT_EQ(time(0, 0),
            (std::vector{0 * kNanosecond, 5'000 * kNanosecond}));  // the card is never idle
  EXPECT_EQ(time(1000, 0), time(0, 0));                            // not longer than S
  // Each segment begins when the one before is there.
  EXPECT_EQ(time(999, 0), (std::vector{8'000 * kNanosecond, 8'000 * kNanosecond}));
  EXPECT_EQ(time(0, 10'000 * kNanosecond), (std::vector{0 * kNanosecond, 10'000 * kNanosecond}));
  EXPECT_EQ(time(999, 10'000 * kNanosecond),
            (std::vector{18'000 * kNanosecond, 18'000 * kNanosecond}));
}

TEST(TwoLevel, ExchangesWaitForEachOther) {
  // A rank that sends and receives in a round is in it for both: no rank waits for ever.
  const TwoLevel machine{.latency_intra = {1e-7}, .latency_inter = {1e-6}, .S = 1};
  for (const auto& [name, rounds] : {std::pair{"ring", 14}, {"recursive_doubling", 3}}) {
    EXPECT_EQ(two_level_allreduce(name, 8, 1, Mapping::seq, 800, machine),
              rounds * 1'000 * kNanosecond)
        << name;
  }
}

TEST(TwoLevel, RecursiveDoublingTakesAsLongWithBothMappingsAtPowersOfTwo) {
  for (const int cores : {1, 2, 4, 8}) {
    for (const int nodes : {2, 4, 8}) {
      const auto time = [&](const Mapping& mapping) {
        return two_level_allreduce("recursive_doubling", nodes, cores, mapping, 4096, kBusBound);
      };
      // In a round a bus carries Q messages, or 2 Q between nodes.
      EXPECT_EQ(time(Mapping::seq), Ticks{4096} * kNanosecond * cores *
                                        std::lround(std::log2(cores) + 2 * std::log2(nodes)));
      EXPECT_EQ(time(Mapping::rr), time(Mapping::seq));
    }
  }
}

TEST(TwoLevel, AgreesWithSmpiOnItsPlatform) {
  // A bus of 5.6 GB/s, links of 3.2 GB/s, 4 MiB: SMPI says 13.31 and 23.81 ms.
  const TwoLevel machine{.latency_intra = {0.3e-6},
                         .latency_inter = {1.5e-6},
                         .bus_per_byte = {1 / 5.6e9},
                         .card_per_byte = {1 / 3.2e9}};
  const auto milliseconds = [&](const Mapping& mapping) {
    return 1e3 * seconds_of(two_level_allreduce("ring", 8, 8, mapping, 4 << 20, machine)).value;
  };
  EXPECT_NEAR(milliseconds(Mapping::seq), 13.31, 0.05 * 13.31);
  EXPECT_NEAR(milliseconds(Mapping::rr), 23.81, 0.05 * 23.81);
}

const TwoLevel kWhole{.latency_intra = {100e-9},
                      .latency_inter = {1000e-9},
                      .overhead = {50e-9},
                      .bus_per_byte = {1e-9},
                      .card_per_byte = {2e-9},
                      .copy_per_byte = {1.5e-9},
                      .gamma_per_byte = {3e-9}};

Trace scatter(int procs, int procs_per_node, const TwoLevel& machine) {
  const kernels::Problem problem{.collective = Collective::scatter,
                                 .procs = procs,
                                 .placement = {.procs_per_node = procs_per_node}};
  return trace(kernels::exchange_of(kernels::find_algorithm(problem.collective, "linear"), problem),
               {.problem = problem, .count = 1000, .datatype = Datatype::byte}, machine);
}

TEST(TwoLevel, AMessagePassesEachServerAsAStream) {
  // Within a node: o, the sender's copying, L_intra, o.
  EXPECT_EQ(scatter(2, 2, kWhole).done[1], (50 + 1500 + 100 + 50) * kNanosecond);
  EXPECT_EQ(scatter(2, 2, kWhole).done[0], (50 + 1500) * kNanosecond);
  // To another: its card is what takes longest.
  EXPECT_EQ(scatter(2, 1, kWhole).done[1], (50 + 1000 + 2000 + 50) * kNanosecond);
  TwoLevel fast_card = kWhole;
  fast_card.card_per_byte = {1e-10};
  EXPECT_EQ(scatter(2, 1, fast_card).done[1], (50 + 1500 + 1000 + 50) * kNanosecond);
}

TEST(TwoLevel, ACardSendsOneMessageAfterTheOther) {
  // The second leaves when the first has left, although the root has copied it before.
  EXPECT_EQ(scatter(3, 1, kWhole).done[0], 2 * (50 + 1500) * kNanosecond);
  EXPECT_EQ(scatter(3, 1, kWhole).done[2], (50 + 2 * 2000 + 1000 + 50) * kNanosecond);
}

TEST(TwoLevel, IsTheSameHoweverItsNodesAreTakenTogether) {
  // All nodes are taken on together where some message has no latency.
  Machine together{kWhole};
  TwoLevel none = kWhole;
  none.latency_inter = {};
  together.ranges = {{.parameters = none, .up_to_bytes = 0}, {.parameters = kWhole}};
  for (const auto& [collective, name] : kCollectives.entries) {
    if (collective == Collective::barrier) continue;  // of no bytes
    for (const kernels::Algorithm* const algorithm : kernels::catalogue(collective)) {
      for (const auto& [mapping, cores] :
           {std::pair{Mapping::seq, 4}, {Mapping::rr, 4}, {Mapping::seq, 1}}) {
        const kernels::Problem problem{.collective = collective,
                                       .procs = 144,
                                       .placement = {.procs_per_node = cores, .mapping = mapping}};
        if (!kernels::runs(*algorithm, problem)) continue;
        const auto exchange = kernels::exchange_of(*algorithm, problem);
        const kernels::CollectiveCall call{
            .problem = problem, .count = 4000, .datatype = Datatype::byte};
        const Conditions skewed{.starts = starts_of({1e-5}, problem.procs)};
        for (const Conditions& conditions : {Conditions{}, skewed}) {
          EXPECT_EQ(done_times(exchange, call, kWhole, conditions),
                    done_times(exchange, call, together, conditions))
              << name << '/' << algorithm->name;
        }
      }
    }
  }
}

}  // namespace
}  // namespace breakeven::sim
