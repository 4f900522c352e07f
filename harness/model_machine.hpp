// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/case.hpp"
#include "core/units.hpp"
#include "sim/postal.hpp"

namespace breakeven {

/// A machine that exists as a formula: cases on it cost what the model says, with seeded noise if
/// wanted, so that all that follows measuring can be tested against a known truth.
struct Model {
  Postal postal{};
  double noise = 0;        ///< standard deviation of the log of a sample; 0 gives the exact time
  std::uint64_t seed = 1;  ///< of the noise
};

/// Whether a machine's name asks for a model: "postal:...".
[[nodiscard]] bool is_model(std::string_view machine);

/// "postal:alpha=1e-6,beta=1e-9,gamma=1e-10[,noise=0.02][,seed=1]": seconds, seconds per byte sent,
/// seconds per byte reduced.
/// @throws UsageError naming the part that is wrong and what is possible.
[[nodiscard]] Model parse_model(std::string_view machine);

/// The name in one spelling, so that the same model is the same machine.
[[nodiscard]] std::string to_text(const Model& model);

/// Measures cases on a model. Remembers schedules and exact times between calls.
class ModelMachine {
 public:
  explicit ModelMachine(const Model& model);
  ~ModelMachine();
  ModelMachine(const ModelMachine&) = delete;
  ModelMachine& operator=(const ModelMachine&) = delete;

  /// What a launch would have measured: `repetitions` samples, or one when there is no noise. The
  /// same model, case and repeat give the same samples, in whatever order they are asked for.
  [[nodiscard]] std::vector<Seconds> samples(const Case& what, int repeat, int repetitions);

 private:
  class Exchanges;
  Model model_;
  std::map<Case, Seconds> exact_;
  std::unique_ptr<Exchanges> exchanges_;
};

}  // namespace breakeven
