// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <map>
#include <optional>

#include "core/case.hpp"
#include "core/units.hpp"

namespace breakeven {

/// The time of a case by a model.
struct Prediction {
  Seconds time{};
  /// Its 95 % interval, of a model whose parameters or errors have one.
  std::optional<Seconds> low{};
  std::optional<Seconds> high{};
  friend bool operator==(const Prediction&, const Prediction&) = default;
};

using Predictions = std::map<Case, Prediction>;

}  // namespace breakeven
