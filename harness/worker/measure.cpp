// SPDX-License-Identifier: BSD-3-Clause
#include "harness/worker/measure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <new>
#include <numeric>
#include <span>
#include <utility>

#include "core/error.hpp"
#include "executor/communicator.hpp"
#include "executor/mpi_error.hpp"
#include "harness/plan/cost.hpp"
#include "harness/plan/order.hpp"
#include "harness/worker/candidate.hpp"
#include "harness/worker/overlap.hpp"
#include "stats/median.hpp"

namespace breakeven::worker {

namespace {

/// Collective. Rank 0's value, for all.
template <typename Item>
  requires std::is_trivially_copyable_v<Item>
void share(Item& item, const executor::Communicator& comm) {
  executor::check_mpi(MPI_Bcast(&item, static_cast<int>(sizeof item), MPI_BYTE, 0, comm.get()),
                      "MPI_Bcast");
}

/// Collective. The next round, which rank 0 decides.
std::vector<plan::Sampling::Block> next_round(plan::Sampling& sampling,
                                              const executor::Communicator& comm) {
  std::vector<plan::Sampling::Block> blocks;
  if (comm.me() == Rank{0}) blocks = sampling.next_round();
  std::size_t count = blocks.size();
  share(count, comm);
  blocks.resize(count);
  for (plan::Sampling::Block& block : blocks) share(block, comm);
  return blocks;
}

/// To the picosecond: beyond the resolution of any timer, and without the digits of differences,
/// which would look like noise.
Seconds rounded(double value) { return {std::round(value * 1e12) / 1e12}; }

std::vector<double> rounded(std::vector<double> values) {
  for (double& value : values) value = rounded(value).value;
  return values;
}

std::vector<Seconds> seconds(const std::vector<double>& values) {
  std::vector<Seconds> result;
  result.reserve(values.size());
  for (const double value : values) result.push_back(rounded(value));
  return result;
}

/// Collective. Each rank's mean duration, over the ranks; at rank 0.
RankMeans rank_means(const std::vector<double>& own, const executor::Communicator& comm) {
  const double mean =
      std::accumulate(own.begin(), own.end(), 0.0) / static_cast<double>(own.size());
  const auto over_ranks = [&](MPI_Op op) {
    double result = 0;
    executor::check_mpi(MPI_Reduce(&mean, &result, 1, MPI_DOUBLE, op, 0, comm.get()), "MPI_Reduce");
    return result;
  };
  const double least = over_ranks(MPI_MIN);
  const double most = over_ranks(MPI_MAX);
  // The mean of equal values may differ from them by a rounding error.
  return {.min = {least},
          .avg = {std::clamp(over_ranks(MPI_SUM) / comm.procs(), least, std::max(least, most))},
          .max = {most}};
}

}  // namespace

Measurer::Measurer(MPI_Comm world, Emit emit) : control_(world), emit_(std::move(emit)) {}

void Measurer::measure(protocol::MeasureRequest request) {
  request_ = std::move(request);
  for (const plan::CandidateRange problem : plan::problems_of(request_.cases)) measure(problem);
}

/// Collective. The communicator of this rank for calls on such a layout; where several share the
/// nodes, all of them call at once.
const executor::Communicator& Measurer::measured_on(const NodeLayout& layout) {
  if (const auto known = measured_.find(layout); known != measured_.end()) return known->second;
  if (layout.comms_per_node == 1)
    return measured_.try_emplace(layout, control_.get()).first->second;
  const std::vector<int> ranks = comm_of(layout, control_.me());
  const auto place = std::ranges::find(ranks, control_.me().value) - ranks.begin();
  MPI_Comm part = MPI_COMM_NULL;
  executor::check_mpi(MPI_Comm_split(control_.get(), ranks.front(), static_cast<int>(place), &part),
                      "MPI_Comm_split");
  const executor::Communicator& made = measured_.try_emplace(layout, part).first->second;
  executor::check_mpi(MPI_Comm_free(&part), "MPI_Comm_free");
  return made;
}

void Measurer::measure(plan::CandidateRange problem) {
  std::optional<Workspace> workspace;
  std::vector<Candidate> candidates;
  const auto cases = std::span{request_.cases}.subspan(static_cast<std::size_t>(problem.first),
                                                       static_cast<std::size_t>(problem.count));
  beside_tuned_ =
      std::ranges::any_of(cases, [](const Case& what) { return what.variant.is<Tuned>(); });
  for (int index = problem.first; index < problem.first + problem.count; ++index) {
    if (auto admitted = admit(index, workspace)) candidates.push_back(std::move(*admitted));
  }
  if (candidates.empty()) return;
  const auto number = static_cast<std::uint64_t>(request_.first_id + problem.first);
  plan::Sampling sampling{request_.measure, candidates.size(),
                          plan::mixed_seed(request_.seed, number, 0)};
  emit_(protocol::CaseBegin{.id = candidates.back().id, .doing = "the synchronisation of clocks"});
  Timing timing{request_.measure, control_};
  sample(candidates, sampling, *workspace, timing);
  std::optional<Work> work;
  if (cases.front().form != CallForm::blocking) work.emplace(work_of(candidates));
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    if (work) candidates[i].overlap = overlap_of(candidates[i], *work, *workspace, timing);
    std::size_t warmup = sampling.warmup(i);
    share(warmup, control_);
    finish(candidates[i], warmup, sampling.stop(i), *workspace);
  }
}

