// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "executor/communicator.hpp"

namespace breakeven::executor {

/// Collective. The text of `source` on every rank; the others' is ignored.
[[nodiscard]] std::string broadcast(const std::string& text, Rank source, const Communicator& comm);

/// Collective. The texts of all ranks, in their order, on rank 0; nothing elsewhere.
[[nodiscard]] std::vector<std::string> gather(const std::string& text, const Communicator& comm);

/// Collective. Whether no lower rank gives the same name of its node.
[[nodiscard]] bool first_on_node(const std::string& node, const Communicator& comm);

/// Collective. What the lowest rank that has a complaint says, on every rank; nothing when none
/// has.
[[nodiscard]] std::optional<std::string> first_complaint(const std::optional<std::string>& own,
                                                         const Communicator& comm);

}  // namespace breakeven::executor
