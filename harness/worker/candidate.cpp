// SPDX-License-Identifier: BSD-3-Clause
#include "harness/worker/candidate.hpp"

#include <fmt/format.h>

#include <memory>

#include "core/error.hpp"
#include "executor/mpi_call.hpp"
#include "executor/mpi_types.hpp"
#include "executor/plan.hpp"
#include "harness/worker/library_choice.hpp"
#include "kernels/build.hpp"
#include "kernels/pattern.hpp"
#include "libraries/library_algorithm.hpp"
#include "mock_ups/composed/compose.hpp"

namespace breakeven::worker {

namespace {

executor::MpiCall call_of(Workspace& workspace, MPI_Comm comm) {
  const kernels::CollectiveCall& call = workspace.call();
  return executor::mpi_call_of(call, workspace.input().data(), workspace.output().data(),
                               native_op(call.op), comm);
}

/// A request that its last owner frees where the call is persistent.
std::shared_ptr<MPI_Request> shared_request(MPI_Request made) {
  return {new MPI_Request{made}, [](MPI_Request* request) {
            if (*request != MPI_REQUEST_NULL) MPI_Request_free(request);
            delete request;
          }};
}

std::function<void()> started_and_completed(const BoundCandidate& bound) {
  return [start = bound.start, wait = bound.wait] {
    start();
    wait();
  };
}

/// The library's collective in this form.
BoundCandidate bind_native(Workspace& workspace, MPI_Comm comm, CallForm form) {
  const executor::LibraryCall library = executor::library_call(call_of(workspace, comm));
  if (form == CallForm::blocking) return {.run = library.run};
  const auto request = shared_request(MPI_REQUEST_NULL);
  BoundCandidate bound{.test = [request] {
    int complete = 0;
    executor::check_mpi(MPI_Test(request.get(), &complete, MPI_STATUS_IGNORE), "MPI_Test");
    return complete != 0;
  }};
  if (form == CallForm::nonblocking) {
    bound.start = [request, start = library.start] { *request = start(); };
  } else {
    if (!library.make) throw UsageError("this MPI library has no persistent collectives");
    *request = library.make();
    bound.start = [request] { executor::check_mpi(MPI_Start(request.get()), "MPI_Start"); };
    bound.make = [make = library.make] { shared_request(make()); };
  }
  bound.wait = [request] {
    executor::check_mpi(MPI_Wait(request.get(), MPI_STATUS_IGNORE), "MPI_Wait");
  };
  bound.run = started_and_completed(bound);
  return bound;
}

BoundCandidate bind_library_algorithm(const Case& what, Workspace& workspace, MPI_Comm comm) {
  if (const auto reason = libraries::refusal(what)) {
    throw UsageError(fmt::format("{} {}", algorithm_text(what), *reason));
  }
  auto forced = std::make_shared<const forced::ForcedAlgorithm>(what, comm, forced::Unable::fails);
  // A persistent call has the algorithm with which it is made.
  const forced::ForcedAlgorithm::Enforced enforced{forced.get()};
  BoundCandidate bound = bind_native(workspace, forced->comm(), what.form);
  bound.choice.by = std::move(forced);
  return bound;
}

BoundCandidate bind_default(Workspace& workspace, MPI_Comm comm, CallForm form) {
  const std::shared_ptr<const executor::Communicator> own = duplicate_without_table(comm);
  BoundCandidate bound = bind_native(workspace, own->get(), form);
  bound.comm = own;
  return bound;
}

/// @param choice  a plan or a mock-up
BoundCandidate bound_to(forced::BoundChoice choice, Workspace& workspace, MPI_Comm comm) {
  return {.choice = choice, .run = [choice, call = call_of(workspace, comm)] {
            choice.run(call, [] { return MPI_SUCCESS; });
          }};
}

BoundCandidate bind_mock_up(const Composed& mock_up, Workspace& workspace, MPI_Comm comm) {
  if (const auto form = kCallForms.find(mock_up.terms)) {
    const BoundCandidate other = bind_native(workspace, comm, *form);
    return {.run = other.run, .start = other.run, .test = [] { return true; }, .wait = [] {}};
  }
  const kernels::CollectiveCall& call = workspace.call();
  return bound_to({.by = composed::compose(mock_up, call, executor::mpi_datatype(call.datatype),
                                           native_op(call.op), comm)},
                  workspace, comm);
}

BoundCandidate bind_schedule(const Case& what, Workspace& workspace, MPI_Comm comm) {
  const kernels::Algorithm& algorithm = kernels::algorithm_of(what);
  // The workspace belongs to the whole problem, the parameters to this candidate alone.
  kernels::CollectiveCall call = workspace.call();
  call.problem = kernels::problem_of(what, call.problem.me);
  kernels::require_runs(algorithm, call.problem);
  const auto make = [&algorithm, call, comm] {
    return std::make_shared<executor::Plan>(kernels::build_schedule(algorithm, call.problem), call,
                                            comm);
  };
  const forced::BoundChoice::Plan plan = make();
  BoundCandidate bound = bound_to({.by = plan}, workspace, comm);
  bound.has_result = !kernels::is_pattern(what.variant);
  if (what.form == CallForm::blocking) return bound;
  bound.start = [plan, call = call_of(workspace, comm)] {
    plan->start(call.input.address, call.output.address, call.op);
  };
  bound.test = [plan] { return plan->advance(); };
  bound.wait = [plan] {
    while (!plan->advance()) {
    }
  };
  bound.run = started_and_completed(bound);
  if (what.form == CallForm::persistent) bound.make = make;
  return bound;
}

}  // namespace

BoundCandidate bind_candidate(const Case& what, Workspace& workspace, MPI_Comm comm,
                              bool beside_tuned) {
  return std::visit(
      Overloaded{[&](Native) {
                   return beside_tuned ? bind_default(workspace, comm, what.form)
                                       : bind_native(workspace, comm, what.form);
                 },
                 [&](Tuned) { return bind_native(workspace, comm, what.form); },
                 [&](const LibraryOwn&) { return bind_library_algorithm(what, workspace, comm); },
                 [&](const Composed& mock_up) { return bind_mock_up(mock_up, workspace, comm); },
                 [&](const auto&) { return bind_schedule(what, workspace, comm); }},
      what.variant);
}

}  // namespace breakeven::worker
