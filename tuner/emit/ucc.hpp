// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string_view>

#include "tuner/emit/emitted.hpp"
#include "tuner/provenance.hpp"
#include "tuner/table.hpp"

namespace breakeven {

/// The table as a shell fragment that sets UCC_TL_UCP_TUNE: tokens "allreduce:0-4096:host:[2-4]:
/// @knomial", for the host's memory, by size and team size.
///
/// It takes what is fastest of all candidates, since none was measured with UCC, and translates it
/// by its structure.
/// @throws UsageError as `emit_translation` does
[[nodiscard]] Emitted ucc(const Table& table, const Provenance& provenance);

/// Answers "ucc:knomial".
[[nodiscard]] ReadTable read_ucc(std::string_view text);

}  // namespace breakeven
