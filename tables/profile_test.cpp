// SPDX-License-Identifier: BSD-3-Clause
#include "tables/profile.hpp"

#include <gtest/gtest.h>

#include "core/error.hpp"

namespace breakeven::tables {
namespace {

Use use(const std::string& datatype, Mapping mapping = Mapping::seq) {
  return {.collective = Collective::allreduce,
          .layout = {.procs = 4, .nodes = 2, .procs_per_node = 2, .mapping = mapping},
          .message = {64},
          .datatype = datatype,
          .op = "sum"};
}

Profile profile() {
  return {.library_version = "MPICH 4.0.2",
          .cpu = "a cpu",
          .procs = 4,
          .wall_s = 2,
          .uses = {{use("int"), {3, 4, 0.25}},
                   {use("double"), {1, 4, 0.5}},
                   {use("int", Mapping::rr), {1, 4, 0.125}},
                   {use("float"), {1, 4, 0}}}};
}

TEST(Profile, IsReadBackAsItIsWritten) {
  EXPECT_EQ(to_json(read_profile(to_json(profile()))), to_json(profile()));
}

TEST(Profile, SaysHowTheLibrarysAlgorithmIsKnown) {
  Use native = use("int");
  EXPECT_EQ(native_text(native), "");
  native.native = LibraryOwn{"mpich", "ring"};
  EXPECT_EQ(native_text(native), "mpich:ring (derived)");
  native.native = LibraryOwn{"openmpi", "ring"};
  EXPECT_EQ(native_text(native), "openmpi:ring (observed)");
  Profile known;
  known.uses[native] = {.calls = 1};
  EXPECT_EQ(read_profile(to_json(known)).uses.begin()->first, native);
}

TEST(Profile, TimeIsSummedOverDatatypes) {
  EXPECT_EQ(program_time(profile()),
            (ProgramTime{{{Collective::allreduce, {4, 2, 2}, {64}}, {0.75}},
                         {{Collective::allreduce, {4, 2, 2, Mapping::rr}, {64}}, {0.125}}}));
}

TEST(Profile, TimeOfPersistentCallsIsThatOfNonblockingOnes) {
  Profile forms;
  for (const auto& [form, name] : kCallForms.entries) {
    Use each = use("int");
    each.form = form;
    forms.uses[each] = {.seconds = 1};
  }
  const Called called{Collective::allreduce, {4, 2, 2}, {64}};
  Called nonblocking = called;
  nonblocking.form = CallForm::nonblocking;
  EXPECT_EQ(program_time(forms), (ProgramTime{{called, {1}}, {nonblocking, {2}}}));
}

TEST(Profile, OfSeveralProgramsIsTheirSum) {
  Profile other = profile();
  other.command = "./b";
  other.procs = 8;
  const Profile sum = sum_of({profile(), other});
  EXPECT_EQ(sum.uses.at(use("int")).calls, 6);
  EXPECT_EQ(sum.wall_s, 4);
  EXPECT_EQ(sum.procs, 8);
  ASSERT_EQ(sum.programs.size(), 2U);
  EXPECT_EQ(sum.programs[1].command, "./b");
  EXPECT_EQ(to_json(read_profile(to_json(sum))), to_json(sum));
  EXPECT_EQ(to_json(sum_of({other})), to_json(other));
}

TEST(Profile, OfImpossibleCallsIsRefused) {
  Profile damaged = profile();
  Use impossible = use("int");
  impossible.message = {-8};
  damaged.uses[impossible] = {};
  EXPECT_THROW(static_cast<void>(read_profile(to_json(damaged))), UsageError);
  EXPECT_THROW(static_cast<void>(read_profile("{}")), UsageError);
}

}  // namespace
}  // namespace breakeven::tables
