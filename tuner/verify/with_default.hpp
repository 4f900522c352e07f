// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "tables/table.hpp"
#include "tuner/verify/verification.hpp"

namespace breakeven::verify {

/// A choice of a table that a verification found not to hold.
struct TakenBack {
  Case what{};  ///< collective, form, mapping, p, and the algorithm with its parameters
  int launches = 1;
  Bytes from{0};
  Bytes to{};            ///< exclusive
  std::string reason{};  ///< the measurement, in words
};

/// The choices that do not hold: in cells that fail, and of rules whose cells together were not
/// found faster, with some counts. Those of one rule stand together, with one reason.
[[nodiscard]] std::vector<TakenBack> taken_back(const tables::Table& table,
                                                const Verification& verification);

/// The table with native in the place of that choice, wherever it makes it at these sizes. Where
/// this p was not measured it gets a rule of its own: native, for all sizes.
[[nodiscard]] tables::Table with_default(tables::Table table, const TakenBack& back);

/// A line for each rule that it was: "allreduce, p = 4: not ring, which is ..."
[[nodiscard]] std::vector<std::string> lines_of(const std::vector<TakenBack>& all);

}  // namespace breakeven::verify
