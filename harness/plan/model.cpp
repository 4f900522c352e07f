// SPDX-License-Identifier: BSD-3-Clause
#include "harness/plan/model.hpp"

#include <fmt/format.h>

#include <optional>

#include "core/error.hpp"
#include "core/fields.hpp"
#include "core/units.hpp"
#include "harness/plan/order.hpp"

namespace breakeven::plan {

namespace {

constexpr std::string_view kNoiseKeys =
    "[,noise=FRACTION][,spike_rate=PROBABILITY,spike_factor=FACTOR][,drift=FRACTION]"
    "[,autocorrelation=NUMBER][,launch_noise=FRACTION]";

constexpr std::tuple kNoise{Field<&Model::noise, &stats::Noise::log_sd>{.name = "noise"},
                            Field<&Model::noise, &stats::Noise::spike_rate>{},
                            Field<&Model::noise, &stats::Noise::spike_factor>{},
                            Field<&Model::noise, &stats::Noise::drift>{},
                            Field<&Model::noise, &stats::Noise::autocorrelation>{},
                            Field<&Model::launch_noise>{}};

}  // namespace

Model parse_model(std::string_view machine) {
  const auto refuse = [&](std::string_view part) {
    throw UsageError(fmt::format("model '{}': can't read '{}'; possible: {}{}[,seed=NUMBER]",
                                 machine, part, sim::form_of(machine.substr(0, machine.find(':'))),
                                 kNoiseKeys));
  };
  if (machine.ends_with(".toml")) return {.machine = sim::read_machine_file(machine)};
  Model model;
  sim::ModelKeys values;
  const std::size_t colon = std::min(machine.find(':'), machine.size());
  std::string_view rest = machine.substr(std::min(colon + 1, machine.size()));
  while (!rest.empty()) {
    const std::string_view part = take_part(rest, ',');
    const std::size_t equals = part.find('=');
    if (equals == std::string_view::npos) refuse(part);
    const std::string_view key = part.substr(0, equals);
    if (key == "seed") {
      const auto seed = number_in<std::uint64_t>(part.substr(equals + 1));
      if (!seed) refuse(part);
      model.seed = *seed;
      continue;
    }
    const auto value = number_in(part.substr(equals + 1), 0.0);
    if (!value || !values.emplace(key, *value).second) refuse(part);
  }
  model.machine.general = {.machine = sim::parameters_of(machine.substr(0, colon), values)};
  for_each_field(kNoise, [&]<typename F>(const F& field) {
    const auto found = values.extract(field.name);
    if (!found.empty()) F::set(model, found.mapped());
  });
  if (!values.empty()) refuse(values.begin()->first);
  return model;
}

std::string to_text(const Model& model) {
  static const Model kExact;
  if (!model.machine.name.empty()) return model.machine.name + ".toml";
  std::string text = sim::to_text(model.machine.general.machine);
  if (model.exact()) return text;
  for_each_field(kNoise, [&]<typename F>(const F& field) {
    if (F::get(model) == F::get(kExact)) return;
    text += fmt::format(",{}={}", field.name, F::get(model));
  });
  return fmt::format("{},seed={}", text, model.seed);
}

std::string identity_of(const Model& model) {
  if (model.machine.name.empty()) return {};
  sim::MachineDescription parameters = model.machine;
  parameters.origin = {};
  parameters.errors = {};  // change no time
  return fmt::format("parameters {:016x}", number_of(sim::to_toml(parameters)));
}

sim::MachineDescription parse_exact_model(std::string_view text) {
  Model model;
  if (text.find('\n') != std::string_view::npos) {
    model.machine = sim::parse_machine(text, "the machine file");
  } else {
    model = parse_model(text);
  }
  if (!model.exact()) {
    throw UsageError(fmt::format("model '{}': a time that is computed has no noise", text));
  }
  return model.machine;
}

std::string content_of(const std::string& asked) {
  return asked.ends_with(".toml") ? sim::to_toml(sim::read_machine_file(asked)) : asked;
}

}  // namespace breakeven::plan
