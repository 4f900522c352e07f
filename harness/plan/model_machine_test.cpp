// SPDX-License-Identifier: BSD-3-Clause
#include "harness/plan/model_machine.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "core/error.hpp"
#include "core/files.hpp"
#include "core/temporary_folder.hpp"
#include "stats/median.hpp"

namespace breakeven::plan {
namespace {

Case ring_case() {
  return {.collective = Collective::allreduce,
          .variant = Ours{"ring"},
          .procs = 4,
          .nodes = 1,
          .procs_per_node = 4,
          .mapping = Mapping::seq,
          .message = {4096},
          .datatype = Datatype::double_,
          .op = Op::sum,
          .root = {}};
}

constexpr double kRingTime = 6 * (1e-6 + 1024 * 1e-9) + 3 * 1024 * 1e-10;

std::string machine_refusal(const std::string& machine) {
  try {
    static_cast<void>(parse_model(machine));
    return "accepted";
  } catch (const UsageError& error) {
    return error.what();
  }
}

TEST(ModelMachine, ParametersMakeADifference) {
  ModelMachine machine{parse_model("postal:alpha=1e-6,beta=1e-9,gamma=1e-10")};
  Case what = ring_case();
  EXPECT_NEAR(machine.exact_time(what)->value, kRingTime, 1e-15);
  what.variant = what.variant.with_params("segments=2");
  const double pipelined = machine.exact_time(what)->value;
  EXPECT_NE(pipelined, machine.exact_time(ring_case())->value);
  ModelMachine other{parse_model("postal:alpha=1e-6,beta=1e-9,gamma=1e-10")};
  EXPECT_EQ(other.exact_time(what)->value, pipelined);  // in either order of calls
}

TEST(ModelMachine, PricesTheBlocksThatCountsMake) {
  // The root's own block is of 2000 bytes; rank 0 sends nothing, rank 1 sends 1000.
  Case what{.collective = Collective::gatherv,
            .variant = Ours{"linear"},
            .procs = 3,
            .message = {1000},
            .datatype = Datatype::byte,
            .root = {2}};
  ModelMachine machine{parse_model("postal:alpha=1e-6,beta=1e-9,gamma=1e-10")};
  EXPECT_NEAR(machine.exact_time(what)->value, 2 * 1e-6 + 2000 * 1e-9, 1e-15);
  what.counts = Counts::linear;
  EXPECT_NEAR(machine.exact_time(what)->value, 2 * 1e-6 + 1000 * 1e-9, 1e-15);
}

TEST(Model, IsReadFromItsName) {
  const Model model =
      parse_model("postal:gamma=1e-10,alpha=1e-6,beta=1e-9,noise=0.02,drift=0.1,seed=7");
  const auto& postal = std::get<sim::Postal>(model.machine.general.machine.at(0));
  EXPECT_EQ(postal.alpha.value, 1e-6);
  EXPECT_EQ(postal.beta_per_byte.value, 1e-9);
  EXPECT_EQ(postal.gamma_per_byte.value, 1e-10);
  EXPECT_EQ(model.noise, (stats::Noise{.log_sd = 0.02, .drift = 0.1}));
  EXPECT_EQ(model.seed, 7);
}

TEST(Model, HasOneNameHoweverItIsSpelt) {
  EXPECT_EQ(to_text(parse_model("postal:alpha=0.000001,beta=1e-9,gamma=1E-10")),
            "postal:alpha=1e-06,beta=1e-09,gamma=1e-10");
  const std::string name =
      "postal:alpha=1e-06,beta=1e-09,gamma=0,noise=0.1,spike_rate=0.01,spike_factor=5,"
      "autocorrelation=0.5,launch_noise=0.02,seed=3";
  EXPECT_EQ(to_text(parse_model(name)), name);
}

TEST(Model, IsReadFromAMachineFile) {
  const test::TemporaryFolder folder;
  const std::string file = folder / "a.toml";
  const auto read = [&](std::string_view alpha) {
    write_file(file, fmt::format("name = \"cluster\"\nmodel = \"postal\"\n[[ranges]]\nalpha = {}\n"
                                 "beta = 1e-9\ngamma = 1e-10\n",
                                 alpha));
    return parse_model(file);
  };
  const Model model = read("1e-6");
  EXPECT_EQ(to_text(model), "cluster.toml");
  EXPECT_NEAR(ModelMachine{model}.exact_time(ring_case())->value, kRingTime, 1e-18);
  EXPECT_EQ(identity_of(model), identity_of(read("1e-06")));
  EXPECT_NE(identity_of(model), identity_of(read("2e-6")));
  EXPECT_EQ(identity_of(parse_model("postal:alpha=1e-6,beta=1e-9,gamma=1e-10")), "");
}

TEST(Model, NamesThePartThatCanNotBeRead) {
  const std::string possible =
      "; possible: postal:alpha=SECONDS,beta=SECONDS_PER_BYTE,gamma=SECONDS_PER_BYTE"
      "[,f_alpha=FACTOR][,f_beta=FACTOR][,noise=FRACTION][,spike_rate=PROBABILITY,spike_factor="
      "FACTOR]"
      "[,drift=FRACTION][,autocorrelation=NUMBER][,launch_noise=FRACTION][,seed=NUMBER]";
  EXPECT_EQ(
      machine_refusal("postal:alpha=1").find("model 'postal' has no 'beta'; possible: postal:"),
      0U);
  EXPECT_EQ(machine_refusal("postal:alpha=x,beta=1,gamma=1"),
            "model 'postal:alpha=x,beta=1,gamma=1': can't read 'alpha=x'" + possible);
  for (const char* bad :
       {"alpha=-1,beta=1,gamma=1", "alpha=nan,beta=1,gamma=1", "alpha=1,beta=1,gamma=1,delta=1",
        "alpha=1,alpha=1,beta=1,gamma=1", "alpha,beta=1,gamma=1", "alpha=1s,beta=1,gamma=1", ""}) {
    EXPECT_NE(machine_refusal(std::string{"postal:"} + bad), "accepted") << bad;
  }
}

TEST(ModelMachine, GivesTheFormulasTimeWithoutNoise) {
  ModelMachine machine{parse_model("postal:alpha=1e-6,beta=1e-9,gamma=1e-10")};
  EXPECT_NEAR(machine.exact_time(ring_case())->value, kRingTime, 1e-18);
  const std::vector<protocol::CaseDone> done =
      machine.measure({.measure = {}, .cases = {ring_case()}}, 0);
  ASSERT_EQ(done.size(), 1);
  EXPECT_EQ(done.front().result.stop, Stop::precise);
  for (const Seconds sample : done.front().result.local) {
    EXPECT_EQ(sample, *machine.exact_time(ring_case()));
  }
}

TEST(ModelMachine, GivesTheSameNoiseForTheSameSeedInWhateverOrder) {
  const Model model = parse_model("postal:alpha=1e-6,beta=1e-9,gamma=1e-10,noise=0.05,seed=1");
  ModelMachine first{model};
  const auto repeat_0 = first.samples(ring_case(), 0, 20);
  const auto repeat_1 = first.samples(ring_case(), 1, 20);
  EXPECT_NE(repeat_0, repeat_1);
  ModelMachine second{model};
  EXPECT_EQ(second.samples(ring_case(), 1, 20), repeat_1);
  EXPECT_EQ(second.samples(ring_case(), 0, 20), repeat_0);
  Model reseeded = model;
  reseeded.seed = 2;
  EXPECT_NE(ModelMachine{reseeded}.samples(ring_case(), 0, 20), repeat_0);
}

TEST(ModelMachine, SpreadsNoiseAroundTheFormulasTime) {
  ModelMachine machine{parse_model("postal:alpha=1e-6,beta=1e-9,gamma=1e-10,noise=0.05")};
  std::vector<double> logs;
  for (const double sample : machine.samples(ring_case(), 0, 10001)) {
    logs.push_back(std::log(sample / kRingTime));
  }
  EXPECT_NEAR(stats::median(logs), 0, 0.002);  // standard error of the median: 0.0006
  double squares = 0;
  for (const double log : logs) squares += log * log;
  EXPECT_NEAR(std::sqrt(squares / static_cast<double>(logs.size())), 0.05, 0.002);
}

TEST(ModelMachine, LetsLaunchesDifferAsAWhole) {
  ModelMachine machine{parse_model("postal:alpha=1e-6,beta=1e-9,gamma=1e-10,launch_noise=0.1")};
  const auto first = machine.samples(ring_case(), 0, 5);
  const auto second = machine.samples(ring_case(), 1, 5);
  EXPECT_EQ(std::set(first.begin(), first.end()).size(), 1);
  EXPECT_NE(first.front(), second.front());
}

}  // namespace
}  // namespace breakeven::plan
