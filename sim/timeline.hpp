// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/json.hpp"
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

/// A call in a program's timeline.
struct RunInProgram {
  Run run;
  std::vector<int> ranks{};  ///< of the program, by rank of the call
  Seconds begin{};           ///< where the trace's 0 lies
  double stretch = 1;        ///< of the trace's times
};

/// Chrome's trace events, which Perfetto opens: a process of lanes for each rank, and an arrow for
/// each message.
/// @see Trace Event Format, Google
class ChromeTrace {
 public:
  /// @param nodes  of each rank
  explicit ChromeTrace(std::span<const int> nodes);
  void add(const RunInProgram& part);
  /// @param title    in words
  /// @param machine  in words
  [[nodiscard]] std::string text(const std::string& title, const std::string& machine) &&;

 private:
  struct Lane {
    int thread = 0;
    double end_us = 0;
  };
  struct Slice {
    int rank = 0;
    std::string kind{};
    std::string name{};
    double begin_us = 0;
    double end_us = 0;
    Json details{};
  };
  void describe(int rank, int thread, const char* what, Json said);
  [[nodiscard]] int lane(const Slice& slice);
  int add(const Slice& slice);
  void add_messages(const RunInProgram& part);

  Json events_ = Json::array();
  std::map<std::pair<int, std::string>, std::vector<Lane>> lanes_{};
  std::map<int, int> threads_{};  ///< of each rank, so far
  std::size_t messages_ = 0;
};

/// That of a single call.
[[nodiscard]] std::string timeline_chrome(const Run& run);

}  // namespace breakeven::sim
