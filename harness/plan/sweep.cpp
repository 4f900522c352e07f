// SPDX-License-Identifier: BSD-3-Clause
#include "harness/plan/sweep.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <type_traits>

#include "core/error.hpp"
#include "core/folded.hpp"
#include "core/parallel.hpp"
#include "harness/plan/candidates.hpp"
#include "harness/plan/model.hpp"
#include "harness/plan/order.hpp"
#include "harness/plan/settings.hpp"
#include "sim/machine.hpp"

namespace breakeven::plan {

namespace {

void require(bool condition, const std::string& message) {
  if (!condition) throw UsageError(message);
}

/// The processes of the node that has the most.
int procs_per_node(const Sweep& sweep, int procs) {
  if (sweep.mapping.kind() != Mapping::Kind::irregular) return procs / sweep.nodes;
  return recognise(sweep.mapping.listed()).procs_per_node;
}

/// A mapping says nothing of processes on one node.
void check_mapping(const Sweep& sweep) {
  const auto several = [](const NodeLayout& layout) { return layout.nodes > 1; };
  require(
      sweep.mapping == Mapping::seq || std::ranges::any_of(layouts_of(sweep), several),
      fmt::format("mapping '{}' asked for on 1 node, where it is the same as 'seq'; give --nodes",
                  to_text(sweep.mapping)));
}

void check_layout(const Sweep& sweep) {
  require(!sweep.collectives.empty(), "no collective to measure");
  require(!sweep.procs.empty(), "no process count to measure at");
  require(!sweep.messages.empty(), "no message size to measure");
  require(!sweep.counts.empty(), "no counts to measure irregular collectives with");
  require(!sweep.forms.empty(), "no form of calls to measure");
  require(sweep.launches >= 1, fmt::format("{} launches asked for; at least 1", sweep.launches));
  require(sweep.nodes >= 1, fmt::format("{} nodes asked for; at least 1", sweep.nodes));
  check_mapping(sweep);
  const Sweep usual;
  require(sweep.layouts.empty() || (sweep.procs == usual.procs && sweep.nodes == usual.nodes),
          "layouts asked for and process counts or nodes as well; give one of both");
  for (const int procs : sweep.procs) {
    require(procs >= 1, fmt::format("p = {} asked for; at least 1", procs));
    require(procs % sweep.nodes == 0 || sweep.mapping.kind() == Mapping::Kind::irregular ||
                !sweep.layouts.empty(),
            fmt::format("p = {} asked for, which {} nodes can't share evenly", procs, sweep.nodes));
  }
  for (const NodeLayout& layout : layouts_of(sweep)) {
    require_fits(layout);
    require(layout.comms_per_node == 1 || layout.procs == layout.nodes * layout.procs_per_node,
            fmt::format("{} asked for, whose nodes have unequal numbers of processes",
                        to_text(layout)));
    require(sweep.root.value >= 0 && sweep.root.value < layout.procs,
            fmt::format("root {} asked for, but p = {} has ranks 0..{}", sweep.root.value,
                        layout.procs, layout.procs - 1));
  }
}

void check_data(const Sweep& sweep) {
  const bool reducing = std::ranges::any_of(sweep.collectives, reduces);
  require(!reducing || (sweep.op != Op::none && defined(sweep.op, sweep.datatype)),
          fmt::format("MPI does not define op '{}' on datatype '{}'", kOps.of(sweep.op),
                      kDatatypes.of(sweep.datatype)));
  const Bytes element = extent(sweep.datatype);
  for (const Bytes message : sweep.messages) {
    require(message.value >= 1 && message.value % element.value == 0,
            fmt::format("message size {} asked for, which is not whole elements of '{}' ({})",
                        to_text(message), kDatatypes.of(sweep.datatype), to_text(element)));
  }
}

/// The asked sizes, ascending.
std::vector<Bytes> message_sizes(const Sweep& sweep, Collective collective) {
  if (!moves_data(collective)) return {Bytes{0}};
  const std::set<Bytes> sizes(sweep.messages.begin(), sweep.messages.end());
  return {sizes.begin(), sizes.end()};
}

/// Those sizes that stand for calls of the program, if one is known.
std::vector<Bytes> called_sizes(const Sweep& sweep, const Case& line) {
  const std::vector<Bytes> sizes = message_sizes(sweep, line.collective);
  if (sweep.program_time.empty()) return sizes;
  const std::vector<Seconds> at = time_at(sweep.program_time, line, sizes);
  std::vector<Bytes> called;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    if (at[i].value > 0) called.push_back(sizes[i]);
  }
  return called;
}

/// All problems of one layout, each with its candidates.
std::vector<std::vector<Case>> problems_at(const Sweep& sweep, const CandidateFinder& finder,
                                           const NodeLayout& layout, Skips& skipped) {
  std::vector<std::vector<Case>> all;
  for (const Collective collective : sweep.collectives) {
    for (const CallForm form : sweep.forms) {
      const Case line = with_layout({.collective = collective,
                                     .form = form,
                                     .datatype = sweep.datatype,
                                     .op = reduces(collective) ? sweep.op : Op::none,
                                     .root = rooted(collective) ? sweep.root : Rank{}},
                                    layout);
      std::vector<Case> problems;
      for (const Bytes message : called_sizes(sweep, line)) {
        for (const Counts counts : counts_of(sweep, collective)) {
          problems.push_back(with_counts(line, counts));
          problems.back().message = message;
        }
      }
      std::ranges::move(finder.find(problems, skipped), std::back_inserter(all));
    }
  }
  return all;
}

/// Problems, each given as its candidates, in the launches of a sweep.
SweepPlan lay_out(const Sweep& sweep, std::span<const std::vector<Case>> problems) {
  SweepPlan plan;
  for (int repeat = 0; repeat < sweep.launches; ++repeat) {
    for (const NodeLayout& job : jobs_of(sweep)) {
      std::vector<std::vector<Case>> of_job;
      std::ranges::copy_if(problems, std::back_inserter(of_job),
                           [&](const auto& problem) { return job_of(problem.front()) == job; });
      add_shuffled(plan.launches.emplace_back(empty_launch(job, repeat, sweep.seed)),
                   std::move(of_job));
    }
  }
  return plan;
}

}  // namespace

