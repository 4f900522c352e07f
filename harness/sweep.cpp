// SPDX-License-Identifier: BSD-3-Clause
#include "harness/sweep.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>

#include "core/error.hpp"
#include "harness/shuffle.hpp"
#include "kernels/catalogue.hpp"

namespace breakeven {

namespace {

/// "ring" or "allreduce/ring": whether a user's word means this algorithm of this collective.
bool names(const std::string& word, Collective collective, std::string_view algorithm) {
  return word == algorithm || word == fmt::format("{}/{}", kCollectives.of(collective), algorithm);
}

void require(bool condition, const std::string& message) {
  if (!condition) throw UsageError(message);
}

void check_layout(const Sweep& sweep) {
  require(!sweep.collectives.empty(), "no collective to measure");
  require(!sweep.procs.empty(), "no process count to measure at");
  require(!sweep.messages.empty(), "no message size to measure");
  require(sweep.launches >= 1, fmt::format("{} launches asked for; at least 1", sweep.launches));
  require(sweep.nodes >= 1, fmt::format("{} nodes asked for; at least 1", sweep.nodes));
  require(sweep.mapping == Mapping::seq || sweep.nodes > 1,
          "mapping 'rr' asked for on 1 node, where it is the same as 'seq'; give --nodes");
  for (const int procs : sweep.procs) {
    require(procs >= 1, fmt::format("p = {} asked for; at least 1", procs));
    require(procs % sweep.nodes == 0,
            fmt::format("p = {} asked for, which {} nodes can't share evenly", procs, sweep.nodes));
    require(sweep.root.value >= 0 && sweep.root.value < procs,
            fmt::format("root {} asked for, but p = {} has ranks 0..{}", sweep.root.value, procs,
                        procs - 1));
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

void check_measure(const MeasurePlan& measure) {
  require(measure.repetitions >= 1 && measure.least >= 1 && measure.interleave >= 1 &&
              measure.warmups >= 0 && measure.case_budget.value > 0,
          "repetitions, least repetitions, interleave and case budget must be positive, warm-ups "
          "not negative");
}

/// Every algorithm that was asked for by name exists in some collective of the sweep.
void check_algorithms(const Sweep& sweep, MachineKind kind) {
  for (const std::string& word : sweep.algorithms) {
    const bool native = std::ranges::any_of(
        sweep.collectives, [&](Collective collective) { return names(word, collective, kNative); });
    if (native) {
      require(kind == MachineKind::library,
              fmt::format("'native' asked for on model '{}', which has no library of its own",
                          sweep.machine));
      continue;
    }
    const bool known = std::ranges::any_of(sweep.collectives, [&](Collective collective) {
      return std::ranges::any_of(catalogue(collective), [&](const Algorithm* algorithm) {
        return names(word, collective, algorithm->name);
      });
    });
    if (known) continue;
    std::vector<std::string> possible;
    for (const Collective collective : sweep.collectives) {
      for (const Algorithm* algorithm : catalogue(collective)) {
        possible.push_back(fmt::format("{}/{}", kCollectives.of(collective), algorithm->name));
      }
    }
    throw UsageError(fmt::format("no algorithm '{}' in this sweep's collectives; known: native {}",
                                 word, fmt::join(possible, " ")));
  }
}

void leave_out(Plan& plan, const std::string& words, int procs) {
  plan.left_out[words].push_back(procs);
}

/// The candidates of a collective at p; those that refuse p are named, or an error when asked for.
std::vector<std::string> candidates(const Sweep& sweep, MachineKind kind, Collective collective,
                                    int procs, Plan& plan) {
  const auto wanted = [&](std::string_view algorithm) {
    return std::ranges::any_of(sweep.algorithms, [&](const std::string& word) {
      return names(word, collective, algorithm);
    });
  };
  std::vector<std::string> found;
  if (kind == MachineKind::library && (sweep.algorithms.empty() || wanted(kNative))) {
    found.emplace_back(kNative);
  }
  for (const Algorithm* algorithm : catalogue(collective)) {
    const bool by_name = wanted(algorithm->name);
    if (!sweep.algorithms.empty() && !by_name) continue;
    if (by_name) require_procs(collective, *algorithm, procs);
    if (algorithm->needs.met(procs)) {
      found.emplace_back(algorithm->name);
    } else {
      leave_out(plan,
                fmt::format("{}/{}, which needs {}", kCollectives.of(collective), algorithm->name,
                            algorithm->needs.words),
                procs);
    }
  }
  return found;
}

/// The asked sizes; for collectives that take the whole vector also those at which the guidelines
/// set them beside p blocks of a size asked for, as far as these stay within the sizes asked for.
std::vector<Bytes> message_sizes(const Sweep& sweep, Collective collective, int procs) {
  std::set<Bytes> sizes(sweep.messages.begin(), sweep.messages.end());
  if (!sweep.guideline_sizes || counts_one_block(collective) ||
      std::ranges::none_of(sweep.collectives, counts_one_block)) {
    return {sizes.begin(), sizes.end()};
  }
  const Bytes most = *sizes.rbegin();
  for (const Bytes block : sweep.messages) {
    if (block.value <= most.value / procs) sizes.insert(procs * block);
  }
  return {sizes.begin(), sizes.end()};
}

/// All problems of one process count, each with its candidates.
std::vector<std::vector<Case>> problems_at(const Sweep& sweep, MachineKind kind, int procs,
                                           Plan& plan) {
  std::vector<std::vector<Case>> problems;
  for (const Collective collective : sweep.collectives) {
    const std::vector<std::string> algorithms = candidates(sweep, kind, collective, procs, plan);
    if (algorithms.empty()) {
      leave_out(plan,
                fmt::format("{}, which has none of the algorithms asked for",
                            kCollectives.of(collective)),
                procs);
      continue;
    }
    for (const Bytes message : message_sizes(sweep, collective, procs)) {
      std::vector<Case>& problem = problems.emplace_back();
      for (const std::string& algorithm : algorithms) {
        problem.push_back({.collective = collective,
                           .algorithm = algorithm,
                           .params = {},
                           .procs = procs,
                           .nodes = sweep.nodes,
                           .procs_per_node = procs / sweep.nodes,
                           .mapping = sweep.mapping,
                           .message = message,
                           .datatype = sweep.datatype,
                           .op = reduces(collective) ? sweep.op : Op::none,
                           .root = rooted(collective) ? sweep.root : Rank{}});
      }
    }
  }
  return problems;
}

}  // namespace

Plan make_plan(const Sweep& sweep, MachineKind kind) {
  check_layout(sweep);
  check_data(sweep);
  check_measure(sweep.measure);
  check_algorithms(sweep, kind);
  Plan plan;
  std::vector<std::vector<std::vector<Case>>> problems;
  for (const int procs : sweep.procs) problems.push_back(problems_at(sweep, kind, procs, plan));

  for (int repeat = 0; repeat < sweep.launches; ++repeat) {
    for (std::size_t i = 0; i < sweep.procs.size(); ++i) {
      const int procs = sweep.procs[i];
      PlannedLaunch& launch = plan.launches.emplace_back(
          PlannedLaunch{.procs = procs,
                        .nodes = sweep.nodes,
                        .procs_per_node = procs / sweep.nodes,
                        .mapping = sweep.mapping,
                        .repeat = repeat,
                        .seed = mixed_seed(sweep.seed, static_cast<std::uint64_t>(procs),
                                           static_cast<std::uint64_t>(repeat)),
                        .cases = {}});
      std::vector<std::vector<Case>> order = problems[i];
      shuffle(order, launch.seed);
      for (const std::vector<Case>& problem : order) {
        launch.cases.insert(launch.cases.end(), problem.begin(), problem.end());
      }
    }
  }
  return remaining(std::move(plan), {});
}

Plan remaining(Plan plan, const std::set<std::pair<Case, int>>& stored) {
  for (PlannedLaunch& launch : plan.launches) {
    std::erase_if(launch.cases,
                  [&](const Case& what) { return stored.contains({what, launch.repeat}); });
  }
  std::erase_if(plan.launches, [](const PlannedLaunch& launch) { return launch.cases.empty(); });
  return plan;
}

std::size_t measurements(const Plan& plan) {
  return std::accumulate(
      plan.launches.begin(), plan.launches.end(), std::size_t{0},
      [](std::size_t sum, const PlannedLaunch& launch) { return sum + launch.cases.size(); });
}

}  // namespace breakeven
