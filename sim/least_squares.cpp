// SPDX-License-Identifier: BSD-3-Clause
#include "sim/least_squares.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

namespace breakeven::sim {

namespace {

using Matrix = std::vector<std::vector<double>>;

constexpr double kSmallResidual = 0.1;

double counts_for(double residual) {
  return kSmallResidual * kSmallResidual * (std::hypot(1, residual / kSmallResidual) - 1);
}

double mean_loss(std::span<const double> residuals) {
  double sum = 0;
  for (const double each : residuals) sum += counts_for(each);
  return sum / static_cast<double>(std::max<std::size_t>(residuals.size(), 1));
}

/// Gauss's elimination with pivots; rows without one leave their unknown at 0.
std::vector<double> solved(Matrix matrix, std::vector<double> right) {
  const std::size_t size = right.size();
  std::vector<double> diagonal;
  for (std::size_t i = 0; i < size; ++i) diagonal.push_back(matrix[i][i]);
  std::vector<bool> singular(size, false);
  for (std::size_t column = 0; column < size; ++column) {
    // The matrix is positive semidefinite, so that its diagonal has pivots enough.
    const double pivot = matrix[column][column];
    singular[column] = !(pivot > 1e-12 * diagonal[column]);
    if (singular[column]) continue;
    for (std::size_t row = 0; row < size; ++row) {
      if (row == column) continue;
      const double factor = matrix[row][column] / pivot;
      for (std::size_t k = 0; k < size; ++k) matrix[row][k] -= factor * matrix[column][k];
      right[row] -= factor * right[column];
    }
  }
  for (std::size_t i = 0; i < size; ++i) right[i] = singular[i] ? 0 : right[i] / matrix[i][i];
  return right;
}

/// The linear equations whose solution is the step.
struct Normal {
  Matrix matrix;
  std::vector<double> right;
};

Normal normal_equations(const Matrix& jacobian, std::span<const double> residuals) {
  const std::size_t size = jacobian.empty() ? 0 : jacobian.front().size();
  Normal normal{.matrix = Matrix(size, std::vector<double>(size, 0)),
                .right = std::vector<double>(size, 0)};
  for (std::size_t row = 0; row < residuals.size(); ++row) {
    const double weight = 1 / std::hypot(1, residuals[row] / kSmallResidual);
    for (std::size_t i = 0; i < size; ++i) {
      normal.right[i] -= weight * jacobian[row][i] * residuals[row];
      for (std::size_t k = 0; k < size; ++k) {
        normal.matrix[i][k] += weight * jacobian[row][i] * jacobian[row][k];
      }
    }
  }
  return normal;
}

/// The damped step that leaves all parameters at 0 or above: those that it would take below stop
/// there, and the others make the best of it.
std::vector<double> step(Normal normal, std::span<const double> parameters, double damping) {
  const std::size_t size = parameters.size();
  for (std::size_t i = 0; i < size; ++i) normal.matrix[i][i] *= 1 + damping;
  std::vector<bool> stops(size, false);
  while (true) {
    Normal free = normal;
    for (std::size_t i = 0; i < size; ++i) {
      if (!stops[i]) continue;
      for (std::size_t k = 0; k < size; ++k) {
        free.right[k] += normal.matrix[k][i] * parameters[i];
        free.matrix[i][k] = free.matrix[k][i] = 0;
      }
    }
    for (std::size_t i = 0; i < size; ++i) {
      if (stops[i]) free.right[i] = 0;
    }
    std::vector<double> by = solved(std::move(free.matrix), std::move(free.right));
    bool is_inside = true;
    for (std::size_t i = 0; i < size; ++i) {
      if (stops[i]) {
        by[i] = -parameters[i];
      } else if (parameters[i] + by[i] < 0) {
        stops[i] = true;
        is_inside = false;
      }
    }
    if (is_inside) return by;
  }
}

/// Where the data leave a direction open, the step takes none of it.
std::vector<double> undamped_step(const Matrix& jacobian, std::span<const double> residuals,
                                  std::span<const double> parameters) {
  constexpr double kDamping = 1e-6;
  return step(normal_equations(jacobian, residuals), parameters, kDamping);
}

std::vector<double> moved(std::span<const double> parameters, std::span<const double> by) {
  std::vector<double> moved(parameters.begin(), parameters.end());
  for (std::size_t i = 0; i < moved.size(); ++i) moved[i] = std::max(0., moved[i] + by[i]);
  return moved;
}

/// From both sides, because models take the larger of some times: where these are equal a slope
/// from one side leads nowhere.
Matrix jacobian_at(const Residuals& residuals, const std::vector<double>& parameters,
                   std::span<const double> scales, std::size_t rows) {
  constexpr double kStep = 1e-3;
  Matrix jacobian(rows, std::vector<double>(parameters.size(), 0));
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    std::vector<double> below = parameters;
    std::vector<double> above = parameters;
    const double distance = kStep * std::max(parameters[i], 0.01 * scales[i]);
    below[i] = std::max(0., below[i] - distance);
    above[i] += distance;
    const std::vector<double> left = residuals(below);
    const std::vector<double> right = residuals(above);
    for (std::size_t row = 0; row < rows; ++row) {
      jacobian[row][i] = (right[row] - left[row]) / (above[i] - below[i]);
    }
  }
  return jacobian;
}

}  // namespace

LeastSquares::LeastSquares(const Residuals& residuals, std::vector<double> start)
    : parameters_{start} {
  constexpr int kMostSteps = 40;
  constexpr int kMostStalled = 3;
  constexpr double kLeastGain = 1e-5;
  constexpr double kMostDamping = 1e6;
  const std::vector<double>& scales = start;
  std::vector<double> here = residuals(parameters_);
  loss_ = mean_loss(here);
  double damping = 1e-2;
  int stalled = 0;  // a step may gain little because it was damped much
  for (int i = 0; i < kMostSteps && damping < kMostDamping; ++i) {
    jacobian_ = jacobian_at(residuals, parameters_, scales, here.size());
    const Normal normal = normal_equations(jacobian_, here);
    const double before = loss_;
    while (damping < kMostDamping) {
      std::vector<double> next = moved(parameters_, step(normal, parameters_, damping));
      std::vector<double> there = residuals(next);
      const double loss = mean_loss(there);
      if (loss < loss_) {
        parameters_ = std::move(next);
        here = std::move(there);
        loss_ = loss;
        damping /= 10;
        break;
      }
      damping *= 10;
    }
    stalled = before - loss_ < kLeastGain * before ? stalled + 1 : 0;
    if (stalled == kMostStalled) break;
  }
  jacobian_ = jacobian_at(residuals, parameters_, scales, here.size());
  for (std::size_t i = 0; i < parameters_.size(); ++i) {
    const bool matters =
        std::ranges::any_of(jacobian_, [&](const auto& row) { return row[i] != 0; });
    if (!matters) parameters_[i] = 0;
  }
  step_ = undamped_step(jacobian_, here, parameters_);
}

std::vector<double> LeastSquares::stepped(std::span<const double> residuals) const {
  std::vector<double> by = undamped_step(jacobian_, residuals, parameters_);
  std::ranges::transform(by, step_, by.begin(), std::minus{});
  return moved(parameters_, by);
}

}  // namespace breakeven::sim
