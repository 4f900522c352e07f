// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <variant>

#include "sim/loggp.hpp"
#include "sim/logp.hpp"
#include "sim/pipelining.hpp"
#include "sim/postal.hpp"

namespace breakeven::sim {

/// A machine that is a model.
using Machine = std::variant<Postal, Pipelining, LogP, LogGP, LogfP>;

/// Whether a machine's name is that of a model: "postal:alpha=1e-6,...".
[[nodiscard]] bool is_model(std::string_view machine);

/// The parameters of a model behind its name, by key.
using ModelKeys = std::map<std::string_view, double>;

/// A model by its name and keys: seconds, seconds per byte, bytes, factors.
/// @param keys  all of them; those that are the machine's are taken out
/// @throws UsageError naming the key that is missing and what is possible.
[[nodiscard]] Machine machine_of(std::string_view name, ModelKeys& keys);

[[nodiscard]] std::span<const std::string_view> model_names();

/// "postal:alpha=SECONDS,beta=SECONDS_PER_BYTE,...": the keys of a model; empty where there is
/// none.
[[nodiscard]] std::string form_of(std::string_view name);

/// In one spelling, so that the same model has one name.
[[nodiscard]] std::string to_text(const Machine& machine);

/// How messages overlap on it; of Postal, where none do, only what reductions take.
[[nodiscard]] Overlap overlap_of(const Machine& machine);

/// What happens when on it.
/// @throws Error when ranks wait for each other for ever.
[[nodiscard]] Trace trace(const kernels::Exchange& exchange, const kernels::CollectiveCall& call,
                          const Machine& machine, std::span<const Ticks> starts = {});

/// The time from the common start until the last rank is done.
/// @throws Error when ranks wait for each other for ever.
[[nodiscard]] Seconds finish_time(const kernels::Exchange& exchange,
                                  const kernels::CollectiveCall& call, const Machine& machine);

}  // namespace breakeven::sim
