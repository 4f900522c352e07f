// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <optional>
#include <span>

#include "harness/doctor/finding.hpp"

namespace breakeven::doctor::checks {

// binding.cpp
[[nodiscard]] std::optional<Diagnosis> binding(const protocol::NodeFacts& node);
// placement.cpp
[[nodiscard]] std::optional<Diagnosis> oversubscription(const protocol::NodeFacts& node);
[[nodiscard]] std::optional<Diagnosis> smt(const protocol::NodeFacts& node);
[[nodiscard]] std::optional<Diagnosis> numa(const protocol::NodeFacts& node);
[[nodiscard]] std::optional<Diagnosis> shared_kernel(std::span<const protocol::NodeFacts> nodes);
// disturbance.cpp
[[nodiscard]] std::optional<Diagnosis> noise(const protocol::NodeFacts& node);
[[nodiscard]] std::optional<Diagnosis> load(const protocol::NodeFacts& node);
[[nodiscard]] std::optional<Diagnosis> virtual_machine(const protocol::NodeFacts& node);
// processor.cpp
[[nodiscard]] std::optional<Diagnosis> governor(const protocol::NodeFacts& node);
[[nodiscard]] std::optional<Diagnosis> turbo(const protocol::NodeFacts& node);
[[nodiscard]] std::optional<Diagnosis> clock(const protocol::NodeFacts& node);
// memory.cpp
[[nodiscard]] std::optional<Diagnosis> memory(const protocol::NodeFacts& node);
[[nodiscard]] std::optional<Diagnosis> huge_pages(const protocol::NodeFacts& node);
[[nodiscard]] std::optional<Diagnosis> pinned_memory(const protocol::NodeFacts& node);
[[nodiscard]] std::optional<Diagnosis> shared_memory(const protocol::NodeFacts& node);
// library.cpp
[[nodiscard]] std::optional<Diagnosis> library(const protocol::NodeFacts& node);
[[nodiscard]] std::optional<Diagnosis> settings(const protocol::NodeFacts& node);
// heterogeneity.cpp
[[nodiscard]] std::optional<Diagnosis> heterogeneity(std::span<const protocol::NodeFacts> nodes);

}  // namespace breakeven::doctor::checks

namespace breakeven::doctor {

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
                                    Check{"settings", checks::settings},
                                    Check{"library", checks::library},
                                    Check{"shared_memory", checks::shared_memory},
                                    Check{"memory", checks::memory},
                                    Check{"huge_pages", checks::huge_pages},
                                    Check{"pinned_memory", checks::pinned_memory}};

}  // namespace breakeven::doctor