/// Binds the case's candidate, the first one in a new workspace of the problem; nothing, and a
/// CaseFailed event, when any rank refuses it or gets wrong data from it.
std::optional<Measurer::Candidate> Measurer::admit(int index, std::optional<Workspace>& workspace) {
  const int id = request_.first_id + index;
  emit_(protocol::CaseBegin{.id = id, .doing = "its set-up"});
  const Case& what = request_.cases[static_cast<std::size_t>(index)];
  Candidate bound;
  bound.id = id;
  std::optional<std::string> refusal;
  const auto attempt = [&](const auto& step) {
    try {
      step();
    } catch (const Error& error) {
      refusal = error.what();
    } catch (const std::bad_alloc&) {
      refusal = "not enough memory for its buffers";
    }
    refusal = first_complaint(refusal, control_);
  };
  const executor::Communicator& measured = measured_on(layout_of(what));
  if (!workspace) attempt([&] { workspace.emplace(what, measured.procs(), measured.me()); });
  if (refusal) workspace.reset();
  // Binding may be collective.
  if (!refusal) {
    attempt([&] { bound.bound = bind_candidate(what, *workspace, measured.get(), beside_tuned_); });
  }
  const double begin = MPI_Wtime();
  if (!refusal) refusal = wrong_data(bound, *workspace);
  if (refusal) {
    emit_(protocol::CaseFailed{id, *refusal});
    return std::nullopt;
  }
  bound.expected = {MPI_Wtime() - begin};
  bound.warmups = 1;  // the checked call
  return bound;
}

/// Runs the candidate once on poisoned output and returns the complaint of the first rank with one.
std::optional<std::string> Measurer::wrong_data(const Candidate& candidate,
                                                Workspace& workspace) const {
  const auto begin = [&](std::string doing, Seconds expected = {}) {
    emit_(protocol::CaseBegin{candidate.id, std::move(doing), expected});
  };
  // All ranks do so: a rank that hangs is noticed.
  const auto sign_of = [&](const std::string& doing) {
    begin(doing);
    return [&, doing] {
      executor::check_mpi(MPI_Barrier(control_.get()), "MPI_Barrier");
      begin(doing);
    };
  };
  workspace.prepare(sign_of("the filling of its buffers"));
  begin("a checked call", candidate.expected);
  {
    const forced::ForcedAlgorithm::Enforced enforced{candidate.bound.choice.forced()};
    candidate.bound.run();
  }
  if (!candidate.bound.has_result) return std::nullopt;
  std::optional<std::string> own = workspace.complaint(sign_of("the check of its result"));
  if (own) own = fmt::format("wrong data at rank {}: {}", control_.me().value, *own);
  return first_complaint(own, control_);
}

/// The number of calls, not kept, that spread the candidate's samples over the least time, some ten
/// blocks in it.
std::size_t Measurer::calls_between(const Candidate& candidate, const protocol::MeasurePlan& plan) {
  constexpr double kBlocks = 10;
  if (candidate.spent >= plan.min_time || candidate.call.value <= 0) return 0;
  return static_cast<std::size_t>(plan.min_time.value / kBlocks / candidate.call.value);
}

