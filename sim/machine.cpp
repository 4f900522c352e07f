// SPDX-License-Identifier: BSD-3-Clause
#include "sim/machine.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <cmath>
#include <functional>
#include <vector>

#include "core/error.hpp"
#include "core/unknown.hpp"

namespace breakeven::sim {

namespace {

/// A parameter of a model: its key in the model's text.
struct Field {
  std::string_view key;
  std::string_view unit;
  double* value;
  bool optional = false;
};

std::vector<Field> fields_of(Postal& machine) {
  return {{"alpha", kSeconds, &machine.alpha.value},
          {"beta", kPerByte, &machine.beta_per_byte.value},
          {"gamma", kPerByte, &machine.gamma_per_byte.value},
          {"f_alpha", kFactor, &machine.f_alpha, true},
          {"f_beta", kFactor, &machine.f_beta, true}};
}

std::vector<Field> fields_of(Pipelining& machine) {
  return {{"alpha_p", kSeconds, &machine.alpha_p.value},
          {"alpha_r", kSeconds, &machine.alpha_r.value},
          {"beta", kPerByte, &machine.beta_per_byte.value},
          {"gamma", kPerByte, &machine.gamma_per_byte.value},
          {"beta_p", kPerByte, &machine.latency_per_byte.value, true},
          {"first_is_free", "1", &machine.first_is_free, true},
          {"free_receives", "1", &machine.free_receives, true}};
}

std::vector<Field> fields_of(LogP& machine) {
  return {{"L", kSeconds, &machine.L.value},
          {"o", kSeconds, &machine.o.value},
          {"g", kSeconds, &machine.g.value},
          {"gamma", kPerByte, &machine.gamma_per_byte.value, true}};
}

std::vector<Field> fields_of(LogGP& machine) {
  return {{"L", kSeconds, &machine.L.value},
          {"o", kSeconds, &machine.o.value},
          {"g", kSeconds, &machine.g.value},
          {"G", kPerByte, &machine.G.value},
          {"O", kPerByte, &machine.O.value, true},
          {"S", "BYTES", &machine.S, true},
          {"per_receive", "1", &machine.per_receive, true},
          {"gamma", kPerByte, &machine.gamma_per_byte.value, true}};
}

std::vector<Field> fields_of(LogfP& machine) {
  return {{"L", kSeconds, &machine.L.value},
          {"o", kSeconds, &machine.o.value},
          {"g", kSeconds, &machine.g.value},
          {"f", "MESSAGES", &machine.f},
          {"gamma", kPerByte, &machine.gamma_per_byte.value, true}};
}

std::vector<Field> fields_of(TwoLevel& machine) {
  return {{"L_intra", kSeconds, &machine.latency_intra.value},
          {"L_inter", kSeconds, &machine.latency_inter.value},
          {"o", kSeconds, &machine.overhead.value},
          {"bus", kPerByte, &machine.bus_per_byte.value},
          {"card", kPerByte, &machine.card_per_byte.value},
          {"copy", kPerByte, &machine.copy_per_byte.value, true},
          {"S", "BYTES", &machine.S, true},
          {"gamma", kPerByte, &machine.gamma_per_byte.value, true}};
}

/// In the order of the variant.
constexpr std::array<std::string_view, std::variant_size_v<Parameters>> kNames{
    "postal", "pipelining", "logp", "loggp", "logfp", "two_level"};

template <std::size_t... Index>
std::array<Parameters, sizeof...(Index)> each_model(std::index_sequence<Index...>) {
  return {Parameters{std::in_place_index<Index>}...};
}

/// One of each model, without parameters.
std::array<Parameters, kNames.size()> each_model() {
  return each_model(std::make_index_sequence<kNames.size()>{});
}

std::vector<Field> fields_of(Parameters& parameters) {
  return std::visit([](auto& model) { return fields_of(model); }, parameters);
}

[[noreturn]] void refuse(std::string_view model) {
  throw UsageError(unknown("model", model, {kNames.begin(), kNames.end()}) +
                   "; `breakeven machines` lists their keys");
}

Overlap overlap_of(const Parameters& parameters) {
  return std::visit(
      []<typename Model>(const Model& model) {
        if constexpr (std::is_same_v<Model, Postal> || std::is_same_v<Model, TwoLevel>) {
          return Overlap{.cost = {}, .gamma = model.gamma_per_byte};
        } else {
          return overlap_of(model);
        }
      },
      parameters);
}

}  // namespace

const Parameters& Machine::at(double bytes) const {
  auto range = ranges.begin();
  while (bytes > range->up_to_bytes) ++range;
  return range->parameters;
}

std::string_view Machine::model() const { return kNames[ranges.front().parameters.index()]; }

bool is_model(std::string_view machine) {
  if (machine.ends_with(".toml")) return true;
  return std::ranges::any_of(kNames, [&](std::string_view name) {
    return machine.starts_with(name) && machine.substr(name.size()).starts_with(':');
  });
}

Parameters parameters_of(std::string_view name, ModelKeys& keys) {
  for (Parameters& parameters : each_model()) {
    if (kNames[parameters.index()] != name) continue;
    for (const Field& field : fields_of(parameters)) {
      const auto found = keys.find(field.key);
      if (found == keys.end() && field.optional) continue;
      if (found == keys.end()) {
        throw UsageError(
            fmt::format("model '{}' has no '{}'; possible: {}", name, field.key, form_of(name)));
      }
      *field.value = found->second;
      keys.erase(found);
    }
    return parameters;
  }
  refuse(name);
}

std::string form_of(std::string_view name) {
  for (Parameters& parameters : each_model()) {
    if (kNames[parameters.index()] != name) continue;
    std::string text = fmt::format("{}:", name);
    for (const Field& field : fields_of(parameters)) {
      const bool first = text.back() == ':';
      text += fmt::format("{}{}{}={}{}", field.optional ? "[" : "", first ? "" : ",", field.key,
                          field.unit, field.optional ? "]" : "");
    }
    return text;
  }
  return {};
}

std::span<const std::string_view> model_names() { return kNames; }

std::vector<ModelKey> keys_of(const Parameters& parameters) {
  Parameters copy = parameters;
  Parameters empty = each_model()[parameters.index()];
  const std::vector<Field> defaults = fields_of(empty);
  std::vector<ModelKey> keys;
  for (const Field& field : fields_of(copy)) {
    keys.push_back(
        {.key = field.key,
         .unit = field.unit,
         .value = *field.value,
         .may_be_left_out = field.optional && *field.value == *defaults[keys.size()].value});
  }
  return keys;
}

std::vector<ModelKey> keys_of(std::string_view model) {
  for (const Parameters& parameters : each_model()) {
    if (kNames[parameters.index()] == model) return keys_of(parameters);
  }
  refuse(model);
}

std::string to_text(const Machine& machine) {
  std::string text{machine.model()};
  char separator = ':';
  for (const Range& range : machine.ranges) {
    for (const ModelKey& each : keys_of(range.parameters)) {
      if (each.may_be_left_out) continue;
      text += fmt::format("{}{}={}", std::exchange(separator, ','), each.key, each.value);
    }
    if (std::isinf(range.up_to_bytes)) continue;
    text += fmt::format("|{}", range.up_to_bytes);
    separator = '|';
  }
  return text;
}

Overlap overlap_of(const Machine& machine) {
  Overlap all = overlap_of(machine.ranges.front().parameters);
  if (machine.ranges.size() == 1) return all;
  std::vector<std::pair<double, std::function<MessageCost(double)>>> costs;
  Gamma gamma;
  for (const Range& range : machine.ranges) {
    const Overlap overlap = overlap_of(range.parameters);
    costs.emplace_back(range.up_to_bytes, overlap.cost);
    gamma.ranges.emplace_back(range.up_to_bytes, overlap.gamma.ranges.front().second);
  }
  if (all.cost != nullptr) {
    all.cost = [costs](double bytes) {
      auto range = costs.begin();
      while (bytes > range->first) ++range;
      return range->second(bytes);
    };
  }
  all.gamma = gamma;
  return all;
}

namespace {

template <typename Model>
std::function<const Model&(double bytes)> by_size(const Machine& machine) {
  return [&machine](double bytes) -> const Model& { return std::get<Model>(machine.at(bytes)); };
}

std::vector<Ticks> run(const kernels::Exchange& exchange, const kernels::CollectiveCall& call,
                       const Machine& machine, const Conditions& conditions, Trace* trace) {
  const Parameters& model = machine.ranges.front().parameters;
  if (std::holds_alternative<TwoLevel>(model)) {
    return run(exchange, call, by_size<TwoLevel>(machine), conditions, trace);
  }
  const Overlap overlap = overlap_of(machine);
  if (std::holds_alternative<Postal>(model)) {
    if (!conditions.noise.none()) {
      throw UsageError("the postal model has no processors that noise disturbs; the others do");
    }
    return run(exchange, call, ports_of(by_size<Postal>(machine), overlap.gamma), conditions.starts,
               trace);
  }
  return run(exchange, call, overlap, conditions, trace);
}

}  // namespace

Trace trace(const kernels::Exchange& exchange, const kernels::CollectiveCall& call,
            const Machine& machine, const Conditions& conditions) {
  Trace trace{.messages = std::vector<Span>(exchange.transfers.size()),
              .reductions = std::vector<std::vector<Span>>(exchange.first_rounds.size()),
              .starts = conditions.starts};
  trace.starts.resize(exchange.first_rounds.size(), 0);
  trace.done = run(exchange, call, machine, conditions, &trace);
  return trace;
}

std::vector<Ticks> done_times(const kernels::Exchange& exchange,
                              const kernels::CollectiveCall& call, const Machine& machine,
                              const Conditions& conditions) {
  return run(exchange, call, machine, conditions, nullptr);
}

Seconds finish_time(const kernels::Exchange& exchange, const kernels::CollectiveCall& call,
                    const Machine& machine) {
  return seconds_of(std::ranges::max(done_times(exchange, call, machine)));
}

}  // namespace breakeven::sim
