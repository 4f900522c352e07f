// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "core/library_capabilities.hpp"

namespace breakeven::protocol {

/// An object with the members' names as keys.
void to_json(nlohmann::json& object, const LibraryCapabilities& capabilities);
/// @throws nlohmann::json::exception when something is missing or of another type.
void from_json(const nlohmann::json& object, LibraryCapabilities& capabilities);

}  // namespace breakeven::protocol
