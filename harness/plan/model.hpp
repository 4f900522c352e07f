// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "sim/machine_file.hpp"
#include "stats/noise.hpp"

namespace breakeven::plan {

/// A machine that exists as a formula: cases take the time of the model, with seeded noise if
/// wanted, so that all later steps can be tested against a known truth.
struct Model {
  sim::MachineDescription machine{};  ///< without a name where its parameters are given themselves
  stats::Noise noise{};  ///< of a sample; drift goes up in some launches and down in others
  double launch_noise =
      0;                   ///< of a case from launch to launch: standard deviation of its logarithm
  std::uint64_t seed = 1;  ///< of both
  /// Whether every sample is the formula's time.
  [[nodiscard]] bool exact() const { return noise == stats::Noise{} && launch_noise == 0; }
};

/// "postal:alpha=1e-6,beta=1e-9,gamma=1e-10[,noise=0.02][,seed=1]": as sim::parameters_of; the
/// members of Noise are further keys. Or a machine file, "FILE.toml".
/// @throws UsageError naming the wrong part and the possible ones.
[[nodiscard]] Model parse_model(std::string_view machine);

/// The name in one spelling, so that the same model is the same machine. Of a machine file
/// "NAME.toml".
[[nodiscard]] std::string to_text(const Model& model);

/// Tells machine files of one name apart; empty where the name tells all.
[[nodiscard]] std::string identity_of(const Model& model);

/// The machine of a model, of "FILE.toml", or of the content of such a file.
/// @throws UsageError naming the wrong part and the possible ones; noise is wrong, too.
[[nodiscard]] sim::MachineDescription parse_exact_model(std::string_view text);

/// A model's own text; of "FILE.toml" its content.
/// @throws UsageError naming the file's line and the possible keys.
[[nodiscard]] std::string content_of(const std::string& asked);

}  // namespace breakeven::plan
