// SPDX-License-Identifier: BSD-3-Clause
#include "sim/model_error.hpp"

#include <algorithm>
#include <cmath>

#include "stats/median.hpp"

namespace breakeven::sim {

namespace {

constexpr double kPriorCases = 4;

struct Sum {
  double squares = 0;
  double degrees = 0;  // of freedom

  void add(double square, double degree) {
    squares += square;
    degrees += degree;
  }
  [[nodiscard]] double deviation() const { return degrees > 0 ? std::sqrt(squares / degrees) : 0; }
};

/// The parts of all algorithms together, and the own part of each by itself.
struct Parts {
  Sum shared{};
  Sum own{};
  std::map<std::string, Sum> by_algorithm{};
  std::map<std::string, int> cases{};
};

Parts parts_of(std::span<const ModelResidual* const> residuals, double ModelResidual::* log_ratio) {
  std::map<Case, std::vector<const ModelResidual*>> problems;
  Parts parts;
  for (const ModelResidual* each : residuals) {
    problems[without_algorithm(each->what)].push_back(each);
    ++parts.cases[algorithm_text(each->what)];
  }
  for (const auto& [problem, candidates] : problems) {
    std::vector<double> logs;
    for (const ModelResidual* each : candidates) logs.push_back(each->*log_ratio);
    const double middle = stats::median(logs);
    parts.shared.add(middle * middle, 1);
    // The middle of n takes an n-th of their squares.
    const auto count = static_cast<double>(candidates.size());
    for (const ModelResidual* each : candidates) {
      const double rest = each->*log_ratio - middle;
      parts.own.add(rest * rest, (count - 1) / count);
      parts.by_algorithm[algorithm_text(each->what)].add(rest * rest, (count - 1) / count);
    }
  }
  return parts;
}

}  // namespace

double ModelError::deviation() const { return std::hypot(shared, own); }

ModelErrors model_errors(std::span<const ModelResidual> residuals, double launch_deviation) {
  if (residuals.empty()) return {};
  std::vector<const ModelResidual*> all;
  std::map<Collective, std::vector<const ModelResidual*>> collectives;
  for (const ModelResidual& each : residuals) {
    all.push_back(&each);
    collectives[each.what.collective].push_back(&each);
  }
  const auto count = [](const auto& of) { return static_cast<int>(of.size()); };
  const Parts general = parts_of(all, &ModelResidual::general);
  // A further collective may differ from the measured ones as these do from each other: of few,
  // their spread says little about it.
  const double further = std::sqrt(1 + 1 / static_cast<double>(collectives.size()));
  ModelErrors errors{
      {"", {further * general.shared.deviation(), further * general.own.deviation(), count(all)}}};
  for (const auto& [collective, of_collective] : collectives) {
    const Parts parts = parts_of(of_collective, &ModelResidual::log_ratio);
    const double shared = parts.shared.deviation();
    const double own = parts.own.deviation();
    errors[std::string{kCollectives.of(collective)}] = {shared, own, count(of_collective)};
    for (const auto& [name, sum] : parts.by_algorithm) {
      const double squares = kPriorCases * own * own + sum.squares;
      errors[name] = {shared, std::sqrt(squares / (kPriorCases + sum.degrees)),
                      parts.cases.at(name)};
    }
  }
  for (auto& [name, error] : errors) error.shared = std::hypot(error.shared, launch_deviation);
  return errors;
}

}  // namespace breakeven::sim
