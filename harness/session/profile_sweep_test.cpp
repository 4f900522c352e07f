// SPDX-License-Identifier: BSD-3-Clause
#include "harness/session/profile_sweep.hpp"

#include <gtest/gtest.h>

#include "harness/plan/settings.hpp"

namespace breakeven::session {
namespace {

using tables::Amount;
using tables::Use;

const NodeLayout kFour{.procs = 4, .nodes = 1, .procs_per_node = 4};
const NodeLayout kOnTwoNodes{
    .procs = 8, .nodes = 2, .procs_per_node = 4, .mapping = Mapping::blocked(2)};

std::map<Use, Amount>::value_type use(Collective collective, NodeLayout layout, std::int64_t bytes,
                                      const std::string& datatype, const std::string& op,
                                      double time_s) {
  return {{.collective = collective,
           .layout = std::move(layout),
           .message = {bytes},
           .datatype = datatype,
           .op = op},
          {.calls = 1, .seconds = time_s}};
}

plan::Sweep sweep_of(const std::map<Use, Amount>& uses) {
  return plan::parse_sweep(profile_sweep({.uses = uses}, "openmpi"), "profile.toml");
}

TEST(ProfileSweep, MeasuresNearlyAllThatTakesTime) {
  const plan::Sweep sweep =
      sweep_of({use(Collective::allreduce, kFour, 64, "int", "max", 0.5),
                use(Collective::allreduce, kFour, 64, "double", "sum", 0.250049),
                use(Collective::bcast, kFour, 1024, "byte", "", 0.2),
                use(Collective::barrier, kFour, 0, "", "", 0.041),
                use(Collective::reduce, kFour, 8, "int", "max", 0.009)});  // the last 1 %
  EXPECT_EQ(sweep.machine, "openmpi");
  EXPECT_EQ(sweep.collectives,
            (std::vector{Collective::allreduce, Collective::barrier, Collective::bcast}));
  EXPECT_EQ(sweep.layouts, std::vector{kFour});
  EXPECT_EQ(sweep.messages, (std::vector<Bytes>{{64}, {1024}}));
  EXPECT_EQ(sweep.datatype, Datatype::int_);
  EXPECT_EQ(sweep.op, Op::max);
  EXPECT_EQ(sweep.program_time, (ProgramTime{{{Collective::allreduce, kFour, {64}}, {0.75}},
                                             {{Collective::barrier, kFour, {}}, {0.041}},
                                             {{Collective::bcast, kFour, {1024}}, {0.2}}}));
}

TEST(ProfileSweep, IsOfAllLayoutsUnderTheMappingWithMostTime) {
  NodeLayout in_order = kOnTwoNodes;
  in_order.mapping = Mapping::seq;
  const NodeLayout columns{.procs = 2, .nodes = 2, .procs_per_node = 1, .comms_per_node = 4};
  const plan::Sweep sweep = sweep_of({use(Collective::allgather, kFour, 64, "int", "", 0.2),
                                      use(Collective::scan, columns, 64, "int", "max", 0.2),
                                      use(Collective::alltoall, in_order, 64, "int", "", 0.4),
                                      use(Collective::bcast, kOnTwoNodes, 2, "int", "", 0.6)});
  EXPECT_EQ(sweep.mapping, Mapping::blocked(2));
  NodeLayout without_mapping = in_order;
  EXPECT_EQ(sweep.layouts, (std::vector{columns, kFour, without_mapping}));
  EXPECT_EQ(plan::layouts_of(sweep), (std::vector{columns, kFour, kOnTwoNodes}));
  EXPECT_EQ(sweep.collectives,
            (std::vector{Collective::allgather, Collective::bcast, Collective::scan}));
  EXPECT_EQ(sweep.messages, (std::vector<Bytes>{{4}, {64}}));  // whole elements
  EXPECT_EQ(sweep.datatype, Datatype::int_);
  // Nodes with unequal numbers of ranks are no sweep's.
  const NodeLayout uneven{.procs = 5, .nodes = 2, .procs_per_node = 3};
  EXPECT_EQ(sweep_of({use(Collective::bcast, uneven, 8, "int", "", 9),
                      use(Collective::bcast, kFour, 8, "int", "", 1)})
                .layouts,
            std::vector{kFour});
}

TEST(ProfileSweep, KeepsItsDataWhereTheProgramsIsNoneOfMpis) {
  const plan::Sweep sweep = sweep_of({use(Collective::allreduce, kFour, 8, "derived", "user", 0.9),
                                      use(Collective::bcast, kFour, 1, "byte", "", 0.1)});
  EXPECT_EQ(sweep.datatype, plan::default_sweep().datatype);
  EXPECT_EQ(sweep.op, plan::default_sweep().op);
  EXPECT_EQ(sweep.messages, std::vector<Bytes>{{8}});
}

TEST(ProfileSweep, IsNoneOfAProgramThatCallsNothing) { EXPECT_EQ(profile_sweep({}, "mpich"), ""); }

}  // namespace
}  // namespace breakeven::session
