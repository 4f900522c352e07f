// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "executor/communicator.hpp"
#include "harness/plan/order.hpp"
#include "harness/plan/sampling.hpp"
#include "harness/protocol/protocol.hpp"
#include "harness/worker/candidate.hpp"
#include "harness/worker/overlap.hpp"
#include "harness/worker/timing.hpp"
#include "harness/worker/workspace.hpp"

namespace breakeven::worker {

/// Measures the problems of requests one after another. Every rank has one and gives it the same
/// requests; all members are collective.
class Measurer {
 public:
  using Emit = std::function<void(const protocol::WorkerEvent&)>;

  /// @param emit  gets every event, on every rank; a CaseBegin precedes each stretch in which a
  ///              candidate runs, so that a crash or a hang belongs to that candidate
  Measurer(MPI_Comm world, Emit emit);

  /// Checks the candidates of each problem, measures the correct ones in rounds, each for as long
  /// as the plan wants (see Sampling), and checks them again. Each ends in one event, CaseDone or
  /// CaseFailed. The clocks are synchronised anew for each problem.
  /// @throws Error when MPI fails; the launch is over then.
  void measure(protocol::MeasureRequest request);

 private:
  struct Candidate {
    int id = 0;
    BoundCandidate bound{};
    Seconds call{};             ///< time of one call alone, at this rank
    Seconds spent{};            ///< on it so far
    Seconds expected{};         ///< time of one repetition without the wait for its beginning
    int warmups = 0;            ///< calls that are not kept, so far
    int taken = 0;              ///< repetitions so far
    Repetitions repetitions{};  ///< those that are valid, of all blocks so far
    std::optional<Overlap> overlap{};
  };

  [[nodiscard]] static std::size_t calls_between(const Candidate& candidate,
                                                 const protocol::MeasurePlan& plan);
  void measure(plan::CandidateRange problem);
  [[nodiscard]] const executor::Communicator& measured_on(const NodeLayout& layout);
  [[nodiscard]] std::optional<Candidate> admit(int index, std::optional<Workspace>& workspace);
  [[nodiscard]] std::optional<std::string> wrong_data(const Candidate& candidate,
                                                      Workspace& workspace) const;
  void sample(std::vector<Candidate>& candidates, plan::Sampling& sampling, Workspace& workspace,
              Timing& timing);
  void settle(Candidate& candidate, std::size_t calls) const;
  [[nodiscard]] static Repetitions repeat(const Candidate& candidate, int count,
                                          const Repetition& what, Seconds expected,
                                          Workspace& workspace, Timing& timing);
  [[nodiscard]] const Case& case_of(const Candidate& candidate) const {
    return request_.cases[static_cast<std::size_t>(candidate.id - request_.first_id)];
  }
  [[nodiscard]] Work work_of(const std::vector<Candidate>& candidates) const;
  [[nodiscard]] std::optional<Overlap> overlap_of(const Candidate& candidate, const Work& work,
                                                  Workspace& workspace, Timing& timing) const;
  void finish(Candidate& candidate, std::size_t warmup, std::optional<Stop> stop,
              Workspace& workspace) const;

  protocol::MeasureRequest request_{};
  bool beside_tuned_ = false;       // the problem is also solved with a table in force
  executor::Communicator control_;  // barriers and agreement
  std::map<NodeLayout, executor::Communicator> measured_{};  // the measured calls, and nothing else
  Emit emit_;
};

}  // namespace breakeven::worker
