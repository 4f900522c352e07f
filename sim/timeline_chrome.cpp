// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "core/json.hpp"
#include "sim/timeline.hpp"

namespace breakeven::sim {

namespace {

/// A rank is a process of the trace, and its lanes are threads, within which nothing overlaps.
class ChromeTrace {
 public:
  explicit ChromeTrace(const Run& run) : run_{run} {}

  Json events() && {
    const std::string call =
        fmt::format("{}/{}", kCollectives.of(run_.title.problem.collective), run_.title.algorithm);
    for (int rank = 0; rank < run_.exchange.procs; ++rank) {
      const auto at = static_cast<std::size_t>(rank);
      name_process(rank);
      add(rank, "call", call, {run_.trace.starts[at], run_.trace.done[at]});
      for (const Span& span : run_.trace.reductions[at]) add(rank, "reduces", "reduce", span);
    }
    add_messages();
    return std::move(events_);
  }

 private:
  static double us(Ticks ticks) { return 1e6 * seconds_of(ticks).value; }

  void name_process(int rank) {
    const kernels::Problem& problem = run_.title.problem;
    const int node = problem.placement.node_of(Rank{rank}, problem.procs);
    describe(rank, 0, "process_name", {{"name", fmt::format("rank {}, node {}", rank, node)}});
    describe(rank, 0, "process_sort_index", {{"sort_index", rank}});
  }

  void describe(int rank, int thread, const char* what, Json said) {
    events_.push_back(
        {{"ph", "M"}, {"name", what}, {"pid", rank}, {"tid", thread}, {"args", std::move(said)}});
  }

  /// The number of a lane of this kind that is free from the span's begin on.
  int lane(int rank, const std::string& kind, Span span) {
    std::vector<Lane>& lanes = lanes_[{rank, kind}];
    auto free =
        std::ranges::find_if(lanes, [&](const Lane& each) { return each.end <= span.begin; });
    if (free == lanes.end()) {
      lanes.push_back({.thread = threads_[rank]++});
      free = std::prev(lanes.end());
      describe(rank, free->thread, "thread_name", {{"name", kind}});
    }
    free->end = span.end;
    return free->thread;
  }

  /// @return the thread
  int add(int rank, const std::string& kind, const std::string& name, Span span,
          Json details = {}) {
    const int thread = lane(rank, kind, span);
    events_.push_back({{"ph", "X"},
                       {"name", name},
                       {"pid", rank},
                       {"tid", thread},
                       {"ts", us(span.begin)},
                       {"dur", us(span.end) - us(span.begin)}});
    if (!details.empty()) events_.back()["args"] = std::move(details);
    return thread;
  }

  /// By their begins, so that few lanes serve. An arrow leads from a message's slice at its sender
  /// to that at its receiver.
  void add_messages() {
    const std::vector<std::int64_t> bytes = bytes_of_sets(run_.exchange, run_.call);
    std::vector<std::size_t> order(run_.trace.messages.size());
    std::iota(order.begin(), order.end(), 0);
    std::ranges::stable_sort(order, {},
                             [&](std::size_t i) { return run_.trace.messages[i].begin; });
    for (const std::size_t i : order) {
      const kernels::Transfer& message = run_.exchange.transfers[i];
      const Span& span = run_.trace.messages[i];
      const Json details{{"from", message.source},
                         {"to", message.to},
                         {"bytes", bytes[static_cast<std::size_t>(message.carried)]}};
      const auto arrow = [&](const char* phase, int rank, int thread) {
        events_.push_back({{"ph", phase},
                           {"name", "message"},
                           {"cat", "message"},
                           {"id", i},
                           {"bp", "e"},
                           {"pid", rank},
                           {"tid", thread},
                           {"ts", us(span.begin)}});
      };
      arrow("s", message.source,
            add(message.source, "sends", fmt::format("to {}", message.to), span, details));
      arrow("f", message.to,
            add(message.to, "receives", fmt::format("from {}", message.source), span, details));
    }
  }

  struct Lane {
    int thread = 0;
    Ticks end = 0;
  };
  const Run& run_;
  Json events_ = Json::array();
  std::map<std::pair<int, std::string>, std::vector<Lane>> lanes_{};
  std::map<int, int> threads_{};  ///< of each rank, so far
};

}  // namespace

std::string timeline_chrome(const Run& run) {
  return line_of({{"displayTimeUnit", "ns"},
                  {"otherData", {{"title", headline(run)}, {"machine", run.machine}}},
                  {"traceEvents", ChromeTrace{run}.events()}}) +
         '\n';
}

}  // namespace breakeven::sim
