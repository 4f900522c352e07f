// SPDX-License-Identifier: BSD-3-Clause
#include "harness/plan/settings.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <toml++/toml.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "core/fields.hpp"
#include "core/unknown.hpp"
#include "harness/plan/model.hpp"
#include "harness/plan/setting_text.hpp"

namespace breakeven::plan {

namespace {

constexpr const char* kCases = "Cases to measure";
constexpr const char* kHowMuch = "How much to measure";

/// The setting that is this member of a sweep.
template <auto Member>
Setting setting(const char* group, std::string_view key, std::string_view help,
                std::string_view value = "") {
  using Value = std::decay_t<decltype(Sweep{}.*Member)>;
  return {.key = key,
          .help = help,
          .group = group,
          .value = value.empty() ? value_name(Value{}) : std::string{value},
          .set = [](Sweep& sweep, const std::string& text) { sweep.*Member = read<Value>(text); },
          .text = [](const Sweep& sweep) { return written(sweep.*Member); }};
}

/// The setting that is this field of how a launch measures.
Setting measure(const char* group, std::string_view key, std::string_view help) {
  using protocol::MeasurePlan;
  Setting found{.key = key, .help = help, .group = group};
  for_each_field(fields(std::type_identity<MeasurePlan>{}), [&]<typename F>(const F& field) {
    if (field.name != key) return;
    using Value = ValueOf<MeasurePlan, F>;
    found.value = value_name(Value{});
    found.set = [](Sweep& sweep, const std::string& text) {
      F::set(sweep.measure, read<Value>(text));
    };
    found.text = [](const Sweep& sweep) { return written(F::get(sweep.measure)); };
  });
  if (!found.set)
    throw Error(fmt::format("setting {}: MeasurePlan has no field of this name", key));
  return found;
}

Setting prune_by() {
  Setting by = setting<&Sweep::prune_by>(
      kHowMuch, "prune_by",
      "save time by a model of the machine: leave out candidates that it predicts to be slow, "
      "except some that check the model; loggp:L=2e-6,o=1e-6,g=1e-6,G=1e-9 (in s and s/byte), or "
      "a machine file, FILE.toml [none]",
      "MODEL");
  // By value: the pruned cases must follow from the request, even after the file has changed.
  by.set = [](Sweep& sweep, const std::string& text) { sweep.prune_by = content_of(text); };
  return by;
}

Setting machine() {
  Setting machine = setting<&Sweep::machine>(
      kCases, "machine",
      "what to measure on: an MPI library (`breakeven machines` lists them), a simulated platform, "
      "smpi:PLATFORM.xml[,hosts=8][,mapping=rr], or a model, "
      "postal:alpha=1e-6,beta=1e-9,gamma=1e-10[,noise=0.02] (in s and s/byte; noise a fraction)");
  machine.value = "MACHINE";
  return machine;
}

const std::string kCollectivesHelp = fmt::format(
    "collectives to measure: all, or {}",
    fmt::join(kCollectives.entries | std::views::transform(&decltype(kCollectives)::Entry::name),
              ", "));

const std::array kSettings{
    machine(),
    setting<&Sweep::collectives>(kCases, "collectives", kCollectivesHelp),
    setting<&Sweep::forms>(kCases, "forms",
                           "forms of calls: blocking; nonblocking and persistent ones, from the "
                           "start to the completion, also with what starting costs and how much "
                           "computation the call hides"),
    setting<&Sweep::algorithms>(
        kCases, "algorithms",
        "candidates: ring, allreduce/ring, ring:segments=4; native (the library's default); "
        "mpich:ring, openmpi:ring (the library's own, forced); breakeven (all of Breakeven's), "
        "library (all of the library's own), mock_ups (other collectives of the library). With "
        "parameters: ring:segments=* takes each listed value, "
        "recursive_multiplying:stages=factored only lists whose product is p, "
        "recursive_multiplying:best=8 takes the eight variants that models rank first "
        "[native,library,breakeven; on a model breakeven]",
        "ALGORITHM,..."),
    setting<&Sweep::procs>(kCases, "procs", "process counts: 2,3,4, or 2:8 for all from 2 to 8"),
    setting<&Sweep::nodes>(kCases, "nodes",
                           "number of nodes; each gets the same number of processes"),
    setting<&Sweep::layouts>(
        kCases, "layouts",
        "in place of --procs and --nodes: nodes x processes per node, 2x4,4x2; 4x1*2 are two "
        "communicators of 4x1 that call at once, as the columns of a grid do"),
    setting<&Sweep::mapping>(
        kCases, "mapping",
        "how ranks are placed on nodes: seq fills one node after the other, rr places them round "
        "robin, blocked:2 round robin two at a time"),
    setting<&Sweep::messages>(
        kCases, "bytes",
        "message sizes in bytes (K = 1024), as MPI's count argument describes them: 8,1K,1M, or "
        "8:1M for 8, 16, 32 ... 1M"),
    setting<&Sweep::counts>(
        kCases, "counts",
        "block sizes of allgatherv, alltoallv, alltoallw, gatherv, reduce_scatter and scatterv, of "
        "which --bytes is the mean: equal, linear (in proportion to the rank), geometric (each "
        "half of the one before), random, spikes, one (a single block has all), root (the root's "
        "has)"),
    setting<&Sweep::datatype>(kCases, "datatype",
                              "MPI datatype: int, double, unsigned_long, double_int ..."),
    setting<&Sweep::op>(kCases, "op",
                        "MPI operation of reductions: sum, prod, max, land, maxloc ..."),
    setting<&Sweep::root>(kCases, "root",
                          "root of bcast, gather, gatherv, reduce, scatter, scatterv"),
    setting<&Sweep::refine>(
        kCases, "refine",
        "find break-even points more exactly: also measure sizes between neighbours with different "
        "choices, while that is expected to gain --least-gain"),
    setting<&Sweep::clean_environment>(
        kCases, "clean_environment",
        "measure the library as it is by default: unset its environment variables and those of "
        "UCX, libfabric and other transports; settings from files stay in force and are named"),
    setting<&Sweep::reorder_ranks>(
        kRare, "reorder_ranks",
        "on several nodes, also measure algorithms with reordered ranks where that sends less "
        "between nodes"),
    setting<&Sweep::program_time>(
        kRare, "program_time_s",
        "measure only the calls of one program, weighted by the seconds that it spends in them: "
        "allreduce/4/seq/64K=0.18,...; `breakeven profile` writes it into a sweep file",
        "CALL=SECONDS,..."),
    setting<&Sweep::launches>(kHowMuch, "launches",
                              "maximum number of launches of a candidate; a decision needs 3"),
    setting<&Sweep::shard>(
        kHowMuch, "shard",
        "share the sweep between allocations: 2/8 measures the second of eight parts into a "
        "database of its own; `breakeven merge` joins them"),
    prune_by(),
    setting<&Sweep::prune_margin>(
        kRare, "prune_margin",
        "with --prune-by: a candidate is left out if it is predicted to take this many times as "
        "long as the fastest; more where measurements show larger errors of the model"),
    setting<&Sweep::least_gain>(
        kRare, "least_gain",
        "with --racing: measure again only where that is expected to gain this fraction of the "
        "time, over one doubling of the message size"),
    setting<&Sweep::seed>(kRare, "seed", "seed of the random order in which cases are measured"),
    measure(kHowMuch, "racing", "save time: measure again only candidates that may be the fastest"),
    measure(kHowMuch, "target_ci",
            "precision: stop sampling a case once the 95 % confidence interval of its median is "
            "narrower than this fraction of it"),
    measure(kHowMuch, "repetitions", "maximum number of samples of a case in one launch"),
    measure(kHowMuch, "case_budget_s", "limit on the time for the samples of a case in one launch"),
    measure(kRare, "min_repetitions",
            "minimum number of samples of a case in one launch, even beyond --case-budget-s"),
    measure(kRare, "min_time_s",
            "spread the samples of a case in one launch over at least this many seconds, since "
            "machines have slow phases"),
    measure(kRare, "batch", "samples that a candidate takes before the next candidate's turn"),
    measure(kRare, "stop_rule",
            "what --target-ci limits: the median's interval, or ReproMPI's rse, cov_mean, "
            "cov_median"),
    measure(kRare, "stop_window",
            "number of running means or medians that cov_mean and cov_median compare"),
    measure(
        kRare, "test_every_s",
        "with --forms: time between two calls of MPI_Test in the computation that may hide a call"),
    measure(kRare, "drop_outliers",
            "medians ignore samples beyond Tukey's fences; the database keeps them"),
    measure(kRare, "sync",
            "how ranks begin a repetition together: by a barrier (dissemination or library), or "
            "at a time (window or round_time, which need --clock-sync)"),
    measure(kRare, "clock_sync",
            "how ranks learn rank 0's clock; `breakeven clocks` compares the methods"),
    measure(kRare, "timer",
            "clock that a rank reads: monotonic (clock_gettime) or wtime (MPI_Wtime)"),
    measure(kRare, "run_time",
            "duration of a sample: the slowest rank's own (local), or from the first rank's start "
            "to the last one's end (global, which needs --clock-sync)"),
};

/// A value in the form that the flag of the same name takes.
std::string flag_text(const toml::node& node) {
  if (const auto text = node.value_exact<std::string>()) return *text;
  if (const auto number = node.value_exact<std::int64_t>()) return fmt::format("{}", *number);
  if (const auto number = node.value_exact<double>()) return fmt::format("{}", *number);
  if (const auto truth = node.value_exact<bool>()) return fmt::format("{}", *truth);
  const toml::array* list = node.as_array();
  if (list == nullptr) throw UsageError("is neither a text, a number, a truth value nor a list");
  std::vector<std::string> parts;
  for (const toml::node& part : *list) parts.push_back(flag_text(part));
  return fmt::format("{}", fmt::join(parts, ","));
}

void apply(Sweep& sweep, std::string_view key, const toml::node& value) {
  const auto found = std::ranges::find(settings(), key, &Setting::key);
  if (found == settings().end()) {
    std::vector<std::string_view> known;
    for (const Setting& setting : settings()) known.push_back(setting.key);
    throw UsageError(unknown("key", key, known));
  }
  try {
    found->set(sweep, flag_text(value));
  } catch (const UsageError& error) {
    throw UsageError(fmt::format("{}: {}", key, error.what()));
  }
}

}  // namespace

std::span<const Setting> settings() { return kSettings; }

std::string option_name(std::string_view key) {
  std::string name{key};
  std::ranges::replace(name, '_', '-');
  return name;
}

std::string flag_of(const Setting& setting) {
  return fmt::format("--{}", option_name(setting.key));
}

Sweep default_sweep() {
  Sweep sweep;
  sweep.messages = read<std::vector<Bytes>>("8:1M");
  return sweep;
}

Sweep parse_sweep(std::string_view toml, const std::string& name, Sweep sweep) {
  toml::table table;
  try {
    table = toml::parse(toml, name);
  } catch (const toml::parse_error& error) {
    throw UsageError(fmt::format("{}:{}: not TOML: {}", name, error.source().begin.line,
                                 std::string{error.description()}));
  }
  for (const auto& [key, value] : table) {
    try {
      apply(sweep, key.str(), value);
    } catch (const UsageError& error) {
      throw UsageError(fmt::format("{}:{}: {}", name, value.source().begin.line, error.what()));
    }
  }
  return sweep;
}

std::string to_toml(const Sweep& sweep) {
  std::string toml;
  for (const Setting& setting : settings()) {
    const std::string text = setting.text(sweep);
    const bool lines = text.find('\n') != std::string::npos;  // a file's
    toml += fmt::format("{} = {}{}{}\n", setting.key, lines ? "'''\n" : "\"", text,
                        lines ? "'''" : "\"");
  }
  return toml;
}

}  // namespace breakeven::plan
