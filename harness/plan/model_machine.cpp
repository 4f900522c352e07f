// SPDX-License-Identifier: BSD-3-Clause
#include "harness/plan/model_machine.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <numeric>
#include <optional>

#include "core/error.hpp"
#include "harness/plan/sampling.hpp"
#include "harness/plan/shuffle.hpp"
#include "kernels/build.hpp"
#include "kernels/exchange.hpp"
#include "kernels/pattern.hpp"

namespace breakeven::plan {

namespace {

constexpr std::string_view kNoiseKeys =
    "[,noise=FRACTION][,spike_rate=PROBABILITY,spike_factor=FACTOR][,drift=FRACTION]"
    "[,autocorrelation=NUMBER][,launch_noise=FRACTION]";

template <typename Number>
std::optional<Number> parse_number(std::string_view text) {
  Number value{};
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (status != std::errc{} || end != text.data() + text.size() || !(value >= 0) ||
      !std::isfinite(static_cast<double>(value))) {
    return {};
  }
  return value;
}

}  // namespace

Model parse_model(std::string_view machine) {
  const auto refuse = [&](std::string_view part) {
    throw UsageError(fmt::format("model '{}': can't read '{}'; possible: {}{}[,seed=NUMBER]",
                                 machine, part, sim::form_of(machine.substr(0, machine.find(':'))),
                                 kNoiseKeys));
  };
  Model model;
  if (machine.ends_with(".toml")) {
    model.machine = sim::read_machine_file(machine);
    return model;
  }
  sim::ModelKeys values;
  const std::size_t colon = std::min(machine.find(':'), machine.size());
  std::string_view rest = machine.substr(std::min(colon + 1, machine.size()));
  while (!rest.empty()) {
    const std::string_view part = rest.substr(0, rest.find(','));
    rest.remove_prefix(std::min(part.size() + 1, rest.size()));
    const std::size_t equals = part.find('=');
    if (equals == std::string_view::npos) refuse(part);
    const std::string_view key = part.substr(0, equals);
    if (key == "seed") {
      const auto seed = parse_number<std::uint64_t>(part.substr(equals + 1));
      if (!seed) refuse(part);
      model.seed = *seed;
      continue;
    }
    const auto value = parse_number<double>(part.substr(equals + 1));
    if (!value || !values.emplace(key, *value).second) refuse(part);
  }
  model.machine.general = {.machine = sim::parameters_of(machine.substr(0, colon), values)};
  const auto take = [&](std::string_view key, double& into) {
    const auto found = values.extract(key);
    if (!found.empty()) into = found.mapped();
  };
  take("noise", model.noise.log_sd);
  take("spike_rate", model.noise.spike_rate);
  take("spike_factor", model.noise.spike_factor);
  take("drift", model.noise.drift);
  take("autocorrelation", model.noise.autocorrelation);
  take("launch_noise", model.launch_noise);
  if (!values.empty()) refuse(values.begin()->first);
  return model;
}

std::string to_text(const Model& model) {
  if (!model.machine.name.empty()) return model.machine.name + ".toml";
  std::string text = sim::to_text(model.machine.general.machine);
  if (model.exact()) return text;
  const auto append = [&](std::string_view key, double value, double none) {
    if (value != none) text += fmt::format(",{}={}", key, value);
  };
  append("noise", model.noise.log_sd, 0);
  append("spike_rate", model.noise.spike_rate, 0);
  append("spike_factor", model.noise.spike_factor, 1);
  append("drift", model.noise.drift, 0);
  append("autocorrelation", model.noise.autocorrelation, 0);
  append("launch_noise", model.launch_noise, 0);
  text += fmt::format(",seed={}", model.seed);
  return text;
}

std::string identity_of(const Model& model) {
  if (model.machine.name.empty()) return {};
  sim::MachineDescription parameters = model.machine;
  parameters.origin = {};
  return fmt::format("parameters {:016x}", number_of(sim::to_toml(parameters)));
}

/// The matched schedules of each algorithm with its parameters, placement and root that was asked
/// for: of all in a case that a schedule depends on.
class ModelMachine::Exchanges {
 public:
  const kernels::Exchange& of(const Case& what, const kernels::Problem& problem) {
    const Case key = kernels::without_data(what);
    const auto found = exchanges_.find(key);
    if (found != exchanges_.end()) return found->second;
    return exchanges_.emplace(key, kernels::exchange_of(kernels::algorithm_of(what), problem))
        .first->second;
  }

