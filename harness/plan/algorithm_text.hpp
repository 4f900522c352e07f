// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/case.hpp"

namespace breakeven::plan {

/// Names of groups of algorithms, in addition to native.
inline constexpr std::string_view kBreakeven = "breakeven";
inline constexpr std::string_view kLibrarys = "library";
inline constexpr std::string_view kMockUps = "mock_ups";

/// A user's name for one or several algorithms, in its parts: "native", "breakeven", "ring",
/// "allreduce/ring:reorder_ranks=seq", "openmpi:allreduce/segmented_ring:segment_bytes=8192",
/// "native:allreduce/reduce+bcast".
struct AlgorithmWord {
  std::string_view library{};  ///< that has the algorithm, or native: a mock-up; empty: none
  std::string_view
      collective{};  ///< "reduce", or a form of it: "ireduce", "reduce_init"; empty: any
  std::string_view algorithm{};
  std::string_view params{};

  explicit AlgorithmWord(std::string_view text);

  /// Whether it names the variant of the collective, under any parameters.
  [[nodiscard]] bool means(Collective of, const Variant& variant) const;
  [[nodiscard]] bool is_group() const {
    return algorithm == kBreakeven || algorithm == kLibrarys || algorithm == kMockUps;
  }
};

/// "native,ring:reorder_ranks=seq,recursive_multiplying:stages=a4,a6" split at the commas that end
/// an algorithm: a following part that is no algorithm's name belongs to the parameters.
[[nodiscard]] std::vector<std::string> split_algorithms(std::string_view text);

}  // namespace breakeven::plan
