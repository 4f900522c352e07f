// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <span>
#include <vector>

namespace breakeven::sim {

/// The residuals of a model with these parameters, all of about the same scale.
using Residuals = std::function<std::vector<double>(std::span<const double> parameters)>;

/// Parameters of 0 or more at which residuals are small, and those for other data.
class LeastSquares {
 public:
  /// Levenberg's and Marquardt's method, with residuals that count as their squares while they are
  /// small and as their absolute values beyond 0.1 (pseudo-Huber), so that times which a model
  /// can't express don't bend the rest. A parameter that no residual depends on becomes 0.
  /// @param start  all positive: also the parameters' scales
  /// @see [marquardt1963], [huber1964]
  LeastSquares(const Residuals& residuals, std::vector<double> start);

  [[nodiscard]] const std::vector<double>& parameters() const { return parameters_; }
  /// The mean loss of the residuals.
  [[nodiscard]] double loss() const { return loss_; }

  /// parameters(), moved by how a step of the method for the residuals that other data have there
  /// differs from one for these data. That is none at a smooth minimum; but models take the larger
  /// of some times, and where these are equal a slope may lead on.
  /// @see [shao1995], on bootstraps by one step
  [[nodiscard]] std::vector<double> stepped(std::span<const double> residuals) const;

 private:
  std::vector<double> parameters_;
  std::vector<std::vector<double>> jacobian_;  ///< [residual][parameter]
  std::vector<double> step_;                   ///< for these data
  double loss_ = 0;
};

}  // namespace breakeven::sim
