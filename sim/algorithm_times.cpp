// SPDX-License-Identifier: BSD-3-Clause
#include "sim/algorithm_times.hpp"

#include <algorithm>

#include "kernels/allreduce/algorithms.hpp"
#include "sim/closed_form.hpp"
#include "sim/twins.hpp"

namespace breakeven::sim {

namespace {

bool has_equal_blocks(const kernels::CollectiveCall& call, int blocks) {
  return kernels::longest_block(call, blocks) * blocks == block_begin(call, blocks, blocks);
}

/// The call with every block as long as the longest.
kernels::CollectiveCall rounded_up(kernels::CollectiveCall call, int blocks) {
  const int shares = counts_one_block(call.problem.collective) ? call.problem.procs : 1;
  call.count = kernels::longest_block(call, blocks) * std::max(blocks / shares, 1);
  call.begins.clear();
  return call;
}

}  // namespace

AlgorithmTimes::AlgorithmTimes(const kernels::Algorithm& algorithm, const kernels::Problem& problem,
                               std::size_t most_steps)
    : problem_{problem}, algorithm_{algorithm}, most_steps_{most_steps} {
  kernels::require_runs(algorithm_, problem_);
  if (algorithm_.formula != nullptr) formula_ = algorithm_.formula(problem_);
}

kernels::CollectiveCall AlgorithmTimes::call_of(Bytes message, Datatype datatype) const {
  return {
      .problem = problem_, .count = message.value / extent(datatype).value, .datatype = datatype};
}

/// None on a machine of two levels, where times depend on the ranks' nodes.
const kernels::Exchange* AlgorithmTimes::twins_on(const Machine& machine) {
  if (std::holds_alternative<TwoLevel>(machine.ranges.front().parameters)) return nullptr;
  if (!twins_) twins_ = twins_of(algorithm_, problem_);
  return *twins_ ? &**twins_ : nullptr;
}

/// A rank of a long algorithm may have more steps than all may have: then not even one is built.
bool AlgorithmTimes::too_large() {
  if (too_large_) return *too_large_;
  const auto procs = static_cast<std::size_t>(problem_.procs);
  const auto stated = formula_ ? formula_->messages : std::nullopt;
  too_large_ = stated && *stated * static_cast<double>(procs) > static_cast<double>(most_steps_);
  if (!*too_large_) {
    const kernels::Schedule first = kernels::build_schedule(algorithm_, problem_);
    too_large_ = kernels::count_steps(first) * procs > most_steps_;
  }
  return *too_large_;
}

const kernels::Exchange* AlgorithmTimes::all_ranks() {
  if (exchange_) return &*exchange_;
  if (too_large()) return nullptr;
  return &exchange_.emplace(kernels::exchange_of(algorithm_, problem_));
}

bool AlgorithmTimes::has_time(const kernels::CollectiveCall& call, const Machine& machine) {
  return stated(call, machine) || !too_large() || twins_on(machine) != nullptr;
}

std::optional<AlgorithmTime> AlgorithmTimes::at(const kernels::CollectiveCall& call,
                                                const Machine& machine) {
  const kernels::Exchange* const twins = twins_on(machine);
  if (twins != nullptr && has_equal_blocks(call, twins->blocks)) {
    return AlgorithmTime{finish_time(*twins, call, machine), Basis::simulated};
  }
  if (const kernels::Exchange* const all = all_ranks()) {
    return AlgorithmTime{finish_time(*all, call, machine), Basis::simulated};
  }
  const std::optional<Seconds> time = stated(call, machine);
  if (twins != nullptr) {
    constexpr double kClose = 1.05;  // a formula without blocks may be as far off
    const kernels::CollectiveCall longest = rounded_up(call, twins->blocks);
    const bool close = call.begins.empty() && static_cast<double>(longest.count) <=
                                                  kClose * static_cast<double>(call.count);
    if (close || !time) return AlgorithmTime{finish_time(*twins, longest, machine), Basis::at_most};
  }
  if (!time) return std::nullopt;
  return AlgorithmTime{*time, Basis::formula};
}

std::optional<AlgorithmTime> AlgorithmTimes::at(const kernels::CollectiveCall& call,
                                                const Machine& machine,
                                                const Conditions& conditions) {
  if (conditions.starts.empty() && conditions.noise.none()) return at(call, machine);
  const std::optional<std::vector<Ticks>> ends = done(call, machine, conditions);
  if (!ends) return std::nullopt;
  return AlgorithmTime{seconds_of(std::ranges::max(*ends))};
}

std::optional<std::vector<Ticks>> AlgorithmTimes::done(const kernels::CollectiveCall& call,
                                                       const Machine& machine,
                                                       const Conditions& conditions) {
  if (!uniform_) uniform_ = uniform_of(algorithm_, problem_);
  if (*uniform_ && conditions.noise.none() && are_alike(**uniform_, call, machine))
    return done_times(**uniform_, call, machine, conditions.starts);
  const kernels::Exchange* const all = all_ranks();
  if (all == nullptr) return std::nullopt;
  return done_times(*all, call, machine, conditions);
}

std::optional<Seconds> AlgorithmTimes::stated(const kernels::CollectiveCall& call,
                                              const Machine& machine) const {
  if (!formula_ || !call.begins.empty()) return std::nullopt;
  if (problem_.params.find(kernels::kSegments.key)) return std::nullopt;
  const bool reduces_unknown = reduces(problem_.collective) && !formula_->reduced;
  if (reduces_unknown) return std::nullopt;
  const Bytes vector{total_bytes({.collective = problem_.collective,
                                  .procs = problem_.procs,
                                  .message = call.count * extent(call.datatype)})};
  const auto* const nodes =
      std::get_if<TwoLevel>(&machine.at(static_cast<double>(vector.value) / problem_.procs));
  if (nodes != nullptr && &algorithm_ == &kernels::allreduce::ring) {
    return ring_on_nodes(problem_, vector, *nodes);
  }
  return closed_form(*formula_, vector, machine);
}

}  // namespace breakeven::sim
