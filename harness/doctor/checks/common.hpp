// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/protocol/facts.hpp"

namespace breakeven::doctor::checks {

/// "0.13 %": a part of a whole, with two digits that count.
[[nodiscard]] inline std::string percent(double part) {
  return part < 0.1 ? fmt::format("{:.2g} %", 100 * part) : fmt::format("{:.0f} %", 100 * part);
}

/// "23.5 GiB", "64 MiB"; unlike to_text(Bytes) not exact, but short.
[[nodiscard]] inline std::string about(std::int64_t bytes) {
  constexpr double kMebi = 1024.0 * 1024;
  constexpr double kGibi = 1024 * kMebi;
  const auto size = static_cast<double>(bytes);
  return size < kGibi ? fmt::format("{:.3g} MiB", size / kMebi)
                      : fmt::format("{:.3g} GiB", size / kGibi);
}

/// "1 rank", "3 ranks".
[[nodiscard]] inline std::string count_of(std::int64_t count, std::string_view thing) {
  return fmt::format("{} {}{}", count, thing, count == 1 ? "" : "s");
}

/// The core that a rank can't leave, by its number; nothing when it may wander, or when it isn't
/// known which CPUs share a core.
[[nodiscard]] inline std::optional<std::size_t> core_of(const protocol::RankFacts& rank,
                                                        const protocol::CpuFacts& cpus) {
  const auto holds = [&](const protocol::CpuSet& core) {
    return std::ranges::includes(core, rank.cpus);
  };
  const auto found = std::ranges::find_if(cpus.cores, holds);
  if (found == cpus.cores.end() || rank.cpus.empty()) return std::nullopt;
  return static_cast<std::size_t>(found - cpus.cores.begin());
}

/// Two ranks for which `holds`, as "ranks 2 and 3".
template <typename Holds>
[[nodiscard]] std::optional<std::string> some_pair(const std::vector<protocol::RankFacts>& ranks,
                                                   Holds holds) {
  for (std::size_t a = 0; a < ranks.size(); ++a) {
    for (std::size_t b = a + 1; b < ranks.size(); ++b) {
      if (holds(ranks[a], ranks[b])) {
        return fmt::format("ranks {} and {}", ranks[a].rank, ranks[b].rank);
      }
    }
  }
  return std::nullopt;
}

}  // namespace breakeven::doctor::checks
