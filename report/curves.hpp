// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "core/case.hpp"
#include "core/launch.hpp"
#include "core/names.hpp"

namespace breakeven::report {

/// What a curve is drawn over.
enum class Axis : std::uint8_t { message_bytes, procs, procs_per_node };
inline constexpr Names<Axis, 3> kAxes{"axis",
                                      {{{Axis::message_bytes, "message_bytes"},
                                        {Axis::procs, "procs"},
                                        {Axis::procs_per_node, "procs_per_node"}}}};

/// What a curve shows: seconds, bytes of the message per second, a baseline's time divided by this
/// one's, or the other way round, as some papers do.
enum class Quantity : std::uint8_t { time, bandwidth, speedup, relative_time };
inline constexpr Names<Quantity, 4> kQuantities{"quantity",
                                                {{{Quantity::time, "time"},
                                                  {Quantity::bandwidth, "bandwidth"},
                                                  {Quantity::speedup, "speedup"},
                                                  {Quantity::relative_time, "relative_time"}}}};

struct CurveRequest {
  Axis by = Axis::message_bytes;
  Quantity quantity = Quantity::time;
  /// Of speedups and relative times: "ring" in each collective, or "allreduce/ring" in all at equal
  /// bytes of the whole vector.
  std::string baseline = std::string{kNative};
  std::optional<Mapping> baseline_mapping{};  ///< of the baseline; none: that of each curve
};

/// A panel for each problem and a line for each candidate and mapping, as JSON, with 95 % intervals
/// at each place of the axis (none of one launch: then both ends are the value).
///
/// Times and ratios within a problem are those of its contest, so that they compare. A ratio to
/// another mapping or collective is the median over launches of the same repeat, and the range of
/// fewer than six. A ratio over procs or procs_per_node is the geometric mean over the message
/// sizes that all points of the panel have, as are its interval's ends.
/// @throws UsageError when nothing was measured that `baseline` names
[[nodiscard]] std::string curves_json(const Machine& machine,
                                      std::span<const Measurement> measurements,
                                      const CurveRequest& request);

}  // namespace breakeven::report
