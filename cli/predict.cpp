// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <random>

#include "cli/command.hpp"
#include "cli/model_option.hpp"
#include "cli/schedule.hpp"
#include "cli/setting_text.hpp"
#include "core/error.hpp"
#include "kernels/build.hpp"
#include "kernels/exchange.hpp"
#include "sim/uniform.hpp"

namespace breakeven::cli::predict_command {

namespace {

/// Messages and local steps that a minute is enough for.
constexpr std::size_t kMostSteps = std::size_t{1} << 27U;

struct Options {
  std::string what;
  std::string procs;
  std::string bytes = "8:1M";
  std::string machine;
  double skew_s = 0;
  std::string format = "text";
};

struct Predicted {
  std::string variant;
  Seconds time{};
};

/// What was asked for, or all of the collective without parameters; those that run at p.
std::vector<Named> asked(const std::string& what, int procs) {
  if (what.find('/') != std::string::npos) return {named(what, {})};
  const Collective collective = kCollectives.parse(what);
  std::vector<Named> all;
  for (const kernels::Algorithm* const each : kernels::catalogue(collective)) {
    if (!kernels::runs(*each, {.collective = collective, .procs = procs})) continue;
    all.push_back({.collective = collective, .algorithm = each, .params = {}});
  }
  if (all.empty()) throw UsageError(fmt::format("{} has no schedules", what));
  return all;
}

/// When each rank begins: spread over the skew by a seeded generator. Empty: all together.
std::vector<sim::Ticks> starts_of(double skew_s, int procs) {
  if (skew_s == 0) return {};
  std::mt19937_64 random{1};
  const sim::Ticks most = sim::ticks_of({skew_s});
  std::vector<sim::Ticks> starts(static_cast<std::size_t>(procs));
  for (sim::Ticks& each : starts) {
    each = static_cast<sim::Ticks>(random() % static_cast<std::uint64_t>(most + 1));
  }
  return starts;
}

/// An algorithm at one p, with what all sizes share.
class Simulated {
 public:
  Simulated(const Named& what, int procs, std::vector<sim::Ticks> starts)
      : problem_{.collective = what.collective, .procs = procs, .params = what.params},
        algorithm_{*what.algorithm},
        starts_{std::move(starts)} {
    kernels::require_runs(algorithm_, problem_);
    uniform_ = sim::uniform_of(algorithm_, problem_);
  }

  Seconds time(Bytes size, const sim::Machine& machine) {
    const kernels::CollectiveCall call{
        .problem = problem_, .count = size.value, .datatype = Datatype::byte};
    if (!uniform_ || !sim::are_alike(*uniform_, call, machine)) {
      return sim::seconds_of(
          std::ranges::max(sim::done_times(exchange(), call, machine, {.starts = starts_})));
    }
    if (starts_.empty()) return sim::finish_time(*uniform_, call, machine);
    return sim::seconds_of(std::ranges::max(sim::done_times(*uniform_, call, machine, starts_)));
  }

 private:
  const kernels::Exchange& exchange() {
    if (exchange_) return *exchange_;
    const std::size_t steps = kernels::count_steps(kernels::build_schedule(algorithm_, problem_)) *
                              static_cast<std::size_t>(problem_.procs);
    if (steps > kMostSteps) {
      throw UsageError(fmt::format(
          "{}/{} at p = {} has about {} steps, more than the {} that are simulated; name other "
          "algorithms, fewer processes, or a message that p divides",
          kCollectives.of(problem_.collective), algorithm_.name, problem_.procs, steps,
          kMostSteps));
    }
    return exchange_.emplace(kernels::exchange_of(algorithm_, problem_));
  }

