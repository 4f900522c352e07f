// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "kernels/print.hpp"
#include "sim/trace.hpp"

namespace breakeven::sim {

/// The subject of a timeline.
struct Run {
  kernels::Title title{};
  std::string machine{};  ///< in words
  const kernels::CollectiveCall& call;
  const kernels::Exchange& exchange;
  const Trace& trace;
};

/// "allreduce/ring, p = 4, blocks = 4; 8 B; 12.3 us, skew 0 ns"
[[nodiscard]] std::string headline(const Run& run);

/// A row for each rank, a column for each part of the time, to read in a terminal.
[[nodiscard]] std::string timeline_text(const Run& run);

/// A picture: a lane for each rank, an arrow for each message from its begin to its end, a bar
/// where a rank reduces, a mark where it is done, in the manner of [ruefenacht2017], Figures 17
/// to 23.
[[nodiscard]] std::string timeline_svg(const Run& run);

/// Format "breakeven-timeline-1": see docs/files.md.
[[nodiscard]] std::string timeline_json(const Run& run);

/// Chrome's trace events, which Perfetto opens: a process of lanes for each rank, and an arrow for
/// each message.
/// @see Trace Event Format, Google
[[nodiscard]] std::string timeline_chrome(const Run& run);

}  // namespace breakeven::sim
