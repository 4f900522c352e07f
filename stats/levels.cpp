// SPDX-License-Identifier: BSD-3-Clause
#include "stats/levels.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "stats/median.hpp"

namespace breakeven::stats {

namespace {

constexpr double kNoiseTails = 4;          // degrees of freedom of the noise
constexpr double kPriorLaunches = 4;       // that the common variance counts as
constexpr double kLeastTime = 1e-12;       // seconds: a model may need none, for one process
constexpr double kUnknownVariance = 0.01;  // 10 %, where no candidate has two launches
constexpr double kLeastVariance = 1e-12;   // a millionth of the time, squared: models have no noise

struct Observation {
  std::size_t candidate;
  std::size_t launch;
  double log;
  double weight = 1;
};

/// One problem while it is fitted.
class Problem {
 public:
  explicit Problem(const std::vector<const CaseTimes*>& candidates)
      : levels_(candidates.size()), variances_(candidates.size(), 1) {
    std::map<std::int64_t, std::size_t> launches;
    for (std::size_t candidate = 0; candidate < candidates.size(); ++candidate) {
      std::vector<double> logs;
      for (const auto& [launch, time] : candidates[candidate]->by_launch) {
        const std::size_t index = launches.try_emplace(launch, launches.size()).first->second;
        logs.push_back(std::log(std::max(time.value, kLeastTime)));
        observations_.push_back({candidate, index, logs.back()});
      }
      levels_[candidate] = median(std::move(logs));
    }
    effects_.resize(launches.size());
    measured_.resize(launches.size());
    for (const Observation& each : observations_) ++measured_[each.launch];
  }

  void fit_effects() {
    fit(effects_, &Observation::launch, levels_, &Observation::candidate);
    for (std::size_t i = 0; i < effects_.size(); ++i) {
      if (measured_[i] == 1) effects_[i] = 0;  // of one candidate it can't be told from noise
    }
  }

  void fit_levels() { fit(levels_, &Observation::candidate, effects_, &Observation::launch); }

  /// Each candidate's own variance, where it has several launches.
  [[nodiscard]] std::vector<double> own_variances() const {
    std::vector<double> own;
    const auto [squares, degrees] = spread();
    for (std::size_t i = 0; i < levels_.size(); ++i) {
      if (degrees[i] == 0) continue;
      // Half of such estimates lie below the variance times the cube (Wilson and Hilferty).
      own.push_back(squares[i] / degrees[i] / std::pow(1 - 2 / (9 * degrees[i]), 3));
    }
    return own;
  }

  void reweigh(double common_variance) {
    const auto [squares, degrees] = spread();
    for (std::size_t i = 0; i < levels_.size(); ++i) {
      variances_[i] = std::max(kLeastVariance, (kPriorLaunches * common_variance + squares[i]) /
                                                   (kPriorLaunches + degrees[i]));
    }
    for (Observation& each : observations_) {
      const double residual = residual_of(each);
      each.weight =
          (kNoiseTails + 1) / (kNoiseTails + residual * residual / variances_[each.candidate]);
    }
  }

  [[nodiscard]] std::vector<Belief> levels() const {
    std::vector<double> weights(levels_.size());
    for (const Observation& each : observations_) weights[each.candidate] += each.weight;
    std::vector<Belief> levels;
    for (std::size_t i = 0; i < levels_.size(); ++i) {
      // Fisher's information of a t distribution's centre is (v + 1) / (v + 3) of its scale's.
      levels.push_back(
          {levels_[i], variances_[i] / weights[i] * (kNoiseTails + 3) / (kNoiseTails + 1)});
    }
    return levels;
  }

 private:
  struct Spread {
    std::vector<double> squares;  ///< of the residuals, weighted
    std::vector<double> degrees;  ///< of freedom
  };

  /// As large as the noise: of k candidates the effect of their launch takes a k-th of its square.
  [[nodiscard]] double residual_of(const Observation& each) const {
    const double candidates = measured_[each.launch];
    const double share = candidates > 1 ? (candidates - 1) / candidates : 1;
    return (each.log - levels_[each.candidate] - effects_[each.launch]) / std::sqrt(share);
  }

  /// One side of the sum, given the other: the weighted mean of what that leaves.
  void fit(std::vector<double>& side, std::size_t Observation::* index,
           const std::vector<double>& other, std::size_t Observation::* other_index) {
    std::vector<double> sums(side.size());
    std::vector<double> weights(side.size());
    for (const Observation& each : observations_) {
      const double weight = each.weight / variances_[each.candidate];
      sums[each.*index] += weight * (each.log - other[each.*other_index]);
      weights[each.*index] += weight;
    }
    for (std::size_t i = 0; i < side.size(); ++i) side[i] = sums[i] / weights[i];
  }

  [[nodiscard]] Spread spread() const {
    Spread spread{std::vector<double>(levels_.size()), std::vector<double>(levels_.size(), -1)};
    for (const Observation& each : observations_) {
      const double residual = residual_of(each);
      spread.squares[each.candidate] += each.weight * residual * residual;
      ++spread.degrees[each.candidate];
    }
    return spread;
  }

  std::vector<double> levels_;
  std::vector<double> effects_;
  std::vector<int> measured_;  ///< candidates of each launch
  std::vector<double> variances_;
  std::vector<Observation> observations_;
};

double common_variance(const std::vector<Problem>& problems) {
  std::vector<double> own;
  for (const Problem& problem : problems) {
    const std::vector<double> each = problem.own_variances();
    own.insert(own.end(), each.begin(), each.end());
  }
  return own.empty() ? kUnknownVariance : median(std::move(own));
}

}  // namespace

std::vector<std::vector<Belief>> fit_levels(
    std::span<const std::vector<const CaseTimes*>> problems) {
  constexpr int kIterations = 25;
  std::vector<Problem> fits(problems.begin(), problems.end());
  for (int iteration = 0; iteration < kIterations; ++iteration) {
    for (Problem& fit : fits) {
      fit.fit_effects();
      fit.fit_levels();
    }
    const double common = common_variance(fits);
    for (Problem& fit : fits) fit.reweigh(common);
  }
  std::vector<std::vector<Belief>> levels;
  for (const Problem& fit : fits) levels.push_back(fit.levels());
  return levels;
}

}  // namespace breakeven::stats
