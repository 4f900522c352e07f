// SPDX-License-Identifier: BSD-3-Clause
#include "harness/plan/model_machine.hpp"

#include <numeric>
#include <span>

#include "harness/plan/order.hpp"
#include "harness/plan/sampling.hpp"

namespace breakeven::plan {

std::vector<double> ModelMachine::samples(const Case& what, int repeat, int repetitions) {
  const double exact = exact_time(what)->value;
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
