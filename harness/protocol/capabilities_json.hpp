// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <nlohmann/json.hpp>

#include "core/library_capabilities.hpp"

/// An object with the members' names as keys.
template <>
struct nlohmann::adl_serializer<breakeven::LibraryCapabilities> {
  static void to_json(json& object, const breakeven::LibraryCapabilities& capabilities);
  /// @throws nlohmann::json::exception when something is missing or of another type.
  static void from_json(const json& object, breakeven::LibraryCapabilities& capabilities);
};
