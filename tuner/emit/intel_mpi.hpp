// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string_view>

#include "tuner/emit/emitted.hpp"
#include "tuner/provenance.hpp"
#include "tuner/table.hpp"

namespace breakeven {

/// The table as a shell fragment that sets I_MPI_ADJUST_<COLLECTIVE> of Intel MPI: presets with the
/// ranges of sizes and process counts for which they hold, inclusive at both ends.
///
/// It takes what is fastest of all candidates, since none was measured with Intel MPI, and
/// translates it by its structure.
/// @throws UsageError as `translate` does
[[nodiscard]] Emitted intel_mpi(const Table& table, const Provenance& provenance);

/// Answers "intel_mpi:2", the number of a preset.
[[nodiscard]] ReadTable read_intel_mpi(std::string_view text);

}  // namespace breakeven
