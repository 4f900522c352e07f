// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <limits>
#include <map>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "sim/models.hpp"
#include "sim/two_level.hpp"

namespace breakeven::sim {

/// A model and its parameters.
using Parameters = std::variant<Postal, Pipelining, LogP, LogGP, LogfP, TwoLevel>;

/// The parameters for messages, and for reductions at once, of up to a number of bytes.
struct Range {
  Parameters parameters{};
  double up_to_bytes = std::numeric_limits<double>::infinity();
};

/// A machine that is a model. Its parameters may depend on the message's size, because MPI
/// libraries send long messages by other protocols.
struct Machine {
  Machine() = default;
  /// Alike for all sizes.
  template <typename Model>
    requires std::is_constructible_v<Parameters, Model>
  Machine(Model model) : ranges{{.parameters = model}} {}

  /// Of one model, by ascending size; the last is without a limit.
  std::vector<Range> ranges = std::vector<Range>(1);

  [[nodiscard]] const Parameters& at(double bytes) const;
  /// By its name: "postal".
  [[nodiscard]] std::string_view model() const;
};

/// Whether a machine's name is that of a model: "postal:alpha=1e-6,..."; or of a machine file,
/// "FILE.toml" (sim/machine_file.hpp).
[[nodiscard]] bool is_model(std::string_view machine);

/// The parameters of a model behind its name, by key.
using ModelKeys = std::map<std::string_view, double>;

/// A model by its name and keys: seconds, seconds per byte, bytes, factors.
/// @param keys  all of them; those that are the model's are taken out
/// @throws UsageError naming the key that is missing and what is possible.
[[nodiscard]] Parameters parameters_of(std::string_view name, ModelKeys& keys);

/// The unit of a key's number.
inline constexpr std::string_view kSeconds = "SECONDS";
inline constexpr std::string_view kPerByte = "SECONDS_PER_BYTE";
inline constexpr std::string_view kFactor = "FACTOR";

struct ModelKey {
  std::string_view key;
  std::string_view unit;
  double value = 0;
  bool may_be_left_out = false;  ///< as its value is the one that it has where it isn't given
};

/// The other way round, in the order of the model.
[[nodiscard]] std::vector<ModelKey> keys_of(const Parameters& parameters);

/// Those of a model of which nothing is given.
/// @throws UsageError naming the models there are.
[[nodiscard]] std::vector<ModelKey> keys_of(std::string_view model);

[[nodiscard]] std::span<const std::string_view> model_names();

/// "postal:alpha=SECONDS,beta=SECONDS_PER_BYTE,...": the keys of a model; empty where there is
/// none.
[[nodiscard]] std::string form_of(std::string_view name);

/// In one spelling, so that the same model has one name: "postal:alpha=...", and of several ranges
/// "postal:alpha=...|8192|alpha=...", with the sizes where they end.
[[nodiscard]] std::string to_text(const Machine& machine);

/// How messages overlap on it; where they don't, of Postal and TwoLevel, only what reductions take.
[[nodiscard]] Overlap overlap_of(const Machine& machine);

/// When each message and reduction of an exchange begins and ends on the machine.
/// @throws UsageError where a model has no processors that noise could disturb.
[[nodiscard]] Trace trace(const kernels::Exchange& exchange, const kernels::CollectiveCall& call,
                          const Machine& machine, const Conditions& conditions = {});

/// When each rank is done, likewise.
[[nodiscard]] std::vector<Ticks> done_times(const kernels::Exchange& exchange,
                                            const kernels::CollectiveCall& call,
                                            const Machine& machine,
                                            const Conditions& conditions = {});

/// The time from the common start until the last rank is done.
[[nodiscard]] Seconds finish_time(const kernels::Exchange& exchange,
                                  const kernels::CollectiveCall& call, const Machine& machine);

}  // namespace breakeven::sim
