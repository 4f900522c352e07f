// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "core/case.hpp"
#include "core/launch.hpp"
#include "core/names.hpp"

namespace breakeven::tuner {

/// What a curve is drawn over.
enum class Axis : std::uint8_t { message_bytes, procs, procs_per_node };
inline constexpr Names<Axis, 3> kAxes{"axis",
                                      {{{Axis::message_bytes, "message_bytes"},
                                        {Axis::procs, "procs"},
                                        {Axis::procs_per_node, "procs_per_node"}}}};

/// What a curve shows: seconds, bytes of the message per second, or a time divided by another.
enum class Quantity : std::uint8_t { time, bandwidth, ratio };
inline constexpr Names<Quantity, 3> kQuantities{
    "quantity",
    {{{Quantity::time, "time"}, {Quantity::bandwidth, "bandwidth"}, {Quantity::ratio, "ratio"}}}};

struct CurveRequest {
  Axis by = Axis::message_bytes;
  Quantity quantity = Quantity::time;
  /// What times are divided by, for a ratio: "ring" in each collective, or "allreduce/ring" in all
  /// at equal bytes of the whole vector.
  std::string baseline = std::string{kNative};
  std::optional<Mapping> baseline_mapping{};  ///< of the baseline; none: that of what is divided
};

/// A panel for each problem and a line for each candidate and mapping, as JSON: the median over
/// launches and its 95 % interval (or the range of fewer than six) at each place of the axis.
///
/// Times are paired by the repeat of their launches. A ratio over procs or procs_per_node is the
/// geometric mean over the message sizes that all points of the panel have, of each repeat.
/// @throws UsageError when nothing was measured that `baseline` names
[[nodiscard]] std::string curves_json(const Machine& machine,
                                      std::span<const Measurement> measurements,
                                      const CurveRequest& request);

}  // namespace breakeven::tuner
