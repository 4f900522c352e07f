// SPDX-License-Identifier: BSD-3-Clause
#include "cli/settings.hpp"

#include <fmt/format.h>

#include <array>
#include <ranges>
#include <type_traits>

#include "cli/setting_text.hpp"
#include "harness/plan/model.hpp"

namespace breakeven::cli {

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
              [](plan::Sweep& sweep, const std::string& text) {
                auto& value = member<Path...>(sweep);
                value = read(text, std::type_identity<std::decay_t<decltype(value)>>{});
              },
          .text = [](const plan::Sweep& sweep) { return written(member<Path...>(sweep)); }};
}

const std::string kCollectivesHelp = fmt::format(
    "all, or MPI's names in lower case without MPI_: {}",
    fmt::join(kCollectives.entries | std::views::transform(&decltype(kCollectives)::Entry::name),
              ", "));

const std::array kSettings{
    setting<&plan::Sweep::machine>(
        "machine",
        "an MPI library (see `breakeven machines`), a model: "
        "postal:alpha=1e-6,beta=1e-9,gamma=1e-10[,noise=0.02], or a simulated "
        "platform: smpi:PLATFORM.xml[,hosts=8][,mapping=rr]"),
    setting<&plan::Sweep::collectives>("collectives", kCollectivesHelp),
    setting<&plan::Sweep::algorithms>(
        "algorithms",
        "ring, allreduce/ring, ring:segments=4, native (the library's default), mpich:ring or "
        "openmpi:ring (its own, forced), breakeven or library (all of ours, all of its own); of "
        "one of ours also ring:segments=* (every value listed), "
        "recursive_multiplying:stages=factored (those without split and merged ranks), "
        "recursive_multiplying:best=8 (the first eight variants as models rank them) [all "
        "that run at the process count]"),
    setting<&plan::Sweep::procs>("procs", "process counts: 2,3,4, or 2:8 for all from 2 to 8"),
    setting<&plan::Sweep::nodes>("nodes", "nodes, each with the same number of processes"),
    setting<&plan::Sweep::mapping>(
        "mapping",
        "seq fills one node after the other; rr places ranks round robin; "
        "blocked:2 round robin, two at a time"),
    setting<&plan::Sweep::reorder_ranks>(
        "reorder_ranks",
        "true: on several nodes also measure algorithms with reordered ranks, where that sends "
        "less between nodes"),
    setting<&plan::Sweep::messages>(
        "bytes",
        "message sizes, of what MPI's count argument describes: 8,1K,1M, or "
        "8:1M for 8, 16, 32 ... 1M"),
    setting<&plan::Sweep::counts>(
        "counts",
        "block sizes of allgatherv, alltoallv, alltoallw, gatherv, reduce_scatter, "
        "scatterv: equal, linear (rank i's proportional to i), geometric (each half of the one "
        "before), random, spikes, one (one block has all), root (the root's has); --bytes is "
        "their mean"),
    setting<&plan::Sweep::program_time>(
        "program_time_s",
        "seconds that a program spends in its calls, as `breakeven profile` writes them into a "
        "sweep file: allreduce/4/seq/64K=0.18,...; measure these alone, and first and most what "
        "takes most time"),
    setting<&plan::Sweep::refine>(
        "refine",
        "true: also measure sizes between neighbours with different winners, as long as one is "
        "expected to gain --least-gain"),
    setting<&plan::Sweep::datatype>(
        "datatype", "MPI's, in lower case: int, double, unsigned_long, double_int ..."),
    setting<&plan::Sweep::op>("op", "MPI's, in lower case: sum, prod, max, land, bor, maxloc ..."),
    setting<&plan::Sweep::root>("root",
                                "root of bcast, gather, gatherv, reduce, scatter, scatterv"),
    setting<&plan::Sweep::launches>("launches",
                                    "most launches of a candidate; fewer than 3 decide nothing"),
    setting<&plan::Sweep::measure, &protocol::MeasurePlan::racing>(
        "racing", "true: measure again only candidates that may be the fastest"),
    setting<&plan::Sweep::least_gain>(
        "least_gain",
        "with racing: measure again only where that is expected to gain this fraction of the "
        "time, over one doubling of the message size"),
    Setting{.key = "prune_by",
            .help = "a model of the machine, loggp:L=2e-6,o=1e-6,g=1e-6,G=1e-9, or a machine file, "
                    "FILE.toml: leave out candidates that it predicts to be slow, but for some "
                    "that check it [none]",
            // By value: what is pruned must follow from the request when the file is another one.
            .set = [](plan::Sweep& sweep,
                      const std::string& text) { sweep.prune_by = plan::content_of(text); },
            .text = [](const plan::Sweep& sweep) { return sweep.prune_by; }},
    setting<&plan::Sweep::prune_margin>(
        "prune_margin",
        "how many times the fastest candidate's time a candidate must be predicted to take to be "
        "left out; more where measurements show that predictions err more"),
    setting<&plan::Sweep::seed>("seed", "of the order in which cases are measured"),
    setting<&plan::Sweep::shard>(
        "shard",
        "2/8: measure the second of eight parts, each in an allocation and a "
        "database of its own; `breakeven merge` joins them"),
    setting<&plan::Sweep::clean_environment>(
        "clean_environment",
        "true: unset the environment's variables of the MPI library and of UCX, libfabric and "
        "other transports; files of settings stay in force and are named"),
    setting<&plan::Sweep::measure, &protocol::MeasurePlan::target_ci,
            &stats::StopTarget::threshold>(
        "target_ci",
        "stop sampling a case once the 95 % confidence interval of its median is narrower than "
        "this fraction of it"),
    setting<&plan::Sweep::measure, &protocol::MeasurePlan::target_ci, &stats::StopTarget::rule>(
        "stop_rule",
        "what --target-ci limits: median_interval, or ReproMPI's rse, cov_mean, cov_median"),
    setting<&plan::Sweep::measure, &protocol::MeasurePlan::target_ci, &stats::StopTarget::window>(
        "stop_window", "number of running means or medians that cov_mean and cov_median compare"),
    setting<&plan::Sweep::measure, &protocol::MeasurePlan::repetitions>(
        "repetitions", "most samples of a case in one launch"),
    setting<&plan::Sweep::measure, &protocol::MeasurePlan::min_repetitions>(
        "min_repetitions", "fewest samples of a case in one launch, even beyond --case-budget-s"),
    setting<&plan::Sweep::measure, &protocol::MeasurePlan::min_time>(
        "min_time_s", "spread a case's samples in one launch over at least this many seconds"),
    setting<&plan::Sweep::measure, &protocol::MeasurePlan::case_budget>(
        "case_budget_s", "most seconds for a case's samples in one launch"),
    setting<&plan::Sweep::measure, &protocol::MeasurePlan::batch>(
        "batch", "samples that a candidate takes before the next candidate's turn"),
    setting<&plan::Sweep::measure, &protocol::MeasurePlan::drop_outliers>(
        "drop_outliers",
        "true: medians ignore samples beyond Tukey's fences; the database keeps them"),
    setting<&plan::Sweep::measure, &protocol::MeasurePlan::sync>(
        "sync",
        "how ranks begin a repetition together: dissemination or library (barriers), window or "
        "round_time (these need --clock-sync)"),
    setting<&plan::Sweep::measure, &protocol::MeasurePlan::clock_sync>(
        "clock_sync",
        "how ranks learn rank 0's clock: none, skampi, jk, hca, hca2, hca3, two_level"),
    setting<&plan::Sweep::measure, &protocol::MeasurePlan::timer>(
        "timer", "clock that a rank reads: monotonic (clock_gettime) or wtime (MPI_Wtime)"),
    setting<&plan::Sweep::measure, &protocol::MeasurePlan::run_time>(
        "run_time",
        "duration of a sample; local: the slowest rank's own; global: from the first rank's start "
        "to the last one's end (needs --clock-sync)"),
};

}  // namespace

std::span<const Setting> settings() { return kSettings; }

plan::Sweep default_sweep() {
  plan::Sweep sweep;
  sweep.messages = read("8:1M", std::type_identity<std::vector<Bytes>>{});
  return sweep;
}

}  // namespace breakeven::cli