std::vector<Counts> counts_of(const Sweep& sweep, Collective collective) {
  return irregular(collective) ? sweep.counts : std::vector{Counts::equal};
}

std::vector<NodeLayout> layouts_of(const Sweep& sweep) {
  std::vector<NodeLayout> layouts;
  for (const NodeLayout& each : sweep.layouts) layouts.push_back(mapped(each, sweep.mapping));
  if (!layouts.empty()) return layouts;
  for (const int procs : sweep.procs) {
    NodeLayout layout{
        .procs = procs, .nodes = sweep.nodes, .procs_per_node = procs_per_node(sweep, procs)};
    layouts.push_back(mapped(std::move(layout), sweep.mapping));
    layouts.back().procs = procs;  // which an irregular mapping may contradict
  }
  return layouts;
}

std::vector<NodeLayout> jobs_of(const Sweep& sweep) {
  std::vector<NodeLayout> jobs;
  for (const NodeLayout& each : layouts_of(sweep)) {
    NodeLayout job = job_of(each);
    if (std::ranges::find(jobs, job) == jobs.end()) jobs.push_back(std::move(job));
  }
  return jobs;
}

NodeLayout largest_job(const Sweep& sweep) {
  return std::ranges::max(jobs_of(sweep), {}, &NodeLayout::procs);
}

PlannedLaunch empty_launch(const NodeLayout& layout, int repeat, std::uint64_t seed) {
  return {.layout = layout,
          .repeat = repeat,
          .seed = mixed_seed(seed, static_cast<std::uint64_t>(layout.procs),
                             static_cast<std::uint64_t>(repeat))};
}

void add_shuffled(PlannedLaunch& launch, std::vector<std::vector<Case>> problems) {
  shuffle(problems, launch.seed);
  for (std::vector<Case>& each : problems) {
    std::ranges::move(each, std::back_inserter(launch.cases));
  }
}

