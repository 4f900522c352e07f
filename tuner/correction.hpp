// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "core/prediction.hpp"
#include "tuner/contest.hpp"

namespace breakeven::tuner {

/// A model's predictions, corrected by the cases that are measured already.
///
///     log(measured / predicted) = effect of the problem + correction of the algorithm + error
///
/// The effect is common to all candidates of a problem, so that it does not change which is the
/// fastest. The correction of an algorithm at a size and p is a weighted mean of its errors
/// elsewhere: the weight halves with each 4 doublings of the size, each doubling of nodes and
/// each half doubling of the processes per node; other parameters of the same algorithm have a
/// quarter, and half an observation says that there is nothing to correct. Processes that take
/// turns on cores tell nothing of others that do not. Effect and correction are fitted in turn
/// (backfitting); an effect is the median over the candidates.
///
/// An error is that of a measured case, corrected by all others alone. Only errors of one sign
/// could hide a fast candidate: their spread is the root of twice the mean square of the errors of
/// candidates that were faster than predicted, all others counting as none. It is weighted as
/// corrections are, over all algorithms, and starts from 20 % in four observations.
class Correction {
 public:
  static constexpr double kUsualSpread = 0.2;  ///< of errors, as long as none is known

  /// @param without  the p whose measurements are not to be known
  Correction(const Predictions& predictions, const Contests& contests,
             std::optional<int> without = {});

  /// The logarithm of the seconds that a predicted case takes; nothing where it is not predicted.
  /// Where its problem was measured, it is comparable with `Candidate::own_log_time` there.
  [[nodiscard]] std::optional<double> log_time(const Case& what) const;
  /// The standard deviation of errors around a problem, as a logarithm.
  [[nodiscard]] double spread(const Case& problem) const;

 private:
  /// Where an observation was made.
  struct Place {
    double size = 0;  ///< in doublings, as all
    double nodes = 0;
    double procs_per_node = 0;
  };
  struct Observation {
    std::string params{};
    Place place{};
    Case problem{};
    double log_ratio = 0;  ///< measured / predicted
    double correction = 0;
  };
  struct Error {
    Place place{};
    double value = 0;
  };
  /// Kinds of problems and of algorithms whose observations tell of each other.
  using Kind = std::tuple<Collective, Mapping, Counts, bool>;  ///< whether oversubscribed
  using Algorithm = std::pair<Kind, std::string>;

  [[nodiscard]] static Place place_in(const Case& what);
  [[nodiscard]] Kind kind_of(const Case& what) const;
  [[nodiscard]] static double weight(const Place& one, const Place& other);
  [[nodiscard]] double correction(const std::vector<Observation>& of_algorithm,
                                  std::string_view params, const Place& place,
                                  const Observation* without = nullptr) const;
  [[nodiscard]] double effect(const Case& problem) const;
  void fit();

  const Predictions& predictions_;
  std::set<NodeLayout> oversubscribed_{};
  std::map<Algorithm, std::vector<Observation>> observations_{};
  std::map<Case, double> effects_{};  ///< of the measured problems
  std::map<Kind, std::vector<Error>> errors_{};
};

}  // namespace breakeven::tuner
