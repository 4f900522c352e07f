// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>

namespace breakeven::worker {

/// The factor from a measured time to the allowed one. It grows after a block in which the allowed
/// time was too short for more than an eighth of the repetitions, two- to eightfold by the number
/// of lost ones: sooner or later it suffices, whatever the errors of measurement and clocks. It
/// creeps back while it suffices for all.
class Margin {
 public:
  [[nodiscard]] double factor() const { return factor_; }

  /// @param lost   repetitions of the block for which it was too small
  /// @param taken  repetitions of the block
  void learn(int lost, int taken) {
    if (8L * lost > taken) {
      factor_ *= std::clamp(static_cast<double>(taken) / std::max(1, taken - lost), 2.0, 8.0);
    } else if (lost == 0 && taken > 0) {
      factor_ = std::max(kLeast, 0.9 * factor_);
    }
  }

 private:
  static constexpr double kLeast = 2;
  double factor_ = kLeast;
};

}  // namespace breakeven::worker
