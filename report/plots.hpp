// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/case.hpp"
#include "core/launch.hpp"
#include "core/names.hpp"
#include "tables/profile.hpp"
#include "tuner/decision.hpp"
#include "tuner/forecast.hpp"

// The data of the pictures that the scripts in scripts/plots draw, each as one line of JSON. Cells,
// texts, colours and statistics are computed here, so that a script only places them.

namespace breakeven::report {

/// Maps of measured machines: {"title", "machine", "launches", "key", "notes", "lines", "panels"}.
/// A panel has "title", "axis", "rows" (texts, the lowest first), "apart" (how many of the last
/// rows have more processes than cores), "sizes" (texts) and "cells", a list for each row. A cell
/// is null where nothing was measured, or has "look" (its entry of the key), "text", "light" (in
/// doubt) and "hatched". An entry of the key has "colour", "pale" (the colour of rows apart),
/// "text", "hatched" and "name". "lines": whether lines separate cells with different looks.

/// Choices of a table.
[[nodiscard]] std::string fastest_map_json(const Machine& machine,
                                           std::span<const tuner::Decision> decisions);
/// The time of `baseline` / that of the fastest other candidate.
/// @param baseline  a candidate by name, as "ring:segments=4"
/// @throws UsageError where no cell has both
[[nodiscard]] std::string ratio_map_json(const Machine& machine,
                                         std::span<const tuner::Decision> decisions,
                                         std::string_view baseline);

/// The map of a prediction: as above without panels, with "axis", "procs", "sizes" (bytes) and
/// "cells". A cell has "look", "pale" (extrapolated), "hatched" (in doubt) and "dotted" (not
/// simulated).
/// @param baseline  the algorithm whose time is divided by the fastest other's; empty: the map
///                  shows the fastest algorithm
/// @throws UsageError when there is one p or one size, or a cell lacks the baseline
[[nodiscard]] std::string predicted_map_json(const tuner::ForecastQuestion& question,
                                             const sim::MachineDescription& machine,
                                             std::span<const tuner::ForecastCell> cells,
                                             std::string_view baseline);

/// A program's time: {"machine", "wall_s", "collectives_s", "bars"}. A bar of a collective and
/// size has "before_s", with the library's default, and "after_s", with a table, "low_s" and
/// "high_s", over all numbers of processes and mappings.
/// @param decisions  made by the program's time
/// @throws UsageError when nothing that the program calls was measured
[[nodiscard]] std::string program_json(const Machine& machine,
                                       std::span<const tuner::Decision> decisions,
                                       const tables::Profile& profile);

/// The horizontal axis of a curve.
enum class Axis : std::uint8_t { message_bytes, procs, procs_per_node };
inline constexpr Names<Axis, 3> kAxes{"axis",
                                      {{{Axis::message_bytes, "message_bytes"},
                                        {Axis::procs, "procs"},
                                        {Axis::procs_per_node, "procs_per_node"}}}};

/// The vertical axis of a curve: seconds, bytes of the message per second, a baseline's time
/// divided by this one's, or the other way round, as in some papers.
enum class Quantity : std::uint8_t { time, bandwidth, speedup, relative_time };
inline constexpr Names<Quantity, 4> kQuantities{"quantity",
                                                {{{Quantity::time, "time"},
                                                  {Quantity::bandwidth, "bandwidth"},
                                                  {Quantity::speedup, "speedup"},
                                                  {Quantity::relative_time, "relative_time"}}}};

constexpr const auto& names(Axis) { return kAxes; }
constexpr const auto& names(Quantity) { return kQuantities; }

struct CurveRequest {
  Axis by = Axis::message_bytes;
  Quantity quantity = Quantity::time;
  /// Of speedups and relative times: "ring" in each collective, or "allreduce/ring" in all at equal
  /// bytes of the whole vector.
  std::string baseline = std::string{kNative};
  std::optional<Mapping> baseline_mapping{};  ///< of the baseline; none: that of each curve
};

/// A panel for each problem and a line for each candidate and mapping, with 95 % intervals at each
/// place of the axis (none of one launch: then both ends are the value).
///
/// Times and ratios within a problem are those of its contest, so that they compare. A ratio to
/// another mapping or collective is the median over launches of the same repeat, and the range of
/// fewer than six. A ratio over procs or procs_per_node is the geometric mean over the message
/// sizes that all points of the panel have, as are its interval's ends.
/// @throws UsageError when nothing was measured that `baseline` names, or nothing with it
[[nodiscard]] std::string curves_json(const Machine& machine,
                                      std::span<const Measurement> measurements,
                                      const CurveRequest& request);

/// The samples of a case in one launch, in the order measured.
struct LaunchSamples {
  Case what{};
  std::vector<double> seconds{};
};

/// The distribution of each case's samples over all launches: a panel for each problem without p
/// and nodes, in it a box for each layout and candidate. Quartiles (definition 7), whiskers to the
/// last sample within 1.5 interquartile ranges of the box, the samples beyond, and the interval of
/// the median over launches.
///
/// With `blocks`, of one p, a box for each block size instead: its values are means of that many
/// consecutive samples, as papers report that read the clock once for several calls.
[[nodiscard]] std::string spread_json(const Machine& machine,
                                      std::span<const LaunchSamples> launches,
                                      std::span<const int> blocks);

}  // namespace breakeven::report
