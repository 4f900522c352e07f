// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>

namespace breakeven::worker {

/// How many rules Open MPI's component coll/han reads from the file that its variables name;
/// nothing where it drops the file. It reads it once more, and says so where coll_han_verbose was 5
/// or more when the process began, and only then.
/// @throws UsageError where this Open MPI has no such function.
[[nodiscard]] std::optional<int> han_rules_read();

}  // namespace breakeven::worker
