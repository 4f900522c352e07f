// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>

#include "executor/communicator.hpp"

namespace breakeven {

/// Collective. The text of `source` on every rank; the others' is ignored.
[[nodiscard]] std::string broadcast(const std::string& text, Rank source, const Communicator& comm);

/// Collective. What the lowest rank that has a complaint says, on every rank; nothing when none
/// has.
[[nodiscard]] std::optional<std::string> first_complaint(const std::optional<std::string>& own,
                                                         const Communicator& comm);

}  // namespace breakeven