  kernels::Problem problem_;
  const kernels::Algorithm& algorithm_;
  std::vector<sim::Ticks> starts_;
  std::optional<sim::Uniform> uniform_{};
  std::optional<kernels::Exchange> exchange_{};
};

/// The times of each algorithm, by size.
std::vector<std::vector<Predicted>> predicted(const Options& options, int procs,
                                              std::span<const Bytes> sizes,
                                              const sim::MachineDescription& machine) {
  std::vector<std::vector<Predicted>> times(sizes.size());
  for (const Named& each : asked(options.what, procs)) {
    Simulated simulated{each, procs, starts_of(options.skew_s, procs)};
    const std::string variant = to_text(kernels::Variant{each.algorithm, each.params});
    const sim::FittedMachine& fitted = machine.of(each.collective, each.algorithm->name);
    for (std::size_t i = 0; i < sizes.size(); ++i) {
      times[i].push_back({variant, simulated.time(sizes[i], fitted.machine)});
    }
  }
  for (std::vector<Predicted>& size : times) {
    std::ranges::stable_sort(size, {}, [](const Predicted& each) { return each.time.value; });
  }
  return times;
}

void print_text(int procs, Bytes size, std::span<const Predicted> times) {
  const Predicted& first = times.front();
  fmt::print("{:>7}  {:>8}  {:>9}  {:<28}", procs, to_text(size), to_text(first.time),
             first.variant);
  if (times.size() > 1) {
    fmt::print("  {:.2f} {}", times[1].time.value / first.time.value, times[1].variant);
  }
  fmt::print("\n");
}

nlohmann::ordered_json to_json(int procs, Bytes size, std::span<const Predicted> times) {
  auto all = nlohmann::ordered_json::array();
  for (const Predicted& each : times) {
    all.push_back({{"algorithm", each.variant}, {"time_s", each.time.value}});
  }
  return {{"procs", procs}, {"message_bytes", size.value}, {"times", all}};
}

int run(const Options& options) {
  if (options.format != "text" && options.format != "json") {
    throw UsageError(fmt::format("no format '{}'; known: text json", options.format));
  }
  const sim::MachineDescription machine = model_of(options.machine);
  const auto sizes = read(options.bytes, std::type_identity<std::vector<Bytes>>{});
  auto cells = nlohmann::ordered_json::array();
  const bool text = options.format == "text";
  if (text) {
    fmt::print("{} on {}\n\n{:>7}  {:>8}  {:>9}  {:<28}  next, times as long\n", options.what,
               machine.name, "p", "message", "time", "fastest");
  }
  for (const int procs : read(options.procs, std::type_identity<std::vector<int>>{})) {
    const auto times = predicted(options, procs, sizes, machine);
    for (std::size_t i = 0; i < sizes.size(); ++i) {
      if (text) {
        print_text(procs, sizes[i], times[i]);
      } else {
        cells.push_back(to_json(procs, sizes[i], times[i]));
      }
    }
  }
  if (!text) {
    const nlohmann::ordered_json document{
        {"collective", options.what.substr(0, options.what.find('/'))},
        {"machine", machine.name},
        {"cells", cells}};
    fmt::print("{}\n", document.dump(2));
  }
  return 0;
}

std::function<int()> setup(CLI::App& app) {
  const auto options = std::make_shared<Options>();
  app.add_option("WHAT", options->what,
                 "COLLECTIVE, for all its algorithms; or COLLECTIVE/ALGORITHM[:KEY=VALUE,...]")
      ->required();
  app.add_option("--procs", options->procs, "process counts: 2,3,4 or 2..128")->required();
  app.add_option("--bytes", options->bytes, "message sizes: 8:1M or 8,4K [8:1M]");
  app.add_option("--machine", options->machine,
                 "a model, which `breakeven machines` lists, or a machine file, FILE.toml")
      ->required();
  app.add_option("--skew-s", options->skew_s,
                 "seconds within which the processes begin, each at a random time [0]")
      ->check(CLI::NonNegativeNumber);
  app.add_option("--format", options->format, "text, or json with the times of all [text]");
  return [options] { return run(*options); };
}

}  // namespace

const Command command{
    .name = "predict",
    .summary = "Predict which algorithm is fastest on a model machine, and its time",
    .examples = R"(
Examples:
  breakeven predict allreduce --procs 8,64,512 --machine postal:alpha=1e-6,beta=1e-9,gamma=1e-10
  breakeven predict bcast/binomial:segments=8 --procs 64 --bytes 1M \
      --machine loggp:L=2.5e-6,o=1.5e-6,g=1e-6,G=6e-9)",
    .setup = setup};

}  // namespace breakeven::cli::predict_command
