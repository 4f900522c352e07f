// SPDX-License-Identifier: BSD-3-Clause
#include "core/json.hpp"
#include "sim/timeline.hpp"

namespace breakeven::sim {

std::string timeline_json(const Run& run) {
  const Trace& trace = run.trace;
  const auto seconds = [](Ticks ticks) { return seconds_of(ticks).value; };
  const std::vector<std::int64_t> bytes = bytes_of_sets(run.exchange, run.call);
  Json messages = Json::array();
  for (std::size_t i = 0; i < trace.messages.size(); ++i) {
    const kernels::Transfer& message = run.exchange.transfers[i];
    messages.push_back({{"from", message.source},
                        {"to", message.to},
                        {"bytes", bytes[static_cast<std::size_t>(message.carried)]},
                        {"begin_s", seconds(trace.messages[i].begin)},
                        {"end_s", seconds(trace.messages[i].end)}});
  }
  Json ranks = Json::array();
  for (std::size_t rank = 0; rank < trace.done.size(); ++rank) {
    Json reductions = Json::array();
    for (const Span& span : trace.reductions[rank]) {
      reductions.push_back({{"begin_s", seconds(span.begin)}, {"end_s", seconds(span.end)}});
    }
    ranks.push_back({{"rank", rank},
                     {"begin_s", seconds(trace.starts[rank])},
                     {"done_s", seconds(trace.done[rank])},
                     {"reductions", reductions}});
  }
  const kernels::Problem& problem = run.title.problem;
  return Json{{"format", "breakeven-timeline-1"},
              {"collective", kCollectives.of(problem.collective)},
              {"algorithm", run.title.algorithm},
              {"params", problem.params.text()},
              {"procs", problem.procs},
              {"message_bytes", run.call.count * extent(run.call.datatype).value},
              {"machine", run.machine},
              {"end_s", seconds(trace.end())},
              {"skew_s", seconds(trace.skew())},
              {"ranks", ranks},
              {"messages", messages}}
             .dump() +
         '\n';
}

}  // namespace breakeven::sim
