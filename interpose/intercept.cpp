// SPDX-License-Identifier: BSD-3-Clause
#include "interpose/intercept.hpp"

#include <memory>
#include <new>

#include "core/error.hpp"
#include "executor/element_type.hpp"
#include "executor/mpi_error.hpp"
#include "executor/mpi_types.hpp"
#include "executor/plan_of.hpp"

namespace breakeven::interpose {

namespace {

using executor::check_mpi;

int delete_choices(MPI_Comm, int, void* choices, void*) {
  ++executor::freed_handles();
  delete static_cast<Choices*>(choices);
  return MPI_SUCCESS;
}

int choices_keyval() {
  static const int keyval = [] {
    int made = MPI_KEYVAL_INVALID;
    check_mpi(PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, delete_choices, &made, nullptr),
              "MPI_Comm_create_keyval");
    return made;
  }();
  return keyval;
}

/// Whether a signature says all of a call for as long as no handle is freed: an operation of the
/// program's can be freed unseen.
bool lasts(const executor::MpiCall& call, const Signature& signature) {
  if (!signature.whole) return false;
  return !reduces(call.collective) || executor::op_of(call.op).has_value();
}

/// From now on freed_handles() counts the ends of the call's datatypes: of some ranks the next may
/// have an old one's handle.
void watch_datatypes(const executor::MpiCall& call) {
  for (const executor::CallBuffer* const buffer : {&call.input, &call.output}) {
    if (buffer->present()) static_cast<void>(executor::identity_of(buffer->type));
  }
}

}  // namespace

Choices* find_choices(MPI_Comm comm) noexcept {
  const Job* const job = current_job().load(std::memory_order_acquire);
  if (job == nullptr || comm == MPI_COMM_NULL) return nullptr;
  try {
    void* found = nullptr;
    int there = 0;
    check_mpi(PMPI_Comm_get_attr(comm, choices_keyval(), &found, &there), "MPI_Comm_get_attr");
    if (there != 0) return static_cast<Choices*>(found);
    auto made = std::make_unique<Choices>(*job, comm);
    check_mpi(PMPI_Comm_set_attr(comm, choices_keyval(), made.get()), "MPI_Comm_set_attr");
    return made.release();
  } catch (const std::exception&) {
    return nullptr;  // the library says what is wrong with the communicator
  }
}

Way find_way(const executor::MpiCall& call, const Signature& signature, Choices& choices) noexcept {
  try {
    if (!choices.is_valid(call)) return {};
    const api::SizeChoice* const choice = choices.choose(call);
    Way way{.op = call.op};
    std::unique_ptr<composed::ProgramCall> composed;
    try {
      if (choice != nullptr && choice->mock_up != nullptr) {
        composed = std::make_unique<composed::ProgramCall>(*choice->mock_up, call);
        way.composed = composed.get();
      } else if (choice != nullptr && choice->library.empty()) {
        if (choices.has_channel()) way.plan = executor::plan_of(choice->variant, call).get();
      } else if (choice != nullptr) {
        way.forced = choices.forced(choice->library, call);
      }
    } catch (const UsageError&) {
      // No plan can be made on any rank, or of arguments that the library refuses.
    }
    way.amount = choices.amount_of(call, way, choice);
    // What is composed lasts: it reduces with MPI's operations alone, and has no array of counts.
    if (lasts(call, signature)) {
      watch_datatypes(call);
      choices.known(signature) = {signature, executor::freed_handles(), way, std::move(composed)};
    }
    return way;
  } catch (const Error&) {
    return {};  // MPI refused something
  } catch (const std::exception&) {
    return {.error = MPI_ERR_NO_MEM};
  }
}

int fail(int error, MPI_Comm comm) {
  PMPI_Comm_call_errhandler(comm, error);
  return error;
}

int run_composed(composed::ProgramCall& composed, const Arguments& arguments) {
  try {
    composed.run(arguments.first_buffer(), arguments.last_buffer());
    return MPI_SUCCESS;
  } catch (const executor::MpiError& failed) {
    return failed.status();
  }
}

int run_plan(executor::Plan& plan, const Arguments& arguments, MPI_Op op, MPI_Comm comm) {
  int error = MPI_ERR_OTHER;
  try {
    plan.run(arguments.first_buffer(), arguments.last_buffer(), op);
    return MPI_SUCCESS;
  } catch (const executor::MpiError& failed) {
    error = failed.status();
  } catch (const std::bad_alloc&) {
    error = MPI_ERR_NO_MEM;
  } catch (const std::exception&) {
  }
  return fail(error, comm);
}

}  // namespace breakeven::interpose
