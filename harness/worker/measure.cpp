// SPDX-License-Identifier: BSD-3-Clause
#include "harness/worker/measure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <new>
#include <numeric>
#include <utility>

#include "core/error.hpp"
#include "executor/mpi_error.hpp"
#include "harness/shuffle.hpp"
#include "harness/worker/agree.hpp"
#include "harness/worker/barrier.hpp"
#include "harness/worker/candidate.hpp"

namespace breakeven {

Measurer::Measurer(MPI_Comm world, Emit emit)
    : control_(world), measured_(world), emit_(std::move(emit)) {}

void Measurer::measure(WorkerRequest request) {
  request_ = std::move(request);
  for (const CandidateRange problem : problems_of(request_.cases)) measure(problem);
}

void Measurer::measure(CandidateRange problem) {
  std::optional<Workspace> workspace;
  std::vector<Candidate> candidates;
  for (int index = problem.first; index < problem.first + problem.count; ++index) {
    if (auto admitted = admit(index, workspace)) candidates.push_back(std::move(*admitted));
  }
  std::vector<std::size_t> order(candidates.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  for (int block = 0; block < request_.measure.interleave; ++block) {
    shuffle(order,
            mixed_seed(request_.seed, static_cast<std::uint64_t>(request_.first_id + problem.first),
                       static_cast<std::uint64_t>(block)));
    for (const std::size_t next : order) {
      Candidate& candidate = candidates[next];
      const int samples = samples_in_block(request_.measure, candidate.wanted, block);
      if (samples == 0) continue;
      emit_(Begin{candidate.id});
      take_block(candidate, *workspace, samples);
    }
  }
  for (const Candidate& candidate : candidates) finish(candidate, *workspace);
}

/// Binds the case's candidate, making the problem's workspace when it is the first; nothing, and a
/// Failed event, when any rank refuses it or gets wrong data from it.
std::optional<Measurer::Candidate> Measurer::admit(int index, std::optional<Workspace>& workspace) {
  const int id = request_.first_id + index;
  emit_(Begin{id});
  const Case& what = request_.cases[static_cast<std::size_t>(index)];
  Candidate bound;
  bound.id = id;
  std::optional<std::string> refusal;
  try {
    if (!workspace) workspace.emplace(what, control_.procs(), control_.me());
    bound.run = bind_candidate(what, *workspace, measured_.get());
  } catch (const Error& error) {
    refusal = error.what();
  } catch (const std::bad_alloc&) {
    refusal = "not enough memory for its buffers";
  }
  refusal = first_complaint(refusal, control_);
  if (!refusal) refusal = wrong_data(bound, *workspace);
  if (refusal) {
    emit_(Failed{id, *refusal});
    return std::nullopt;
  }
  ++bound.warmups;  // the checked call
  bound.wanted = decide_samples(bound, *workspace);
  bound.durations.reserve(static_cast<std::size_t>(bound.wanted));
  return bound;
}

/// Runs the candidate once on poisoned output and returns what the first complaining rank found.
std::optional<std::string> Measurer::wrong_data(const Candidate& candidate,
                                                Workspace& workspace) const {
  workspace.prepare();
  candidate.run();
  std::optional<std::string> own = workspace.complaint();
  if (own) own = fmt::format("wrong data at rank {}: {}", control_.me().value, *own);
  return first_complaint(own, control_);
}

/// Estimates the time of a sample from some more calls; rank 0's estimate holds for all.
int Measurer::decide_samples(Candidate& candidate, Workspace& workspace) const {
  const int calls = std::max(1, request_.measure.warmups);
  const double begin = MPI_Wtime();
  for (int call = 0; call < calls; ++call) {
    workspace.touch_input();
    barrier(control_);
    candidate.run();
  }
  const Seconds per_sample{(MPI_Wtime() - begin) / calls};
  candidate.warmups += calls;
  int wanted = samples_wanted(request_.measure, per_sample);
  check_mpi(MPI_Bcast(&wanted, 1, MPI_INT, 0, control_.get()), "MPI_Bcast");
  return wanted;
}

void Measurer::take_block(Candidate& candidate, Workspace& workspace, int samples) const {
  for (int call = 0; call < request_.measure.warmups; ++call) candidate.run();
  candidate.warmups += request_.measure.warmups;
  for (int sample = 0; sample < samples; ++sample) {
    workspace.touch_input();
    barrier(control_);
    const double begin = MPI_Wtime();
    candidate.run();
    const double end = MPI_Wtime();
    candidate.durations.push_back(end - begin);
  }
}

void Measurer::finish(const Candidate& candidate, Workspace& workspace) const {
  emit_(Begin{candidate.id});
  if (const auto wrong = wrong_data(candidate, workspace)) {
    emit_(Failed{candidate.id, "after its last sample, " + *wrong});
    return;
  }
  std::vector<double> slowest(candidate.durations.size());
  check_mpi(MPI_Reduce(candidate.durations.data(), slowest.data(), static_cast<int>(slowest.size()),
                       MPI_DOUBLE, MPI_MAX, 0, control_.get()),
            "MPI_Reduce");
  Done done{.id = candidate.id, .warmups = candidate.warmups, .samples = {}};
  for (const double duration : slowest) done.samples.push_back({duration});
  emit_(done);
}

}  // namespace breakeven
