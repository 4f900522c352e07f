// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <optional>
#include <span>

#include "harness/doctor/finding.hpp"

namespace breakeven::checks {

// binding.cpp
[[nodiscard]] std::optional<Verdict> binding(const NodeFacts& node);
// placement.cpp
[[nodiscard]] std::optional<Verdict> oversubscription(const NodeFacts& node);
[[nodiscard]] std::optional<Verdict> smt(const NodeFacts& node);
[[nodiscard]] std::optional<Verdict> numa(const NodeFacts& node);
[[nodiscard]] std::optional<Verdict> shared_kernel(std::span<const NodeFacts> nodes);
// disturbance.cpp
[[nodiscard]] std::optional<Verdict> noise(const NodeFacts& node);
[[nodiscard]] std::optional<Verdict> load(const NodeFacts& node);
[[nodiscard]] std::optional<Verdict> virtual_machine(const NodeFacts& node);
// processor.cpp
[[nodiscard]] std::optional<Verdict> governor(const NodeFacts& node);
[[nodiscard]] std::optional<Verdict> turbo(const NodeFacts& node);
[[nodiscard]] std::optional<Verdict> clock(const NodeFacts& node);
// memory.cpp
[[nodiscard]] std::optional<Verdict> memory(const NodeFacts& node);
[[nodiscard]] std::optional<Verdict> huge_pages(const NodeFacts& node);
[[nodiscard]] std::optional<Verdict> pinned_memory(const NodeFacts& node);
[[nodiscard]] std::optional<Verdict> shared_memory(const NodeFacts& node);
// library.cpp
[[nodiscard]] std::optional<Verdict> library(const NodeFacts& node);
// heterogeneity.cpp
[[nodiscard]] std::optional<Verdict> heterogeneity(std::span<const NodeFacts> nodes);

}  // namespace breakeven::checks

namespace breakeven {

/// Those that usually matter most first.
inline constexpr std::array kChecks{Check{"oversubscription", checks::oversubscription},
                                    Check{"noise", checks::noise},
                                    Check{"load", checks::load},
                                    Check{"binding", checks::binding},
                                    Check{"heterogeneity", checks::heterogeneity},
                                    Check{"shared_kernel", checks::shared_kernel},
                                    Check{"virtual_machine", checks::virtual_machine},
                                    Check{"governor", checks::governor},
                                    Check{"turbo", checks::turbo},
                                    Check{"smt", checks::smt},
                                    Check{"numa", checks::numa},
                                    Check{"clock", checks::clock},
                                    Check{"library", checks::library},
                                    Check{"shared_memory", checks::shared_memory},
                                    Check{"memory", checks::memory},
                                    Check{"huge_pages", checks::huge_pages},
                                    Check{"pinned_memory", checks::pinned_memory}};

}  // namespace breakeven
