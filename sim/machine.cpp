// SPDX-License-Identifier: BSD-3-Clause
#include "sim/machine.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <vector>

#include "core/error.hpp"

namespace breakeven::sim {

namespace {

/// A parameter of a model: its key in the model's text.
struct Field {
  std::string_view key;
  std::string_view unit;
  double* value;
  bool optional = false;
};

constexpr std::string_view kSeconds = "SECONDS";
constexpr std::string_view kPerByte = "SECONDS_PER_BYTE";

std::vector<Field> fields_of(Postal& machine) {
  return {{"alpha", kSeconds, &machine.alpha.value},
          {"beta", kPerByte, &machine.beta_per_byte.value},
          {"gamma", kPerByte, &machine.gamma_per_byte.value},
          {"f_alpha", "FACTOR", &machine.f_alpha, true},
          {"f_beta", "FACTOR", &machine.f_beta, true}};
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

/// In the order of the variant.
constexpr std::array<std::string_view, std::variant_size_v<Machine>> kNames{
    "postal", "pipelining", "logp", "loggp", "logfp"};

template <std::size_t... Index>
std::array<Machine, sizeof...(Index)> each_machine(std::index_sequence<Index...>) {
  return {Machine{std::in_place_index<Index>}...};
}

/// One of each model, without parameters.
std::array<Machine, kNames.size()> each_machine() {
  return each_machine(std::make_index_sequence<kNames.size()>{});
}

std::vector<Field> fields_of(Machine& machine) {
  return std::visit([](auto& model) { return fields_of(model); }, machine);
}

}  // namespace

bool is_model(std::string_view machine) {
  return std::ranges::any_of(kNames, [&](std::string_view name) {
    return machine.starts_with(name) && machine.substr(name.size()).starts_with(':');
  });
}

Machine machine_of(std::string_view name, ModelKeys& keys) {
  for (Machine& machine : each_machine()) {
    if (kNames[machine.index()] != name) continue;
    for (const Field& field : fields_of(machine)) {
      const auto found = keys.find(field.key);
      if (found == keys.end() && field.optional) continue;
      if (found == keys.end()) {
        throw UsageError(
            fmt::format("model '{}' has no '{}'; possible: {}", name, field.key, form_of(name)));
      }
      *field.value = found->second;
      keys.erase(found);
    }
    return machine;
  }
  throw UsageError(fmt::format("no model '{}'; known: {}; `breakeven machines` lists their keys",
                               name, fmt::join(kNames, " ")));
}

std::string form_of(std::string_view name) {
  for (Machine& machine : each_machine()) {
    if (kNames[machine.index()] != name) continue;
    std::string text = fmt::format("{}:", name);
    for (const Field& field : fields_of(machine)) {
      const bool first = text.back() == ':';
      text += fmt::format("{}{}{}={}{}", field.optional ? "[" : "", first ? "" : ",", field.key,
                          field.unit, field.optional ? "]" : "");
    }
    return text;
  }
  return {};
}

std::span<const std::string_view> model_names() { return kNames; }

std::string to_text(const Machine& machine) {
  Machine copy = machine;
  Machine empty = each_machine()[machine.index()];
  const std::vector<Field> defaults = fields_of(empty);
  std::string text{kNames[machine.index()]};
  char separator = ':';
  std::size_t next = 0;
  for (const Field& field : fields_of(copy)) {
    const bool left_out = field.optional && *field.value == *defaults[next++].value;
    if (!field.optional) ++next;
    if (left_out) continue;
    text += fmt::format("{}{}={}", std::exchange(separator, ','), field.key, *field.value);
  }
  return text;
}

Overlap overlap_of(const Machine& machine) {
  return std::visit(
      []<typename Model>(const Model& model) {
        if constexpr (std::is_same_v<Model, Postal>) {
          return Overlap{.cost = {}, .gamma_per_byte = model.gamma_per_byte};
        } else {
          return overlap_of(model);
        }
      },
      machine);
}

Trace trace(const kernels::Exchange& exchange, const kernels::CollectiveCall& call,
            const Machine& machine, std::span<const Ticks> starts) {
  if (const auto* postal = std::get_if<Postal>(&machine)) {
    return run(exchange, call, ports_of(*postal, exchange, call), starts);
  }
  return run(exchange, call, overlap_of(machine), starts);
}

Seconds finish_time(const kernels::Exchange& exchange, const kernels::CollectiveCall& call,
                    const Machine& machine) {
  return seconds_of(trace(exchange, call, machine).end());
}

}  // namespace breakeven::sim
