// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "executor/communicator.hpp"
#include "harness/order.hpp"
#include "harness/protocol.hpp"
#include "harness/worker/workspace.hpp"

namespace breakeven {

/// Measures the problems of requests one after another. Every rank makes one and gives it the same
/// requests; all members are collective.
class Measurer {
 public:
  using Emit = std::function<void(const WorkerEvent&)>;

  /// @param emit  gets every event, on every rank; a Begin precedes each stretch in which a
  ///              candidate runs, so that a crash or a hang is known to be that candidate's
  Measurer(MPI_Comm world, Emit emit);

  /// Checks the candidates of each problem, measures those that are right, interleaved in random
  /// order, and checks them again. Each ends in one event, Done or Failed.
  /// @throws Error when MPI fails; the launch is over then.
  void measure(WorkerRequest request);

 private:
  struct Candidate {
    int id = 0;
    std::function<void()> run;
    int wanted = 0;                 ///< samples in all
    int warmups = 0;                ///< calls before samples so far
    std::vector<double> durations;  ///< of this rank, in seconds
  };

  void measure(CandidateRange problem);
  [[nodiscard]] std::optional<Candidate> admit(int index, std::optional<Workspace>& workspace);
  [[nodiscard]] std::optional<std::string> wrong_data(const Candidate& candidate,
                                                      Workspace& workspace) const;
  [[nodiscard]] int decide_samples(Candidate& candidate, Workspace& workspace) const;
  void take_block(Candidate& candidate, Workspace& workspace, int samples) const;
  void finish(const Candidate& candidate, Workspace& workspace) const;

  WorkerRequest request_{};
  Communicator control_;   // barriers and agreement
  Communicator measured_;  // what is measured, and nothing else
  Emit emit_;
};

}  // namespace breakeven
