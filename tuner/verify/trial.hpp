// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <vector>

#include "core/case.hpp"
#include "tables/table.hpp"

namespace breakeven::verify {

/// The settings of a table's trial.
struct Trial {
  std::vector<int> procs{};       ///< none: see problems_of_trial
  std::vector<Bytes> messages{};  ///< none: likewise
  std::vector<Counts> counts{};   ///< that irregular collectives are tried with
  int launches = 10;
  std::uint64_t seed = 1;
};

/// The problems on which a table is tried: each collective under each mapping that it knows, at
/// sizes half way, by ratio, between powers of two, which sweeps don't measure. Of process counts
/// those that it knows, and on one node also one between each two neighbours and one beyond.
/// Layouts whose nodes a p asked for doesn't fill are left out.
[[nodiscard]] std::vector<Case> problems_of_trial(const tables::Table& table, const Trial& trial);

}  // namespace breakeven::verify