void check_measure(const protocol::MeasurePlan& measure) {
  for_each_field(fields(std::type_identity<protocol::MeasurePlan>{}), [&](const auto& field) {
    const auto& value = field.get(measure);
    using Value = std::remove_cvref_t<decltype(value)>;
    const auto check = [&](auto number) {
      require(static_cast<double>(number) >= field.least,
              fmt::format("{} {} asked for; it must be at least {}", option_name(field.name),
                          number, field.least));
    };
    if constexpr (std::is_same_v<Value, Seconds>) {
      check(value.value);
    } else if constexpr (std::is_arithmetic_v<Value>) {
      check(value);
    }
  });
  require(measure.case_budget.value > 0, "case-budget-s 0 asked for; it must be positive");
  require(measure.target_ci.threshold > 0, "target-ci 0 asked for; it must be positive");
  const bool timed_start =
      measure.sync == SyncMethod::window || measure.sync == SyncMethod::round_time;
  const std::string clocks = "a global clock; --clock-sync: skampi jk hca hca2 hca3 two_level";
  require(measure.clock_sync != ClockSync::none || !timed_start,
          fmt::format("sync '{}' needs {}", kSyncMethods.of(measure.sync), clocks));
  require(measure.clock_sync != ClockSync::none || measure.run_time != RunTime::global,
          fmt::format("run time 'global' needs {}", clocks));
}

void check_sweep(const Sweep& sweep, MachineKind kind, const LibraryCapabilities& capabilities) {
  check_layout(sweep);
  require(kind == MachineKind::library ||
              std::ranges::all_of(sweep.layouts,
                                  [](const NodeLayout& each) { return each.comms_per_node == 1; }),
          "communicators that call at once asked for; no model knows them");
  require(!sim::is_model(sweep.machine) || sweep.measure.run_time == RunTime::local,
          "run time 'global' asked for; a model has no clocks, and its times are local");
  check_data(sweep);
  check_measure(sweep.measure);
  require(sweep.least_gain > 0, "least-gain must be positive");
  require(
      !sweep.refine || sweep.shard.of == 1,
      fmt::format("refine asked for of shard {}/{}, whose neighbouring sizes lie in other shards; "
                  "merge them, then give the same sweep without --shard",
                  sweep.shard.number, sweep.shard.of));
  if (!sweep.prune_by.empty()) {
    require(sweep.prune_margin > 1,
            fmt::format("prune-margin {} asked for; it must be more than 1", sweep.prune_margin));
    static_cast<void>(parse_exact_model(sweep.prune_by));
  }
  static_cast<void>(CandidateFinder{sweep, kind, capabilities});
}

SweepPlan make_plan(const Sweep& sweep, MachineKind kind, const LibraryCapabilities& capabilities) {
  check_sweep(sweep, kind, capabilities);
  const CandidateFinder finder{sweep, kind, capabilities};
  struct Part {
    NodeLayout layout{};
    std::vector<std::vector<Case>> problems{};
    Skips skipped{};
  };
  std::vector<Part> parts;
  for (const NodeLayout& each : layouts_of(sweep)) parts.push_back({.layout = each});
  for_each_in_parallel(
      parts, [&](Part& at) { at.problems = problems_at(sweep, finder, at.layout, at.skipped); });
  std::vector<std::vector<Case>> problems;
  Skips skipped;
  for (Part& at : parts) {
    std::ranges::move(at.problems, std::back_inserter(problems));
    for (const auto& [skip, procs] : at.skipped)
      std::ranges::copy(procs, std::back_inserter(skipped[skip]));
  }
  require(!problems.empty() || sweep.program_time.empty(),
          "program-time-s has no call of the collectives, layouts and mapping asked for");
  finder.require_each_found(problems);
  if (problems.empty() && !skipped.empty()) {
    const Skip& first = skipped.begin()->first;
    throw UsageError(fmt::format("nothing to measure: {}: {}", first.what, first.reason));
  }
  SweepPlan plan = lay_out(sweep, problems);
  plan.skipped = std::move(skipped);
  keep_shard(plan, sweep.shard);
  return remaining(std::move(plan), {});
}

std::vector<std::string> skipped_lines(const Skips& skipped) {
  std::map<std::pair<std::vector<int>, std::string>, std::vector<std::string>> together;
  for (const auto& [skip, procs] : skipped) together[{procs, skip.reason}].push_back(skip.what);
  std::vector<std::string> lines;
  for (const auto& [where, what] : together) {
    lines.push_back(fmt::format("skipped at p = {}, {}: {}", folded(where.first), where.second,
                                fmt::join(what, ", ")));
  }
  return lines;
}

SweepPlan remaining(SweepPlan plan, const std::set<std::pair<Case, int>>& stored) {
  for (PlannedLaunch& launch : plan.launches) {
    std::erase_if(launch.cases,
                  [&](const Case& what) { return stored.contains({what, launch.repeat}); });
  }
  std::erase_if(plan.launches, [](const PlannedLaunch& launch) { return launch.cases.empty(); });
  return plan;
}

}  // namespace breakeven::plan
