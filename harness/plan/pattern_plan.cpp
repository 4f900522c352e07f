// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "core/error.hpp"
#include "harness/plan/order.hpp"
#include "harness/plan/sweep.hpp"
#include "kernels/build.hpp"
#include "kernels/catalogue.hpp"

namespace breakeven::plan {

namespace {

/// From a rank to one on its own node, and to one on another node.
std::vector<int> distances(const NodeLayout& layout) {
  std::set<int> distances{1};
  if (layout.nodes > 1) {
    distances.insert(layout.mapping == Mapping::rr ? layout.nodes : layout.procs_per_node);
  }
  std::erase_if(distances, [&](int each) { return 2 * each > layout.procs; });
  return {distances.begin(), distances.end()};
}

/// Numbers of peers, for groups of ranks at a distance.
std::vector<int> peers(int procs, int distance) {
  constexpr int kMost = 8;
  const int all = procs / distance - 1;
  std::set<int> peers;
  for (const int each : {1, 2, 3, 5, kMost, all}) {
    if (each <= std::min(all, kMost)) peers.insert(each);
  }
  return {peers.begin(), peers.end()};
}

/// As algorithms with parameters.
std::vector<std::pair<std::string, std::string>> patterns(const NodeLayout& layout, Bytes size) {
  constexpr int kTimes = 16;
  constexpr int kTimesLong = 4;  // the start takes a small part of the time
  constexpr Bytes kLong{65536};
  const int times = size < kLong ? kTimes : kTimesLong;
  std::vector<std::pair<std::string, std::string>> all{
      {"reduction", fmt::format("times={}", times)}};
  for (const int distance : distances(layout)) {
    const auto add = [&](std::string_view name, int peers) {
      all.emplace_back(name, fmt::format("distance={},peers={},times={}", distance, peers, times));
    };
    add("ping_pong", 1);
    add("stream", 1);
    add("stream_delayed", 1);
    for (const int each : peers(layout.procs, distance)) {
      add("exchange", each);
      if (each == 1) continue;  // that's a ping-pong
      add("multicast", each);
      add("multicast_blocking", each);
    }
  }
  return all;
}

}  // namespace

SweepPlan pattern_plan(const Sweep& sweep, std::span<const Collective> collectives) {
  if (sweep.procs.size() != 1 || sweep.procs.front() < 2) {
    throw UsageError("a fit measures at one number of processes, 2 or more");
  }
  check_sweep(sweep, MachineKind::model);
  const NodeLayout layout = layouts_of(sweep).front();
  const auto case_of = [&](Collective collective, Ours ours, Bytes size) {
    return with_layout({.collective = collective,
                        .variant = std::move(ours),
                        .message = size,
                        .datatype = sweep.datatype,
                        .op = reduces(collective) ? sweep.op : Op::none},
                       layout);
  };
  SweepPlan plan;
  for (int repeat = 0; repeat < sweep.launches; ++repeat) {
    PlannedLaunch& launch = plan.launches.emplace_back(empty_launch(layout, repeat, sweep.seed));
    std::vector<Bytes> sizes = sweep.messages;
    shuffle(sizes, launch.seed);
    for (const Bytes size : sizes) {
      for (const auto& [name, params] : patterns(layout, size)) {
        launch.cases.push_back(case_of(Collective::allreduce, {std::string{name}, params}, size));
      }
      for (const Collective collective : collectives) {
        for (const kernels::Algorithm* const each : kernels::catalogue(collective)) {
          const Case what = case_of(collective, {std::string{each->name}}, size);
          if (kernels::runs(*each, kernels::problem_of(what))) launch.cases.push_back(what);
        }
      }
    }
  }
  return plan;
}

}  // namespace breakeven::plan