/// Collective. Round by round, until every candidate is closed. A candidate's first block begins
/// cold and shows how long it takes to settle; before each later one it is called as often, and
/// once at least, since others ran in between.
void Measurer::sample(std::vector<Candidate>& candidates, plan::Sampling& sampling,
                      Workspace& workspace, Timing& timing) {
  for (auto round = next_round(sampling, control_); !round.empty();
       round = next_round(sampling, control_)) {
    for (const plan::Sampling::Block& block : round) {
      Candidate& candidate = candidates[block.candidate];
      std::size_t settling = 0;
      if (candidate.taken > 0) {
        settling = std::max({std::size_t{1}, sampling.warmup(block.candidate),
                             calls_between(candidate, request_.measure)});
      }
      const auto calls = static_cast<double>(settling) + block.repetitions;
      emit_(
          protocol::CaseBegin{candidate.id, "its repetitions", {candidate.expected.value * calls}});
      const double begin = timing.now();
      if (candidate.taken > 0) settle(candidate, settling);
      const Repetitions valid = repeat(candidate, block.repetitions, {.run = candidate.bound.run},
                                       candidate.expected, workspace, timing);
      const Seconds spent{timing.now() - begin};
      candidate.spent = candidate.spent + spent;
      candidate.taken += block.repetitions;
      candidate.repetitions.append(valid);
      candidate.expected = timing.work();
      if (!valid.own.empty()) candidate.call = {stats::median(valid.own)};
      if (control_.me() == Rank{0}) {
        sampling.add(block, rounded(valid.of(request_.measure.run_time)), spent);
      }
    }
  }
}

/// Collective. Calls the candidate without keeping the times.
/// @param calls  rank 0's number holds for all
void Measurer::settle(Candidate& candidate, std::size_t calls) const {
  share(calls, control_);
  const forced::ForcedAlgorithm::Enforced enforced{candidate.bound.choice.forced()};
  for (std::size_t call = 0; call < calls; ++call) candidate.bound.run();
  candidate.warmups += static_cast<int>(calls);
}

/// Collective. Each repetition on new input.
Repetitions Measurer::repeat(const Candidate& candidate, int count, const Repetition& what,
                             Seconds expected, Workspace& workspace, Timing& timing) {
  // Not around the block: the harness's own collectives, too, would run so.
  std::optional<forced::ForcedAlgorithm::Enforced> enforced;
  const auto before = [&] {
    workspace.touch_input();
    enforced.emplace(candidate.bound.choice.forced());
  };
  return timing.repeat(count, expected, {before, what.run, [&] {
                                           if (what.after) what.after();
                                           enforced.reset();
                                         }});
}

/// Collective. The work that all candidates of a problem get: as long as native's call at the
/// slowest rank, or as the first candidate's where there is none.
Work Measurer::work_of(const std::vector<Candidate>& candidates) const {
  const auto native = std::ranges::find_if(
      candidates, [&](const Candidate& each) { return case_of(each).variant.is<Native>(); });
  const Candidate& like = native == candidates.end() ? candidates.front() : *native;
  double call = 0;
  if (!like.repetitions.local.empty()) call = stats::median(like.repetitions.local);
  share(call, control_);
  return Work{{call}};
}

/// Collective. Of a call that returns before it is complete, within the budget of one case.
std::optional<Overlap> Measurer::overlap_of(const Candidate& candidate, const Work& work,
                                            Workspace& workspace, Timing& timing) const {
  if (!candidate.bound.start) return std::nullopt;
  plan::OverlapCost cost =
      plan::overlap_cost({std::max(candidate.call.value, work.length().value)}, request_.measure);
  share(cost, control_);
  emit_(protocol::CaseBegin{candidate.id, "its overlap with work", cost.time});
  const Seconds expected{candidate.expected.value + 2 * work.length().value};
  return measure_overlap(
      candidate.bound, work, request_.measure.test_every, [&](const auto& run, const auto& after) {
        const Repetition part{.run = run, .after = after};
        return repeat(candidate, cost.repetitions, part, expected, workspace, timing).local;
      });
}

void Measurer::finish(Candidate& candidate, std::size_t warmup, std::optional<Stop> stop,
                      Workspace& workspace) const {
  if (const auto wrong = wrong_data(candidate, workspace)) {
    emit_(protocol::CaseFailed{candidate.id, "after its last sample, " + *wrong});
    return;
  }
  Repetitions& valid = candidate.repetitions;
  const int invalid = candidate.taken - static_cast<int>(valid.own.size());
  valid.drop_first(warmup);
  if (valid.own.empty()) {
    emit_(protocol::CaseFailed{
        candidate.id, fmt::format("no valid sample: of {} repetitions none began and ended in time",
                                  candidate.taken)});
    return;
  }
  const RankMeans means = rank_means(valid.own, control_);
  emit_(protocol::CaseDone{.id = candidate.id,
                           .result = {.local = seconds(valid.local),
                                      .global = seconds(valid.global),
                                      .warmups = candidate.warmups + static_cast<int>(warmup),
                                      .invalid = invalid,
                                      .stop = stop,  // known at rank 0, which alone is heard
                                      .rank_means = means,
                                      .overlap = candidate.overlap}});
}

}  // namespace breakeven::worker
