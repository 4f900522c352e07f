// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "harness/protocol/facts.hpp"

namespace breakeven::protocol {

/// An object with the members' names as keys; null for what could not be read.
void to_json(nlohmann::json& object, const NodeFacts& facts);
/// @throws nlohmann::json::exception when something is missing or of another type.
void from_json(const nlohmann::json& object, NodeFacts& facts);

/// The same as a text, for MPI to carry. What is not UTF-8 (a processor's name) is marked.
[[nodiscard]] std::string pack(const NodeFacts& facts);
[[nodiscard]] NodeFacts unpack(std::string_view text);

}  // namespace breakeven::protocol