 private:
  std::map<Case, kernels::Exchange> exchanges_;
};

ModelMachine::ModelMachine(const Model& model)
    : model_{model}, exchanges_{std::make_unique<Exchanges>()} {}

ModelMachine::~ModelMachine() = default;

Seconds ModelMachine::exact_time(const Case& what) {
  const auto found = exact_.find(what);
  if (found != exact_.end()) return found->second;
  const sim::Machine& machine = model_.machine.of(what.collective, what.algorithm).machine;
  return exact_.emplace(what, time_on(machine, what)).first->second;
}

Seconds ModelMachine::time_on(const sim::Machine& machine, const Case& what) {
  const kernels::Problem problem = kernels::problem_of(what);
  const kernels::CollectiveCall call{.problem = problem,
                                     .count = what.message.value / extent(what.datatype).value,
                                     .begins = kernels::begins_of(what, {}),
                                     .datatype = what.datatype,
                                     .op = what.op};
  return sim::finish_time(exchanges_->of(what, problem), call, machine);
}

std::vector<double> ModelMachine::samples(const Case& what, int repeat, int repetitions) {
  const double exact = exact_time(what).value;
  if (model_.exact()) return std::vector<double>(static_cast<std::size_t>(repetitions), exact);
  const std::uint64_t seed =
      mixed_seed(model_.seed, number_of(to_text(what)), static_cast<std::uint64_t>(repeat));
  const double launch =
      stats::noisy_factors({.log_sd = model_.launch_noise}, 1, mixed_seed(seed, 1, 0)).front();
  stats::Noise noise = model_.noise;
  if (mixed_seed(seed, 2, 0) % 2 == 0) noise.drift = 1 / (1 + noise.drift) - 1;
  std::vector<double> samples = stats::noisy_factors(noise, repetitions, seed);
  for (double& sample : samples) sample *= launch * exact;
  return samples;
}

std::vector<protocol::CaseDone> ModelMachine::measure(const protocol::MeasureRequest& request,
                                                      int repeat) {
  std::vector<std::vector<double>> series;
  for (const Case& what : request.cases) {
    series.push_back(
        samples(what, repeat, 2 * request.measure.repetitions + request.measure.batch));
  }
  std::vector<std::size_t> taken(series.size(), 0);
  protocol::MeasurePlan plan = request.measure;
  plan.min_time = {};  // a model has no phases
  Sampling sampling{plan, series.size(), request.seed};
  for (auto round = sampling.next_round(); !round.empty(); round = sampling.next_round()) {
    for (const Sampling::Block& block : round) {
      std::size_t& begin = taken[block.candidate];
      const std::span<const double> samples{series[block.candidate].data() + begin,
                                            static_cast<std::size_t>(block.repetitions)};
      begin += samples.size();
      sampling.add(block, samples, {std::accumulate(samples.begin(), samples.end(), 0.0)});
    }
  }
  std::vector<protocol::CaseDone> results;
  for (std::size_t i = 0; i < series.size(); ++i) {
    protocol::CaseDone& done =
        results.emplace_back(protocol::CaseDone{.id = request.first_id + static_cast<int>(i)});
    CaseResult& result = done.result;
    result.warmups = static_cast<int>(sampling.warmup(i));
    result.stop = *sampling.stop(i);
    double sum = 0;
    for (const double sample : sampling.samples(i)) {
      result.local.push_back({sample});
      sum += sample;
    }
    const Seconds mean{sum / static_cast<double>(result.local.size())};
    result.rank_means = RankMeans{mean, mean, mean};
  }
  return results;
}

}  // namespace breakeven::plan
