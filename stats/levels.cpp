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
constexpr double kLeastTime = 1e-12;       // seconds: a model may need none, for one process
constexpr double kUnknownVariance = 0.01;  // 10 %, where no candidate has two launches
constexpr double kLeastVariance = 1e-12;   // a millionth of the time, squared: models have no noise

struct Observation {
  std::size_t candidate;
  std::size_t launch;
  double log;
  double weight = 1;
  double precision = 1;  // the weight over the variance
  bool tells = true;     // of its launch
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
    telling_.resize(launches.size());
    kept_.resize(launches.size(), 1);
    for (Observation& each : observations_) {
      each.tells = candidates[each.candidate]->by_launch.size() > 1;
      ++measured_[each.launch];
      if (each.tells) ++telling_[each.launch];
    }
    learn_precisions();
  }

  /// Effects and levels in turn, until neither moves.
  void fit() {
    constexpr int kMostRounds = 200;
    constexpr double kStill = 1e-5;
    double moved = 1;
    for (int round = 0; round < kMostRounds && moved > kStill; ++round) {
      const std::vector<double> before = effects_;
      // A candidate of one launch tells nothing of its effect: its level takes the whole residual.
      fit(effects_, &Observation::launch, levels_, &Observation::candidate, &Observation::tells,
          effects_precision());
      centre();
      fit(levels_, &Observation::candidate, effects_, &Observation::launch);
      moved = 0;
      for (std::size_t i = 0; i < before.size(); ++i) {
        moved = std::max(moved, std::abs(effects_[i] - before[i]));
      }
    }
  }

  /// Whether the last weights were nearly those before.
  [[nodiscard]] bool still() const {
    constexpr double kStill = 1e-4;
    return moved_ <= kStill;
  }
  /// Each candidate's own variance, where it has several launches: see `learn_spread`.
  [[nodiscard]] const std::vector<double>& own_variances() const { return own_variances_; }

  void learn_spread() {
    squares_.assign(levels_.size(), 0);
    degrees_.assign(levels_.size(), -1);
    own_variances_.clear();
    for (const Observation& each : observations_) {
      squares_[each.candidate] += each.weight * square_of(each);
      ++degrees_[each.candidate];
    }
    for (std::size_t i = 0; i < levels_.size(); ++i) {
      if (degrees_[i] == 0) continue;
      // Half of these estimates lie below the variance times the cube (Wilson and Hilferty).
      own_variances_.push_back(squares_[i] / degrees_[i] / std::pow(1 - 2 / (9 * degrees_[i]), 3));
    }
  }

  void reweigh(double common_variance) {
    learn_effects_variance();
    for (std::size_t i = 0; i < levels_.size(); ++i) {
      variances_[i] = std::max(kLeastVariance, (kPriorLaunches * common_variance + squares_[i]) /
                                                   (kPriorLaunches + degrees_[i]));
    }
    moved_ = 0;
    for (Observation& each : observations_) {
      const double before = each.weight;
      each.weight =
          (kNoiseTails + 1) / (kNoiseTails + square_of(each) / variances_[each.candidate]);
      moved_ = std::max(moved_, std::abs(each.weight - before));
    }
    learn_precisions();
  }

  [[nodiscard]] Levels levels() const {
    std::vector<double> weights(levels_.size());
    for (const Observation& each : observations_) weights[each.candidate] += each.precision;
    Levels levels;
    for (std::size_t i = 0; i < levels_.size(); ++i) {
      // Fisher's information of a t distribution's centre is (v + 1) / (v + 3) of its scale's.
      levels.candidates.push_back({levels_[i], (kNoiseTails + 3) / (kNoiseTails + 1) / weights[i]});
    }
    const std::vector<double> known = known_effects();
    if (!known.empty()) levels.effect = estimate_median(known);
    levels.effect.count = static_cast<int>(effects_.size());
    return levels;
  }

 private:
  /// Of a launch that measured one candidate the effect can't be told from noise.
  [[nodiscard]] bool is_known(std::size_t launch) const {
    return measured_[launch] > 1 && telling_[launch] > 0;
  }
  [[nodiscard]] std::vector<double> known_effects() const {
    std::vector<double> known;
    for (std::size_t i = 0; i < effects_.size(); ++i) {
      if (is_known(i)) known.push_back(effects_[i]);
    }
    return known;
  }

  /// One step of expectation and maximisation: effects, and what is not known of them.
  void learn_effects_variance() {
    std::vector<double> weights(effects_.size(), effects_precision());
    for (const Observation& each : observations_) {
      if (each.tells) weights[each.launch] += each.precision;
    }
    double sum = 0;
    double count = 0;
    for (std::size_t i = 0; i < effects_.size(); ++i) {
      if (!is_known(i)) continue;
      kept_[i] = 1 - effects_precision() / weights[i];
      sum += effects_[i] * effects_[i] + 1 / weights[i];
      ++count;
    }
    effects_variance_ = count > 0 ? sum / count : 0;
  }

  [[nodiscard]] double effects_precision() const {
    return effects_variance_ > 0 ? 1 / effects_variance_ : 0;
  }

  void centre() {
    std::vector<double> known = known_effects();
    const double middle = known.empty() ? 0 : median(std::move(known));
    for (std::size_t i = 0; i < effects_.size(); ++i) {
      effects_[i] = is_known(i) ? effects_[i] - middle : 0;
    }
  }

  /// Of the noise, to which an effect adds that is not known.
  [[nodiscard]] double variance_of(const Observation& each) const {
    return variances_[each.candidate] + (is_known(each.launch) ? 0 : effects_variance_);
  }
  void learn_precisions() {
    for (Observation& each : observations_) each.precision = each.weight / variance_of(each);
  }

  /// The squared residual, as large as the noise's: of k candidates the effect of their launch
  /// takes a k-th of it.
  [[nodiscard]] double square_of(const Observation& each) const {
    const double candidates = telling_[each.launch];
    const double share = is_known(each.launch) && candidates > 1
                             ? 1 - kept_[each.launch] / candidates
                             : variance_of(each) / variances_[each.candidate];
    const double residual = each.log - levels_[each.candidate] - effects_[each.launch];
    return residual * residual / share;
  }

  /// One side of the sum, given the other: the weighted mean of what that leaves.
  /// @param only  observations that count; null: all
  /// @param precision  with which it is known to be around 0 beforehand
  void fit(std::vector<double>& side, std::size_t Observation::* index,
           const std::vector<double>& other, std::size_t Observation::* other_index,
           bool Observation::* only = nullptr, double precision = 0) {
    std::vector<double> sums(side.size());
    std::vector<double> weights(side.size(), precision);
    for (const Observation& each : observations_) {
      if (only != nullptr && !(each.*only)) continue;
      sums[each.*index] += each.precision * (each.log - other[each.*other_index]);
      weights[each.*index] += each.precision;
    }
    for (std::size_t i = 0; i < side.size(); ++i) {
      if (weights[i] > 0) side[i] = sums[i] / weights[i];
    }
  }

  std::vector<double> levels_;
  std::vector<double> effects_;
  std::vector<int> measured_;  ///< candidates of each launch
  std::vector<int> telling_;   ///< of these, those of several launches
  std::vector<double> kept_;   ///< of each effect, where the rest is drawn towards 0
  std::vector<double> variances_;
  std::vector<double> squares_;  ///< of each candidate's residuals, weighted
  std::vector<double> degrees_;  ///< of freedom, of these
  std::vector<double> own_variances_;
  double effects_variance_ = 0;
  double moved_ = 1;  ///< of the weights the most
  std::vector<Observation> observations_;
};

double common_variance(const std::vector<Problem>& problems) {
  std::vector<double> own;
  for (const Problem& problem : problems) {
    own.insert(own.end(), problem.own_variances().begin(), problem.own_variances().end());
  }
  return own.empty() ? kUnknownVariance : median(std::move(own));
}

}  // namespace

std::vector<Levels> fit_levels(std::span<const std::vector<const CaseTimes*>> problems) {
  constexpr int kMostIterations = 25;
  std::vector<Problem> fits(problems.begin(), problems.end());
  for (int iteration = 0; iteration < kMostIterations; ++iteration) {
    for (Problem& fit : fits) {
      if (fit.still()) continue;
      fit.fit();
      fit.learn_spread();
    }
    const double common = common_variance(fits);
    for (Problem& fit : fits) {
      if (!fit.still()) fit.reweigh(common);
    }
  }
  std::vector<Levels> levels;
  for (const Problem& fit : fits) levels.push_back(fit.levels());
  return levels;
}

}  // namespace breakeven::stats
