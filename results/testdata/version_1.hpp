// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string_view>

namespace breakeven {

/// The text of results/testdata/version_1.sql: a results database of version 1 with rows.
[[nodiscard]] std::string_view version_1();

}  // namespace breakeven
