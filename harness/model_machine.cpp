// SPDX-License-Identifier: BSD-3-Clause
#include "harness/model_machine.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <numbers>
#include <optional>
#include <random>
#include <tuple>

#include "core/error.hpp"
#include "harness/shuffle.hpp"
#include "kernels/build.hpp"
#include "kernels/catalogue.hpp"
#include "kernels/exchange.hpp"

namespace breakeven {

namespace {

constexpr std::string_view kPrefix = "postal:";

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

/// FNV-1a: a number for a text that is the same on every platform.
std::uint64_t number_of(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325U;
  for (const char character : text) {
    hash = (hash ^ static_cast<unsigned char>(character)) * 0x100000001b3U;
  }
  return hash;
}

/// A standard normal deviate (Box-Muller): the same on every platform, unlike std's.
double normal(std::mt19937_64& generator) {
  const auto uniform = [&] { return (static_cast<double>(generator() >> 11U) + 1) * 0x1p-53; };
  const double radius = std::sqrt(-2 * std::log(uniform()));
  return radius * std::cos(2 * std::numbers::pi * uniform());
}

}  // namespace

bool is_model(std::string_view machine) { return machine.starts_with(kPrefix); }

Model parse_model(std::string_view machine) {
  const auto refuse = [&](std::string_view part) {
    throw UsageError(
        fmt::format("model '{}': can't read '{}'; possible: {}alpha=SECONDS,beta=SECONDS_PER_BYTE,"
                    "gamma=SECONDS_PER_BYTE[,noise=FRACTION][,seed=NUMBER]",
                    machine, part, kPrefix));
  };
  std::map<std::string_view, std::string_view> values;
  std::string_view rest = machine.substr(std::min(kPrefix.size(), machine.size()));
  while (!rest.empty()) {
    const std::string_view part = rest.substr(0, rest.find(','));
    rest.remove_prefix(std::min(part.size() + 1, rest.size()));
    const std::size_t equals = part.find('=');
    if (equals == std::string_view::npos) refuse(part);
    if (!values.emplace(part.substr(0, equals), part.substr(equals + 1)).second) refuse(part);
  }
  Model model;
  const auto take = [&]<typename Number>(std::string_view key, bool needed, Number& into) {
    const auto found = values.find(key);
    if (found == values.end()) {
      if (needed) refuse(key);
      return;
    }
    const std::optional<Number> value = parse_number<Number>(found->second);
    if (!value) refuse(fmt::format("{}={}", key, found->second));
    into = *value;
    values.erase(found);
  };
  take("alpha", true, model.postal.alpha.value);
  take("beta", true, model.postal.beta_per_byte.value);
  take("gamma", true, model.postal.gamma_per_byte.value);
  take("noise", false, model.noise);
  take("seed", false, model.seed);
  if (!values.empty()) refuse(values.begin()->first);
  return model;
}

std::string to_text(const Model& model) {
  std::string text =
      fmt::format("{}alpha={},beta={},gamma={}", kPrefix, model.postal.alpha.value,
                  model.postal.beta_per_byte.value, model.postal.gamma_per_byte.value);
  if (model.noise > 0) text += fmt::format(",noise={},seed={}", model.noise, model.seed);
  return text;
}

/// The matched schedules of each algorithm, process count and root that was asked for.
class ModelMachine::Exchanges {
 public:
  const Exchange& of(const Case& what, const Problem& problem) {
    const auto key = std::tuple{what.collective, what.algorithm, what.procs, what.root};
    const auto found = exchanges_.find(key);
    if (found != exchanges_.end()) return found->second;
    const Algorithm& algorithm = find_algorithm(what.collective, what.algorithm);
    const std::vector<Schedule> world = world_of(algorithm, problem_of(what));
    return exchanges_.emplace(key, make_exchange(problem, world)).first->second;
  }

 private:
  std::map<std::tuple<Collective, std::string, int, Rank>, Exchange> exchanges_;
};

ModelMachine::ModelMachine(const Model& model)
    : model_{model}, exchanges_{std::make_unique<Exchanges>()} {}

ModelMachine::~ModelMachine() = default;

std::vector<Seconds> ModelMachine::samples(const Case& what, int repeat, int repetitions) {
  auto exact = exact_.find(what);
  if (exact == exact_.end()) {
    const Problem problem{
        .collective = what.collective, .procs = what.procs, .me = {}, .root = what.root};
    const CollectiveCall call{.problem = problem,
                              .count = what.message.value / extent(what.datatype).value,
                              .datatype = what.datatype,
                              .op = what.op};
    const Seconds time = finish_time(exchanges_->of(what, problem), call, model_.postal);
    exact = exact_.emplace(what, time).first;
  }
  if (model_.noise == 0) return {exact->second};

  std::mt19937_64 generator{
      mixed_seed(model_.seed, number_of(to_text(what)), static_cast<std::uint64_t>(repeat))};
  std::vector<Seconds> samples(static_cast<std::size_t>(repetitions));
  for (Seconds& sample : samples) {
    sample.value = exact->second.value * std::exp(model_.noise * normal(generator));
  }
  return samples;
}

}  // namespace breakeven
