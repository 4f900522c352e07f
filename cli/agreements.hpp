// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "cli/database.hpp"
#include "tuner/agreement.hpp"

namespace breakeven::cli {

/// How well a model, or a machine file, predicts these measurements of a machine. Predictions that
/// the database holds are not computed again.
/// @throws UsageError when there is no such model, or when it can predict none of them.
[[nodiscard]] tuner::Agreements agreements_of(const std::string& model, const Selection& from,
                                              const std::vector<Measurement>& measurements);

}  // namespace breakeven::cli
