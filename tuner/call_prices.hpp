// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "tuner/program_forecast.hpp"

namespace breakeven::tuner {

inline constexpr std::size_t kDraws = 1000;

/// The cost of a call that begins on all ranks together.
struct Cost {
  double time_s = 0;
  std::vector<double> draws_s{};  ///< empty where nothing varies
  kernels::Instance messages{};   ///< of a call by this algorithm

  [[nodiscard]] double draw(std::size_t i) const {
    return draws_s.empty() ? time_s : draws_s[i % draws_s.size()];
  }
};

/// The calls of a use, and their costs now and then.
struct Priced {
  tables::Use profiled{};
  CallForecast calls{};
  Cost now{};
  Cost then{};
};

/// Prices the uses of one program: see forecast().
class CallPrices {
 public:
  CallPrices(const tables::Profile& profile, const ProgramChoices& choices,
             const sim::MachineDescription& machine, const std::optional<NodeLayout>& grown)
      : profile_{profile}, choices_{choices}, machine_{machine}, grown_{grown} {}

  /// Whether the machine is the profile's, so that its times hold.
  [[nodiscard]] bool here() const {
    return machine_.origin.library_version == profile_.library_version &&
           machine_.origin.processor == profile_.cpu;
  }
  /// @param seed  of the draws of a measured gain
  [[nodiscard]] Priced of(const tables::Use& profiled, const tables::Amount& amount,
                          std::uint64_t seed) const;

 private:
  struct Costs {
    Cost now{};
    Cost then{};
  };
  [[nodiscard]] std::optional<Costs> predicted(const tables::Use& use, const Variant& choice) const;
  [[nodiscard]] Cost at_growth(double measured_s, const Cost& then,
                               const tables::Use& profiled) const;
  [[nodiscard]] Cost measured(const tables::Use& use, const tables::Amount& amount) const;
  [[nodiscard]] const tables::Speedup* measured_gain(const tables::Use& use,
                                                     const Variant& choice) const;

  const tables::Profile& profile_;
  const ProgramChoices& choices_;
  const sim::MachineDescription& machine_;
  const std::optional<NodeLayout>& grown_;
};

}  // namespace breakeven::tuner
