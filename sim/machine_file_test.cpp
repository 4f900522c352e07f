// SPDX-License-Identifier: BSD-3-Clause
#include "sim/machine_file.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "core/error.hpp"
#include "kernels/build.hpp"
#include "kernels/catalogue.hpp"
#include "sim/uniform.hpp"

namespace breakeven::sim {
namespace {

constexpr std::string_view kFile = R"(name = "a cluster"
model = "postal"

[origin]
library = "mpich"
source = "made up \"here\""

[limits]
procs = 8
message_bytes = 4096

[[ranges]]
up_to_bytes = 1000
alpha = 1e-06
beta = 2e-09
gamma = 1e-10
f_alpha = 1
[ranges.replicates]
alpha = [1.1e-06, 9e-07]
f_alpha = [1, 0.9]

[[ranges]]
alpha = 5e-06
beta = 1e-09
gamma = 3e-10
[ranges.replicates]
alpha = [5.1e-06, 4.9e-06]

[[algorithms]]
name = "allreduce/ring"

[[algorithms.ranges]]
alpha = 2e-06
beta = 1e-09
gamma = 1e-10

[[errors]]
shared = 0.3
own = 0.2
cases = 40

[[errors]]
name = "allreduce"
shared = 0.1
own = 0.05
cases = 20
)";

std::string with(std::string_view part, std::string_view instead) {
  std::string text{kFile};
  text.replace(text.find(part), part.size(), instead);
  return text;
}

std::string refusal(const std::string& toml) {
  try {
    static_cast<void>(parse_machine(toml, "m.toml"));
    return "accepted";
  } catch (const UsageError& error) {
    return error.what();
  }
}

TEST(MachineFile, IsWrittenAsItWasRead) {
  const MachineDescription read = parse_machine(kFile, "m.toml");
  EXPECT_EQ(to_toml(read), kFile);
  EXPECT_EQ(read.origin.source, "made up \"here\"");
  EXPECT_EQ(read.limits, (Limits{.procs = 8, .message_bytes = 4096}));
  EXPECT_EQ(to_text(read.general.machine),
            "postal:alpha=1e-06,beta=2e-09,gamma=1e-10|1000|alpha=5e-06,beta=1e-09,gamma=3e-10");
  ASSERT_EQ(read.general.replicates.size(), 2);
  EXPECT_EQ(to_text(read.general.replicates[1]),
            "postal:alpha=9e-07,beta=2e-09,gamma=1e-10,f_alpha=0.9"
            "|1000|alpha=4.9e-06,beta=1e-09,gamma=3e-10");
  EXPECT_EQ(&read.of(Collective::allreduce, "ring"), &read.by_algorithm.at("allreduce/ring"));
  EXPECT_EQ(&read.of(Collective::allgather, "ring"), &read.general);
  EXPECT_EQ(read.error_of(Collective::allreduce, "ring", "", 0), (ModelError{0.1, 0.05, 20}));
  EXPECT_EQ(read.error_of(Collective::bcast, "ring", "", 0), (ModelError{0.3, 0.2, 40}));
  const double beyond = read.limits.doublings_beyond(16, 1, {8192});
  EXPECT_EQ(beyond, 2);
  EXPECT_NEAR(read.error_of(Collective::allreduce, "ring", "", beyond)->shared,
              std::sqrt(0.01 + 2 * 0.09), 1e-12);
  EXPECT_NEAR(read.error_of(Collective::allreduce, "ring", "segments=4", 0)->own,
              std::sqrt(0.0025 + 0.04), 1e-12);
  EXPECT_FALSE(MachineDescription{}.error_of(Collective::bcast, "ring", "", 0));
}

TEST(MachineFile, IsRefusedWithTheLineThatIsWrong) {
  const auto wrong = [&](std::string_view part, std::string_view instead) {
    return refusal(with(part, instead));
  };
  EXPECT_EQ(wrong("a cluster", "another"), "accepted");
  EXPECT_EQ(refusal("name = \"x\"\n"), "m.toml:1: has no 'model'");
  EXPECT_EQ(wrong("name =", "nam ="),
            "m.toml:1: no key 'nam'; did you mean 'name'? known: name model ranges algorithms "
            "limits origin errors");
  EXPECT_EQ(wrong("name = \"a cluster\"", "name ").find("m.toml:1: not TOML: "), 0);
  EXPECT_EQ(wrong("\"a cluster\"", "3"), "m.toml:1: 'name' is not a text");
  EXPECT_EQ(
      wrong("\"postal\"", "\"telegraph\"").find("m.toml:12: no model 'telegraph'; known: postal "),
      0);
  EXPECT_EQ(wrong("procs = 8", "procs = 0"),
            "m.toml:9: 'procs' is not a whole number of 1 or more");
  EXPECT_EQ(wrong("1e-06", "\"1e-06\""), "m.toml:14: 'alpha' is not a number of 0 or more");
  EXPECT_EQ(wrong("1e-06", "-1e-06"), "m.toml:14: 'alpha' is not a number of 0 or more");
  EXPECT_EQ(wrong("alpha = 5e-06\n", "").find("m.toml:22: model 'postal' has no 'alpha'"), 0);
  EXPECT_EQ(wrong("alpha = 5e-06", "alpha = 5e-06\ndelta = 1").find("m.toml:24: no key 'delta'"),
            0);
  EXPECT_EQ(wrong("up_to_bytes = 1000\n", ""),
            "m.toml:12: a range that is not the last has no 'up_to_bytes'");
  EXPECT_EQ(wrong("alpha = 5e-06", "up_to_bytes = 1e4"),
            "m.toml:23: the last range is for all longer messages, without a limit");
  const std::string uneven = "its replicates are not as many as those of other keys or ranges";
  EXPECT_EQ(wrong("[5.1e-06, 4.9e-06]", "[5.1e-06]"), "m.toml:22: " + uneven);
  EXPECT_EQ(wrong("[1, 0.9]", "[1, 0.9, 1]"), "m.toml:12: " + uneven);
  EXPECT_EQ(wrong("f_alpha = [", "f_beta = ["), "m.toml:20: 'f_beta' is not a key of its range");
  const std::string again =
      "[[algorithms]]\nname = \"allreduce/ring\"\nranges = [{alpha = 1, beta = 1, gamma = 1}]";
  EXPECT_EQ(refusal(std::string{kFile} + again), "m.toml:47: 'allreduce/ring' was said before");
}

/// A ring of 4 sends messages of a quarter.
TEST(MachineFile, HasParametersByMessageSizeInEveryEngine) {
  const MachineDescription read = parse_machine(kFile, "m.toml");
  const Machine& machine = read.general.machine;
  const auto& ring = kernels::find_algorithm(Collective::allreduce, "ring");
  const kernels::Problem problem{.collective = Collective::allreduce, .procs = 4};
  const auto exchange = kernels::make_exchange(problem, kernels::world_of(ring, problem));
  const auto time = [&](std::int64_t bytes, const Machine& on) {
    const kernels::CollectiveCall call{
        .problem = problem, .count = bytes, .datatype = Datatype::byte};
    const Seconds general = finish_time(exchange, call, on);
    EXPECT_EQ(seconds_of(done_times(*uniform_of(ring, problem), call, on, {{0, 0, 0, 0}}).front()),
              general);
    return general.value;
  };
  EXPECT_DOUBLE_EQ(time(4000, machine), 6 * (1e-6 + 1000 * 2e-9) + 3 * 1000 * 1e-10);
  EXPECT_DOUBLE_EQ(time(8000, machine), 6 * (5e-6 + 2000 * 1e-9) + 3 * 2000 * 3e-10);
  Machine overlapping;
  overlapping.ranges = {{LogGP{.L = {1e-6}, .o = {1e-7}, .G = {1e-9}}, 1000},
                        {LogGP{.L = {3e-6}, .o = {1e-7}, .G = {1e-9}, .gamma_per_byte = {1e-9}}}};
  EXPECT_DOUBLE_EQ(time(4000, overlapping), 6 * (1.2e-6 + 999e-9));
  EXPECT_DOUBLE_EQ(time(8000, overlapping), 6 * (3.2e-6 + 1999e-9) + 3 * 2000 * 1e-9);
}

}  // namespace
}  // namespace breakeven::sim
