// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "core/launch.hpp"
#include "guidelines/comparison.hpp"

namespace breakeven::guidelines {

/// The machine in an earlier database.
struct Baseline {
  std::span<const Measurement> measurements{};  ///< empty: there is none
  std::span<const Launch> launches{};           ///< those that made them, for their calibrations
};

/// Times of the machine without collectives divided by those in the baseline: medians over
/// launches. Probes that one side lacks are left out; simulated and model machines have none.
class Drift {
 public:
  Drift() = default;
  Drift(std::span<const Launch> now, std::span<const Launch> before);

  /// The drift of processors and memory: the larger of arithmetic and copies.
  [[nodiscard]] double machine() const;
  /// Whether they changed too much, up or down, to compare corrected times.
  [[nodiscard]] bool too_large() const;
  /// The largest drift of the ping-pongs, corrected for the machine's.
  [[nodiscard]] double transport() const;
  /// "arithmetic 1.02, memory copy 0.99, ping-pong of 8 B on a node 1.31 times"; empty: unknown.
  [[nodiscard]] std::string text() const;
  [[nodiscard]] const std::map<Probe, double>& factors() const { return factors_; }

 private:
  std::map<Probe, double> factors_{};
};
/// By layout, since ranks that share cores calibrate more slowly.
using Drifts = std::map<NodeLayout, Drift>;

[[nodiscard]] Drifts drifts_since(std::span<const Launch> now, std::span<const Launch> before);

/// The library's own collectives take no longer than in the baseline, corrected for the machine's
/// drift, but never for a change that all collectives share: it may be the library's own.
[[nodiscard]] std::vector<Comparison> by_baseline(const Problems& problems, const Problems& before,
                                                  const Drifts& drifts);

/// Why a difference of this ratio from the baseline is not the library's; empty: no other cause
/// was measured.
[[nodiscard]] std::string other_cause(const Comparison& comparison, double ratio, double tolerance,
                                      const Drifts& drifts);

/// How the machine differs from what it was: "processor: A, was B". Names the library's build,
/// processor, settings and kernels.
[[nodiscard]] std::vector<std::string> differences(const Machine& now,
                                                   std::span<const Launch> launches,
                                                   const Machine& before,
                                                   std::span<const Launch> launches_before);

}  // namespace breakeven::guidelines
