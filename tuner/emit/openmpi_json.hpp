// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string_view>

#include "tuner/emit/emitted.hpp"
#include "tuner/provenance.hpp"
#include "tuner/table.hpp"

namespace breakeven {

/// The table as the JSON that coll/tuned of Open MPI reads from version 6 on.
///
/// Ranges are inclusive at both ends, and what no range holds is left to the library. The library
/// takes no comments but ignores keys that it does not know: the head is the value of "breakeven".
/// No communicator size is "inf", which the library takes for -1.
/// @throws UsageError as `tuned_rules` does, and for older versions.
[[nodiscard]] Emitted openmpi_json(const Table& table, const Provenance& provenance);

[[nodiscard]] ReadTable read_openmpi_json(std::string_view text);

}  // namespace breakeven
