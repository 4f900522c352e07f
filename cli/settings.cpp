// SPDX-License-Identifier: BSD-3-Clause
#include "cli/settings.hpp"

#include <fmt/format.h>

#include <array>
#include <ranges>
#include <type_traits>

#include "cli/setting_text.hpp"

namespace breakeven {

namespace {

/// sweep.*first.*second...
template <auto First, auto... Rest>
auto& member(auto& object) {
  if constexpr (sizeof...(Rest) == 0) {
    return object.*First;
  } else {
    return member<Rest...>(object.*First);
  }
}

/// The setting that is this member of a sweep.
template <auto... Path>
constexpr Setting setting(std::string_view key, std::string_view help) {
  return {.key = key,
          .help = help,
          .set =
              [](Sweep& sweep, const std::string& text) {
                auto& value = member<Path...>(sweep);
                value = read(text, std::type_identity<std::decay_t<decltype(value)>>{});
              },
          .text = [](const Sweep& sweep) { return written(member<Path...>(sweep)); }};
}

const std::string kCollectivesHelp = fmt::format(
    "MPI's names in lower case without MPI_: {}",
    fmt::join(kCollectives.entries | std::views::transform(&decltype(kCollectives)::Entry::name),
              ", "));

const std::array kSettings{
    setting<&Sweep::machine>("machine",
                             "an MPI library (see `breakeven machines`), a model: "
                             "postal:alpha=1e-6,beta=1e-9,gamma=1e-10[,noise=0.02], or a simulated "
                             "platform: smpi:PLATFORM.xml[,hosts=8][,mapping=rr]"),
    setting<&Sweep::collectives>("collectives", kCollectivesHelp),
    setting<&Sweep::algorithms>("algorithms",
                                "ring, allreduce/ring, native (the library's own); without it "
                                "every one that runs at p"),
    setting<&Sweep::procs>("procs", "process counts: 2,3,4, or 2:8 for all from 2 to 8"),
    setting<&Sweep::nodes>("nodes", "nodes, with the same number of processes on each"),
    setting<&Sweep::mapping>("mapping",
                             "seq fills a node before the next, rr deals ranks out round robin, "
                             "blocked:2 two at a time"),
    setting<&Sweep::reorder_ranks>(
        "reorder_ranks",
        "true: on several nodes also measure algorithms with their ranks "
        "reordered, where less then passes between nodes"),
    setting<&Sweep::messages>("bytes",
                              "message sizes as MPI's count describes them: 8,1K,1M, or 8:1M for "
                              "8, 16, 32 ... 1M"),
    setting<&Sweep::counts>("counts",
                            "of allgatherv, alltoallv, gatherv, reduce_scatter, scatterv: equal, "
                            "linear (rank i's block proportional to i, the mean as --bytes says)"),
    setting<&Sweep::guideline_sizes>("guideline_sizes",
                                     "true: measure vectors also at p times the block sizes, where "
                                     "guidelines compare collectives"),
    setting<&Sweep::refine>("refine",
                            "true: then measure between neighbouring sizes with different winners, "
                            "until they are within 10 %"),
    setting<&Sweep::datatype>("datatype",
                              "MPI's in lower case: int, double, unsigned_long, double_int ..."),
    setting<&Sweep::op>("op", "MPI's in lower case: sum, prod, max, land, bor, maxloc ..."),
    setting<&Sweep::root>("root", "of bcast, gather, gatherv, reduce, scatter, scatterv"),
    setting<&Sweep::launches>(
        "launches",
        "starts of the MPI job at each process count, at most; fewer than 3 decide nothing"),
    setting<&Sweep::measure, &MeasurePlan::racing>(
        "racing", "true: after 3 launches measure only where the fastest candidate is not decided"),
    setting<&Sweep::seed>("seed", "of the order in which cases are measured"),
    setting<&Sweep::shard>("shard",
                           "2/8: the second of eight shards, each for an allocation and a database "
                           "of its own; `breakeven merge` joins them"),
    setting<&Sweep::measure, &MeasurePlan::target_ci, &stats::StopTarget::threshold>(
        "target_ci",
        "stop sampling a case once the 95 % confidence interval of its median is narrower than "
        "this fraction of the median"),
    setting<&Sweep::measure, &MeasurePlan::target_ci, &stats::StopTarget::rule>(
        "stop_rule",
        "what --target-ci limits: median_interval, or ReproMPI's rse, cov_mean, cov_median"),
    setting<&Sweep::measure, &MeasurePlan::target_ci, &stats::StopTarget::window>(
        "stop_window", "running means or medians that cov_mean and cov_median compare"),
    setting<&Sweep::measure, &MeasurePlan::repetitions>("repetitions",
                                                        "samples of a case in one launch, at most"),
    setting<&Sweep::measure, &MeasurePlan::min_repetitions>(
        "min_repetitions", "samples of a case in one launch, at least, even over the budget"),
    setting<&Sweep::measure, &MeasurePlan::min_time>(
        "min_time_s", "spread a case's samples in a launch over at least this many seconds"),
    setting<&Sweep::measure, &MeasurePlan::case_budget>(
        "case_budget_s", "seconds for a case's samples in one launch"),
    setting<&Sweep::measure, &MeasurePlan::batch>(
        "batch", "samples that a candidate takes before the next one takes its turn"),
    setting<&Sweep::measure, &MeasurePlan::drop_outliers>(
        "drop_outliers",
        "true: leave samples beyond Tukey's fences out of medians; they stay stored"),
    setting<&Sweep::measure, &MeasurePlan::sync>(
        "sync",
        "how ranks begin a repetition together: dissemination or library (barriers), window or "
        "round_time (need a clock)"),
    setting<&Sweep::measure, &MeasurePlan::clock_sync>(
        "clock_sync",
        "how ranks learn rank 0's clock: none, skampi, jk, hca, hca2, hca3, two_level"),
    setting<&Sweep::measure, &MeasurePlan::timer>(
        "timer", "what a rank reads time from: monotonic (clock_gettime) or wtime (MPI_Wtime)"),
    setting<&Sweep::measure, &MeasurePlan::run_time>(
        "run_time",
        "local: the slowest rank's own time; global: from the first rank's start to the last one's "
        "end (needs a clock)"),
};

}  // namespace

std::span<const Setting> settings() { return kSettings; }

Sweep default_sweep() {
  Sweep sweep;
  sweep.messages = read("8:1M", std::type_identity<std::vector<Bytes>>{});
  return sweep;
}

}  // namespace breakeven
