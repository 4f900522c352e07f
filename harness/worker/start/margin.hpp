// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>

namespace breakeven::worker {

/// How many times the time that something was measured to take is allowed for it. Grows after a
/// block in which that was too little for more than an eighth of the repetitions, two- to eightfold
/// as so many were lost: so it is enough sooner or later, whatever the measurement and the clocks
/// are worth. Creeps back while it is enough for all.
class Margin {
 public:
  [[nodiscard]] double factor() const { return factor_; }

  /// @param lost   repetitions of the block for which it was too little
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
