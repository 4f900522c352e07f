// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "core/json.hpp"
#include "sim/timeline.hpp"

namespace breakeven::sim {

namespace {

double us(const RunInProgram& part, Ticks ticks) {
  return 1e6 * (part.begin.value + part.stretch * seconds_of(ticks).value);
}

}  // namespace

/// A rank is a process of the trace, and its lanes are threads, within which nothing overlaps.
ChromeTrace::ChromeTrace(std::span<const int> nodes) {
  for (int rank = 0; rank < std::ssize(nodes); ++rank) {
    const int node = nodes[static_cast<std::size_t>(rank)];
    describe(rank, 0, "process_name", {{"name", fmt::format("rank {}, node {}", rank, node)}});
    describe(rank, 0, "process_sort_index", {{"sort_index", rank}});
  }
}

void ChromeTrace::add(const RunInProgram& part) {
  const Run& run = part.run;
  const std::string call =
      fmt::format("{}/{}", kCollectives.of(run.title.problem.collective), run.title.algorithm);
  for (std::size_t at = 0; at < part.ranks.size(); ++at) {
    const int rank = part.ranks[at];
    const auto slice = [&](const char* kind, const std::string& name, Span span) {
      add({rank, kind, name, us(part, span.begin), us(part, span.end)});
    };
    slice("call", call, {run.trace.starts[at], run.trace.done[at]});
    for (const Span& span : run.trace.reductions[at]) slice("reduces", "reduce", span);
  }
  add_messages(part);
}

void ChromeTrace::describe(int rank, int thread, const char* what, Json said) {
  events_.push_back(
      {{"ph", "M"}, {"name", what}, {"pid", rank}, {"tid", thread}, {"args", std::move(said)}});
}

/// The number of a lane of this kind that is free from the slice's begin on.
int ChromeTrace::lane(const Slice& slice) {
  std::vector<Lane>& lanes = lanes_[{slice.rank, slice.kind}];
  auto free =
      std::ranges::find_if(lanes, [&](const Lane& each) { return each.end_us <= slice.begin_us; });
  if (free == lanes.end()) {
    lanes.push_back({.thread = threads_[slice.rank]++});
    free = std::prev(lanes.end());
    describe(slice.rank, free->thread, "thread_name", {{"name", slice.kind}});
  }
  free->end_us = slice.end_us;
  return free->thread;
}

/// @return the thread
int ChromeTrace::add(const Slice& slice) {
  const int thread = lane(slice);
  events_.push_back({{"ph", "X"},
                     {"name", slice.name},
                     {"pid", slice.rank},
                     {"tid", thread},
                     {"ts", slice.begin_us},
                     {"dur", slice.end_us - slice.begin_us}});
  if (!slice.details.empty()) events_.back()["args"] = slice.details;
  return thread;
}

/// By their begins, so that few lanes serve. An arrow leads from a message's slice at its sender
/// to that at its receiver.
void ChromeTrace::add_messages(const RunInProgram& part) {
  const Run& run = part.run;
  const std::vector<std::int64_t> bytes = bytes_of_sets(run.exchange, run.call);
  std::vector<std::size_t> order(run.trace.messages.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return run.trace.messages[i].begin; });
  for (const std::size_t i : order) {
    const kernels::Transfer& message = run.exchange.transfers[i];
    const Span& span = run.trace.messages[i];
    const int source = part.ranks[static_cast<std::size_t>(message.source)];
    const int to = part.ranks[static_cast<std::size_t>(message.to)];
    const Json details{
        {"from", source}, {"to", to}, {"bytes", bytes[static_cast<std::size_t>(message.carried)]}};
    const auto half = [&](const char* phase, int rank, const char* kind, std::string name) {
      const int thread =
          add({rank, kind, std::move(name), us(part, span.begin), us(part, span.end), details});
      events_.push_back({{"ph", phase},
                         {"name", "message"},
                         {"cat", "message"},
                         {"id", messages_ + i},
                         {"bp", "e"},
                         {"pid", rank},
                         {"tid", thread},
                         {"ts", us(part, span.begin)}});
    };
    half("s", source, "sends", fmt::format("to {}", to));
    half("f", to, "receives", fmt::format("from {}", source));
  }
  messages_ += order.size();
}

std::string ChromeTrace::text(const std::string& title, const std::string& machine) && {
  return line_of({{"displayTimeUnit", "ns"},
                  {"otherData", {{"title", title}, {"machine", machine}}},
                  {"traceEvents", std::move(events_)}}) +
         '\n';
}

std::string timeline_chrome(const Run& run) {
  std::vector<int> ranks(static_cast<std::size_t>(run.exchange.procs));
  std::iota(ranks.begin(), ranks.end(), 0);
  const kernels::Problem& problem = run.title.problem;
  std::vector<int> nodes;
  for (const int rank : ranks)
    nodes.push_back(problem.placement.node_of(Rank{rank}, problem.procs));
  ChromeTrace trace{nodes};
  trace.add({.run = run, .ranks = std::move(ranks)});
  return std::move(trace).text(headline(run), run.machine);
}

}  // namespace breakeven::sim
