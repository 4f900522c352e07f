// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string_view>

namespace breakeven::results {

/// The text of results/schema.sql: makes an empty SQLite file a results
/// database.
[[nodiscard]] std::string_view schema();

}  // namespace breakeven::results
