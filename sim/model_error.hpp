// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "core/case.hpp"

namespace breakeven::sim {

/// How wrong a machine's times are. log(measured / predicted) is a sum of two parts, each normal
/// around 0 with a standard deviation:
struct ModelError {
  double shared = 0;  ///< common to all algorithms of a problem: no choice depends on it
  double own = 0;     ///< the rest, of each algorithm by itself
  int cases = 0;      ///< that were measured and predicted

  /// Of their sum.
  [[nodiscard]] double deviation() const;
  friend bool operator==(const ModelError&, const ModelError&) = default;
};

/// By "allreduce/ring" or, of the algorithms that have none, by "allreduce"; by "" for all others.
using ModelErrors = std::map<std::string, ModelError, std::less<>>;

/// log(measured / predicted) of a case that the prediction was not fitted to.
struct ModelResidual {
  Case what{};
  double log_ratio = 0;
  double general = 0;  ///< the same by the machine's general parameters, where they are others
};

/// The errors that the residuals show. An algorithm's own part is drawn towards that of its
/// collective, as if this had been seen in four more cases. The errors of the general parameters
/// stand for collectives that were not measured. Nothing of no residuals.
/// @param launch_deviation  by how much launches differ as a whole: shared by all of a problem
[[nodiscard]] ModelErrors model_errors(std::span<const ModelResidual> residuals,
                                       double launch_deviation);

}  // namespace breakeven::sim
