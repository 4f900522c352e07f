// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "kernels/exchange.hpp"
#include "sim/machine_file.hpp"

namespace breakeven::sim {

/// The measured times of a pattern (kernels/pattern.hpp) or an algorithm.
struct Observed {
  Case what{};
  /// The median of each launch, in the same order for all; NaN where it wasn't measured.
  std::vector<double> by_launch_s{};
};

/// A model as it fits best.
struct FittedModel {
  FittedMachine machine{};
  std::vector<double>
      differences{};  ///< (predicted - observed) / observed, of each pattern, in order
  [[nodiscard]] double median_difference() const;  ///< of their absolute values
};

/// How a model predicts an algorithm that was measured too.
struct FittedAlgorithm {
  Case what{};            ///< of its first size
  double difference = 0;  ///< median of |predicted - observed| / observed, with general parameters
  double held_out = 0;    ///< the same of every other size, with its own fitted to the rest
  bool has_own = false;   ///< whether they are better
  std::vector<ModelResidual> residuals{};  ///< of each size, by what was not fitted to it
  FittedMachine machine{};                 ///< with them
};

/// Fits models to patterns. Predictions are those that the engines make of the patterns' schedules,
/// so that a parameter means the same in a fit and in a prediction.
class Fitting {
 public:
  /// @throws UsageError when something isn't measured in any launch, or no ping_pong is there.
  explicit Fitting(std::vector<Observed> observed);

  /// Where ranges of message sizes end, but for the last: the sizes up to which a ping-pong's time
  /// lies on one line. A further range must lower the lines' mean relative difference by a third,
  /// and that must be above 2 %; each has three sizes at least, and there are four at most.
  [[nodiscard]] std::vector<double> range_ends() const;

  /// In each range the parameters with the least relative differences, see LeastSquares; those of
  /// reductions are relative to their own time and that of a message of their size together.
  /// Replicates come of whole launches, drawn with replacement: with fewer than three there are
  /// none.
  /// @param ends  as range_ends() has them
  [[nodiscard]] FittedModel fit(std::string_view model, std::span<const double> ends,
                                std::uint64_t seed = 1) const;

  /// By how much launches differ as a whole: the standard deviation of the logarithm of the median
  /// pattern's or algorithm's time, relative to the median launch. 0 of one launch.
  [[nodiscard]] double launch_deviation() const;

  /// Parameters of their own for the algorithms that were observed: the general ones, with times
  /// and times per byte multiplied by a factor each in each range. They stand where they halve the
  /// difference of sizes that they were not fitted to.
  /// @param seed  as that of the fit, whose launches replicates then have
  [[nodiscard]] std::vector<FittedAlgorithm> fit_algorithms(const FittedMachine& general,
                                                            std::uint64_t seed = 1) const;

 private:
  struct Pattern {
    Case what{};
    /// Of its schedules; or with fewer repetitions, then with still fewer.
    std::vector<kernels::Exchange> exchanges{};
    kernels::CollectiveCall call{};
    std::vector<double> by_launch_s{};
    double time_s = 0;   ///< the median over launches
    double added_s = 0;  ///< its difference is relative to the sum of both

    [[nodiscard]] double time_on(const Machine& machine) const;
    /// From the measured time, relatively: in all launches, or in some.
    [[nodiscard]] double difference(double predicted_s) const;
    [[nodiscard]] double difference(double predicted_s,
                                    std::span<const std::size_t> launches) const;
  };
  struct RangeFit;
  struct Sizes;

  [[nodiscard]] RangeFit fit_range(std::string_view model, double above, double up_to) const;
  [[nodiscard]] std::vector<double> one_way_times(std::vector<double>& bytes) const;

  [[nodiscard]] FittedAlgorithm fit_algorithm(std::span<const Pattern> sizes,
                                              const FittedMachine& general,
                                              std::uint64_t seed) const;

  std::vector<Pattern> patterns_{};
  std::vector<Pattern> algorithms_{};
  std::size_t launches_ = 0;
};

}  // namespace breakeven::sim
