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
#include "harness/protocol/protocol.hpp"
#include "sim/machine_file.hpp"
#include "stats/noise.hpp"

namespace breakeven::plan {

/// A machine that exists as a formula: cases on it cost what the model says, with seeded noise if
/// wanted, so that all that follows measuring can be tested against a known truth.
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
/// @throws UsageError naming the part that is wrong and what is possible.
[[nodiscard]] Model parse_model(std::string_view machine);

/// The name in one spelling, so that the same model is the same machine. Of a machine file
/// "NAME.toml".
[[nodiscard]] std::string to_text(const Model& model);

/// Tells machine files of one name apart; empty where the name tells all.
[[nodiscard]] std::string identity_of(const Model& model);

/// Measures cases on a model. Remembers schedules and exact times between calls.
class ModelMachine {
 public:
  explicit ModelMachine(const Model& model);
  ~ModelMachine();
  ModelMachine(const ModelMachine&) = delete;
  ModelMachine& operator=(const ModelMachine&) = delete;

  /// What the model says, without noise.
  [[nodiscard]] Seconds exact_time(const Case& what);
  /// What another model says of the same schedules.
  [[nodiscard]] Seconds time_on(const sim::Machine& machine, const Case& what);

  /// `repetitions` samples of a launch, in seconds. The same model, case and repeat give the same
  /// ones, in whatever order they are asked for.
  [[nodiscard]] std::vector<double> samples(const Case& what, int repeat, int repetitions);

  /// Measures the candidates of one problem as a worker does, each as long as the plan wants.
  [[nodiscard]] std::vector<protocol::CaseDone> measure(const protocol::MeasureRequest& request,
                                                        int repeat);

 private:
  class Exchanges;
  Model model_;
  std::map<Case, Seconds> exact_;
  std::unique_ptr<Exchanges> exchanges_;
};

}  // namespace breakeven::plan
