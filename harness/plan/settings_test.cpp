// SPDX-License-Identifier: BSD-3-Clause
#include "harness/plan/settings.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "core/error.hpp"

namespace breakeven::plan {
namespace {

Sweep with(std::string_view key, const std::string& text) {
  Sweep sweep;
  std::ranges::find(settings(), key, &Setting::key)->set(sweep, text);
  return sweep;
}

std::string toml_refusal(const std::string& toml) {
  try {
    static_cast<void>(parse_sweep(toml, "sweep.toml"));
    return "accepted";
  } catch (const UsageError& error) {
    return error.what();
  }
}

TEST(Settings, ReadSizesAsListsAndDoublingRanges) {
  EXPECT_EQ(with("bytes", "8:64,1K").messages, (std::vector<Bytes>{{8}, {16}, {32}, {64}, {1024}}));
  EXPECT_EQ(with("bytes", "8:100").messages, (std::vector<Bytes>{{8}, {16}, {32}, {64}}));
  EXPECT_EQ(with("bytes", "64,8,64").messages, (std::vector<Bytes>{{8}, {64}}));
}

TEST(Settings, WriteDoublingSizesAsRanges) {
  const auto bytes = std::ranges::find(settings(), "bytes", &Setting::key);
  for (const char* text : {"8:1M", "8,32", "8,32:128,1000,3K:6K", "1G"}) {
    EXPECT_EQ(bytes->text(with("bytes", text)), text);
  }
}

TEST(Settings, ReadProcessCountsAsListsAndRanges) {
  EXPECT_EQ(with("procs", "2,4:6,4").procs, (std::vector{2, 4, 5, 6}));
}

TEST(Settings, ReadAProgramsTimeAsTheyWriteIt) {
  const std::string text =
      "allreduce/1x4/seq/64K=0.18,ibcast/2x4/blocked:2/8=2e-05,scatterv/2x1*2/seq=0.02";
  const ProgramTime time = with("program_time_s", text).program_time;
  EXPECT_EQ(
      time,
      (ProgramTime{
          {{Collective::allreduce, {4, 1, 4}, {65536}}, {0.18}},
          {{Collective::bcast, {8, 2, 4, Mapping::blocked(2)}, {8}, CallForm::nonblocking}, {2e-5}},
          {{Collective::scatterv, {2, 2, 1, Mapping::seq, 2}, {}}, {0.02}}}));
  const auto setting = std::ranges::find(settings(), "program_time_s", &Setting::key);
  EXPECT_EQ(setting->text(with("program_time_s", text)), text);
}

TEST(Settings, RefuseWhatTheyCanNotRead) {
  for (const auto& [key, text] :
       std::vector<std::pair<std::string_view, std::string>>{{"bytes", "8:4"},
                                                             {"bytes", ""},
                                                             {"bytes", "8,,9"},
                                                             {"bytes", "1:2:3"},
                                                             {"procs", "0"},
                                                             {"procs", "5:2"},
                                                             {"procs", "two"},
                                                             {"procs", ""},
                                                             {"launches", "3.5"},
                                                             {"launches", ""},
                                                             {"op", "add"},
                                                             {"datatype", "quad"},
                                                             {"mapping", "cyclic"},
                                                             {"collectives", "alltosome"},
                                                             {"counts", ""},
                                                             {"counts", "equal,steep"},
                                                             {"refine", "maybe"},
                                                             {"case_budget_s", "fast"},
                                                             {"seed", "-1"},
                                                             {"program_time_s", "bcast/4/seq/8"},
                                                             {"program_time_s", "bcast/4/8=1"},
                                                             {"program_time_s", "bcast/4/seq/9=1"},
                                                             {"program_time_s", "bcast/4/seq/8=0"},
                                                             {"root", "99999999999"}}) {
    EXPECT_THROW(static_cast<void>(with(key, text)), UsageError) << key << " = " << text;
  }
}

TEST(SweepFile, SetsWhatItNamesAndLeavesTheRest) {
  const Sweep sweep = parse_sweep(R"(
      machine = "openmpi"
      procs = [2, "4:6"]
      bytes = "8:32"
      collectives = ["allreduce"]
      counts = ["linear", "equal", "linear"]
      case_budget_s = 0.25
      seed = 9)",
                                  "sweep.toml");
  EXPECT_EQ(sweep.machine, "openmpi");
  EXPECT_EQ(sweep.procs, (std::vector{2, 4, 5, 6}));
  EXPECT_EQ(sweep.messages, (std::vector<Bytes>{{8}, {16}, {32}}));
  EXPECT_EQ(sweep.collectives, std::vector{Collective::allreduce});
  EXPECT_EQ(sweep.counts, (std::vector{Counts::linear, Counts::equal}));
  EXPECT_EQ(sweep.measure.case_budget.value, 0.25);
  EXPECT_EQ(sweep.seed, 9);
  EXPECT_EQ(sweep.launches, default_sweep().launches);
}

TEST(SweepFile, TakesAllCollectivesByOneWord) {
  EXPECT_EQ(parse_sweep("collectives = \"all\"", "sweep.toml").collectives.size(),
            kCollectives.entries.size());
}

TEST(SweepFile, NamesFileLineAndWhatIsPossible) {
  EXPECT_EQ(toml_refusal("machine = \"mpich\"\nprocs = [2, \"x\"]\n"),
            "sweep.toml:2: procs: 'x' is not a whole number");
  EXPECT_EQ(
      toml_refusal("op = \"add\"\n"),
      "sweep.toml:1: op: no op 'add'; known: none sum prod max min land lor lxor band bor bxor "
      "maxloc minloc");
  EXPECT_EQ(toml_refusal("[table]\n").substr(0, 47),
            "sweep.toml:1: no key 'table'; known: machine co");
  EXPECT_EQ(toml_refusal("byte = 8\n").substr(0, 50),
            "sweep.toml:1: no key 'byte'; did you mean 'bytes'?");
  EXPECT_EQ(toml_refusal("procs = = 2\n").substr(0, 24), "sweep.toml:1: not TOML: ");
}

TEST(SweepFile, WritesEverySettingSoThatItReadsItBack) {
  Sweep sweep = parse_sweep(
      "bytes = \"8:1M\"\nalgorithms = [\"ring\", \"native\"]\nroot = 1\n"
      "program_time_s = [\"bcast/2x2/seq/8=0.1\", \"bcast/2x2/rr/8=0.2\"]\n",
      "x");
  sweep.measure = {.sync = SyncMethod::window,
                   .clock_sync = ClockSync::two_level,
                   .timer = Timer::wtime,
                   .run_time = RunTime::global,
                   .target_ci = {stats::StopRule::rse, 0.01, 7},
                   .repetitions = 7,
                   .min_repetitions = 3,
                   .case_budget = {0.125},
                   .batch = 2,
                   .racing = false};
  const std::string toml = to_toml(sweep);
  EXPECT_EQ(to_toml(parse_sweep(toml, "again")), toml);
  for (const Setting& setting : settings()) {
    EXPECT_EQ(setting.text(parse_sweep(toml, "again")), setting.text(sweep)) << setting.key;
  }
}

}  // namespace
}  // namespace breakeven::plan
