// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tables/formats/common/emitted.hpp"
#include "tables/formats/own/json.hpp"

namespace breakeven::formats {

/// A table that was read whole, as a form of table: it answers as `Table::choose`, and tells what
/// the choice rests on.
[[nodiscard]] ReadTable as_read_table(ReadKept read);

}  // namespace breakeven::formats
