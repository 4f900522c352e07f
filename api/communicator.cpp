// SPDX-License-Identifier: BSD-3-Clause
#include "api/breakeven/communicator.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

#include "api/by_table.hpp"
#include "api/is_valid.hpp"
#include "api/unfit.hpp"
#include "core/error.hpp"
#include "core/files.hpp"
#include "executor/agree.hpp"
#include "executor/call_of.hpp"
#include "executor/comm_plans.hpp"
#include "executor/mpi_error.hpp"
#include "executor/nodes.hpp"
#include "executor/plan_of.hpp"
#include "libraries/forced/in_program.hpp"
#include "mock_ups/composed/program_call.hpp"
#include "tables/formats/own/json.hpp"

namespace breakeven {

struct TableData {
  tables::Table table{};
};

struct CommunicatorData {
  MPI_Comm comm = MPI_COMM_NULL;
  int me = 0;
  NodeLayout layout{};
  bool forces = false;  ///< the library's own algorithms for single calls
  std::array<api::SizeChoices, kCollectives.entries.size()> by_table{};
};

namespace {

using executor::check_mpi;
using executor::MpiCall;
using Native = std::function<int()>;  // the call of the MPI library

std::shared_ptr<CommunicatorData> data_of(MPI_Comm comm) {
  const executor::Communicator& ours = *executor::CommPlans::of(comm).own;
  return std::make_shared<CommunicatorData>(
      CommunicatorData{.comm = comm,
                       .me = ours.me().value,
                       .layout = executor::found_layout(ours),
                       .forces = forced::one_call_at_a_time(ours)});
}

/// Nothing: the MPI library chooses.
std::optional<api::SizeChoice> choice_of(const Choice& choice, const MpiCall& call,
                                         const CommunicatorData& data) {
  if (choice.text().empty()) {
    if (!api::is_valid(call, data.layout.procs, data.me)) return std::nullopt;
    const auto& choices = data.by_table[static_cast<std::size_t>(call.collective)];
    const api::SizeChoice* const chosen = api::choose(choices, call, data.layout);
    return chosen == nullptr ? std::nullopt : std::optional{*chosen};
  }
  const Variant variant = Variant::parse(choice.text());
  if (variant.is<Native>()) return std::nullopt;
  if (variant.is<LibraryOwn>()) return api::SizeChoice{.library = choice.text()};
  if (variant.is<Composed>()) {
    const auto* const mock_up = mock_ups::find(call.collective, variant);
    if (mock_up != nullptr) return api::SizeChoice{.mock_up = mock_up};
    throw UsageError(
        fmt::format("{} has no mock-up '{}'", kCollectives.of(call.collective), choice.text()));
  }
  return api::SizeChoice{.variant = {.variant = kernels::find_instance(call.collective, variant),
                                     .placement = {.procs_per_node = data.layout.procs_per_node,
                                                   .mapping = data.layout.mapping}}};
}

void require_valid(const MpiCall& call, const CommunicatorData& data) {
  if (api::is_valid(call, data.layout.procs, data.me)) return;
  throw UsageError(
      fmt::format("MPI permits no {} with these arguments", kCollectives.of(call.collective)));
}

Bound bound_to_plan(const executor::ChosenVariant& chosen, const MpiCall& call) {
  return {to_text(chosen.variant),
          [plan = executor::plan_of(chosen, call), in = call.input.address,
           out = call.output.address, op = call.op] { plan->run(in, out, op); }};
}

Bound bound_to_library(const std::string& algorithm, const MpiCall& call,
                       const CommunicatorData& data, Native native) {
  const Case what = api::library_case(algorithm, call, data.layout);
  if (const auto reason = api::unfit(what, call)) {
    throw UsageError(fmt::format("{}, {}", algorithm_text(what), *reason));
  }
  if (!data.forces) {
    throw UsageError(
        fmt::format("{}, which threads would all run: with MPI_THREAD_MULTIPLE nothing "
                    "is forced for a single call",
                    algorithm_text(what)));
  }
  const auto forced = forced::force_in_program(what, call.comm, forced::Unable::fails);
  return {algorithm, [forced, native = std::move(native)] {
            const forced::ForcedAlgorithm::Enforced enforced{forced.get()};
            check_mpi(native(), "the MPI library's own");
          }};
}

Bound bound_to_mock_up(const mock_ups::MockUp& mock_up, const MpiCall& call) {
  if (!composed::serves(mock_up, call)) {
    throw UsageError(
        fmt::format("{} can't do this call: mock-ups do those of regular collectives, and "
                    "reductions of MPI's own "
                    "datatypes and operations",
                    to_text(mock_up.variant())));
  }
  return {to_text(mock_up.variant()),
          [composed = std::make_shared<composed::ProgramCall>(mock_up, call),
           in = call.input.address, out = call.output.address] { composed->run(in, out); }};
}

Bound bind(const Choice& choice, const MpiCall& call, const CommunicatorData& data, Native native) {
  executor::require_root(call, data.layout.procs);
  try {
    if (const std::optional<api::SizeChoice> chosen = choice_of(choice, call, data)) {
      require_valid(call, data);
      if (chosen->mock_up != nullptr) return bound_to_mock_up(*chosen->mock_up, call);
      if (chosen->library.empty()) return bound_to_plan(chosen->variant, call);
      return bound_to_library(chosen->library, call, data, native);
    }
  } catch (const Error&) {
    if (!choice.text().empty()) throw;  // what a table chose is left to the library
  }
  return {std::string{kNative},
          [native = std::move(native)] { check_mpi(native(), "the MPI library's own"); }};
}

/// One number for each process, where this rank has such; null otherwise.
std::shared_ptr<const int[]> copy_of(const int* numbers, MPI_Comm comm) {
  if (numbers == nullptr) return nullptr;
  int procs = 0;
  check_mpi(MPI_Comm_size(comm, &procs), "MPI_Comm_size");
  const std::shared_ptr<int[]> copy{new int[static_cast<std::size_t>(procs)]};
  std::copy_n(numbers, procs, copy.get());
  return copy;
}

}  // namespace

Table::Table(const std::string& file, MPI_Comm comm) {
  const executor::Communicator& ours = *executor::CommPlans::of(comm).own;
  std::string text;
  std::optional<std::string> complaint;
  if (ours.me() == Rank{0}) {
    try {
      text = read_file(file);
      api::require_this_machine(formats::kept_table(text, file).provenance.machine);
    } catch (const Error& error) {
      complaint = error.what();
    }
  }
  if (const auto first = first_complaint(complaint, ours)) throw UsageError(*first);
  text = broadcast(text, Rank{0}, ours);
  data_ = std::make_shared<TableData>(TableData{.table = formats::kept_table(text, file).table});
}

Communicator::Communicator(MPI_Comm comm) : data_{data_of(comm)} {}

Communicator::Communicator(MPI_Comm comm, const Table& table) {
  const std::shared_ptr<CommunicatorData> data = data_of(comm);
  for (const auto& [collective, name] : kCollectives.entries) {
    data->by_table[static_cast<std::size_t>(collective)] =
        api::choices_of(table.data_->table, collective, data->layout);
  }
  data_ = data;
}

Bound Communicator::allgather(const void* sendbuf, int sendcount, MPI_Datatype sendtype,
                              void* recvbuf, int recvcount, MPI_Datatype recvtype,
                              const Choice& choice) const {
  const MPI_Comm comm = data_->comm;
  return bind(
      choice,
      executor::allgather_call(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm),
      *data_, [=] {
        return MPI_Allgather(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm);
      });
}

Bound Communicator::allgatherv(const void* sendbuf, int sendcount, MPI_Datatype sendtype,
                               void* recvbuf, const int recvcounts[], const int displs[],
                               MPI_Datatype recvtype, const Choice& choice) const {
  const MPI_Comm comm = data_->comm;
  return bind(choice,
              executor::allgatherv_call(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs,
                                        recvtype, comm),
              *data_, [=, recvcounts = copy_of(recvcounts, comm), displs = copy_of(displs, comm)] {
                return MPI_Allgatherv(sendbuf, sendcount, sendtype, recvbuf, recvcounts.get(),
                                      displs.get(), recvtype, comm);
              });
}

Bound Communicator::allreduce(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype,
                              MPI_Op op, const Choice& choice) const {
  const MPI_Comm comm = data_->comm;
  return bind(choice, executor::allreduce_call(sendbuf, recvbuf, count, datatype, op, comm), *data_,
              [=] { return MPI_Allreduce(sendbuf, recvbuf, count, datatype, op, comm); });
}

Bound Communicator::barrier(const Choice& choice) const {
  const MPI_Comm comm = data_->comm;
  return bind(choice, executor::barrier_call(comm), *data_, [=] { return MPI_Barrier(comm); });
}

Bound Communicator::bcast(void* buffer, int count, MPI_Datatype datatype, int root,
                          const Choice& choice) const {
  const MPI_Comm comm = data_->comm;
  return bind(choice, executor::bcast_call(buffer, count, datatype, root, comm), *data_,
              [=] { return MPI_Bcast(buffer, count, datatype, root, comm); });
}

Bound Communicator::gather(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                           int recvcount, MPI_Datatype recvtype, int root,
                           const Choice& choice) const {
  const MPI_Comm comm = data_->comm;
  return bind(
      choice,
      executor::gather_call(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm),
      *data_, [=] {
        return MPI_Gather(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm);
      });
}

Bound Communicator::gatherv(const void* sendbuf, int sendcount, MPI_Datatype sendtype,
                            void* recvbuf, const int recvcounts[], const int displs[],
                            MPI_Datatype recvtype, int root, const Choice& choice) const {
  const MPI_Comm comm = data_->comm;
  const bool here = data_->me == root;
  return bind(choice,
              executor::gatherv_call(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs,
                                     recvtype, root, comm),
              *data_,
              [=, recvcounts = copy_of(here ? recvcounts : nullptr, comm),
               displs = copy_of(here ? displs : nullptr, comm)] {
                return MPI_Gatherv(sendbuf, sendcount, sendtype, recvbuf, recvcounts.get(),
                                   displs.get(), recvtype, root, comm);
              });
}

Bound Communicator::reduce(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype,
                           MPI_Op op, int root, const Choice& choice) const {
  const MPI_Comm comm = data_->comm;
  return bind(choice, executor::reduce_call(sendbuf, recvbuf, count, datatype, op, root, comm),
              *data_,
              [=] { return MPI_Reduce(sendbuf, recvbuf, count, datatype, op, root, comm); });
}

Bound Communicator::reduce_scatter(const void* sendbuf, void* recvbuf, const int recvcounts[],
                                   MPI_Datatype datatype, MPI_Op op, const Choice& choice) const {
  const MPI_Comm comm = data_->comm;
  return bind(choice,
              executor::reduce_scatter_call(sendbuf, recvbuf, recvcounts, datatype, op, comm),
              *data_, [=, recvcounts = copy_of(recvcounts, comm)] {
                return MPI_Reduce_scatter(sendbuf, recvbuf, recvcounts.get(), datatype, op, comm);
              });
}

Bound Communicator::reduce_scatter_block(const void* sendbuf, void* recvbuf, int recvcount,
                                         MPI_Datatype datatype, MPI_Op op,
                                         const Choice& choice) const {
  const MPI_Comm comm = data_->comm;
  return bind(
      choice, executor::reduce_scatter_block_call(sendbuf, recvbuf, recvcount, datatype, op, comm),
      *data_,
      [=] { return MPI_Reduce_scatter_block(sendbuf, recvbuf, recvcount, datatype, op, comm); });
}

Bound Communicator::scatter(const void* sendbuf, int sendcount, MPI_Datatype sendtype,
                            void* recvbuf, int recvcount, MPI_Datatype recvtype, int root,
                            const Choice& choice) const {
  const MPI_Comm comm = data_->comm;
  return bind(choice,
              executor::scatter_call(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype,
                                     root, comm),
              *data_, [=] {
                return MPI_Scatter(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root,
                                   comm);
              });
}

Bound Communicator::scatterv(const void* sendbuf, const int sendcounts[], const int displs[],
                             MPI_Datatype sendtype, void* recvbuf, int recvcount,
                             MPI_Datatype recvtype, int root, const Choice& choice) const {
  const MPI_Comm comm = data_->comm;
  const bool here = data_->me == root;
  return bind(choice,
              executor::scatterv_call(sendbuf, sendcounts, displs, sendtype, recvbuf, recvcount,
                                      recvtype, root, comm),
              *data_,
              [=, sendcounts = copy_of(here ? sendcounts : nullptr, comm),
               displs = copy_of(here ? displs : nullptr, comm)] {
                return MPI_Scatterv(sendbuf, sendcounts.get(), displs.get(), sendtype, recvbuf,
                                    recvcount, recvtype, root, comm);
              });
}

}  // namespace breakeven
