// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>

#include "sim/timeline.hpp"

namespace breakeven::sim {

namespace {

constexpr Ticks kColumns = 72;

Bytes message_of(const Run& run) { return {run.call.count * extent(run.call.datatype).value}; }

}  // namespace

std::string headline(const Run& run) {
  return fmt::format("{}; {}; {}, skew {}", run.title.text(run.exchange.blocks),
                     to_text(message_of(run)), to_text(seconds_of(run.trace.end())),
                     to_text(seconds_of(run.trace.skew())));
}

std::string timeline_text(const Run& run) {
  const Trace& trace = run.trace;
  const Ticks end = std::max<Ticks>(trace.end(), 1);
  const auto column = [&](Ticks time) {
    return static_cast<std::size_t>(std::min(time / (end / kColumns + 1), kColumns - 1));
  };
  std::vector<std::string> rows;
  for (std::size_t rank = 0; rank < trace.done.size(); ++rank) {
    rows.emplace_back(column(trace.done[rank]) + 1, '.');
    std::fill_n(rows.back().begin(), column(trace.starts[rank]), ' ');
  }
  for (std::size_t i = 0; i < trace.messages.size(); ++i) {
    const kernels::Transfer& message = run.exchange.transfers[i];
    rows[static_cast<std::size_t>(message.source)][column(trace.messages[i].begin)] = '>';
    rows[static_cast<std::size_t>(message.to)][column(trace.messages[i].end)] = '<';
  }
  for (std::size_t rank = 0; rank < rows.size(); ++rank) {
    for (const Span& span : trace.reductions[rank]) {
      for (std::size_t at = column(span.begin); at <= column(span.end); ++at) {
        if (rows[rank][at] == '.') rows[rank][at] = '#';
      }
    }
  }
  std::string text = fmt::format("{}\non {}\n\n", headline(run), run.machine);
  for (std::size_t rank = 0; rank < rows.size(); ++rank) {
    text += fmt::format("{:>6}  {:<{}}  {}\n", rank, rows[rank], kColumns,
                        to_text(seconds_of(trace.done[rank])));
  }
  return text +
         fmt::format(
             "\n  > begins a message, < has received one, # reduces, . waits or is "
             "busy with messages;\n  a column is {}, from when a rank begins to when it is done\n",
             to_text(seconds_of(end / kColumns + 1)));
}

}  // namespace breakeven::sim
