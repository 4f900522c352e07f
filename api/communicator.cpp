// SPDX-License-Identifier: BSD-3-Clause
#include "api/breakeven/communicator.hpp"

#include <fmt/format.h>

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "api/bound_call.hpp"
#include "api/by_table.hpp"
#include "api/comm_calls.hpp"
#include "api/unfit.hpp"
#include "core/error.hpp"
#include "core/files.hpp"
#include "executor/communicator.hpp"
#include "executor/mpi_call.hpp"
#include "executor/mpi_error.hpp"
#include "executor/nodes.hpp"
#include "executor/plan_of.hpp"
#include "libraries/forced/forced_algorithm.hpp"
#include "tables/formats/own/json.hpp"

namespace breakeven {

struct TableData {
  tables::Table table{};
};

struct CommunicatorData {
  MPI_Comm comm = MPI_COMM_NULL;
  api::CommCalls& calls;  ///< attached to the communicator
  int me = 0;
  bool forces = false;  ///< the library's own algorithms for single calls
  api::LayoutChoices by_table{};
};

namespace {

using executor::MpiCall;

std::shared_ptr<CommunicatorData> data_of(MPI_Comm comm) {
  api::CommCalls& calls = api::CommCalls::of(comm);
  const executor::Communicator& ours = calls.own();
  return std::make_shared<CommunicatorData>(
      CommunicatorData{.comm = comm,
                       .calls = calls,
                       .me = ours.me().value,
                       .forces = forced::one_call_at_a_time(ours),
                       .by_table = {.layout = executor::found_layout(ours)}});
}

/// Native: the MPI library chooses.
Variant choice_of(const Choice& choice, const MpiCall& call, const CommunicatorData& data) {
  const bool valid = api::is_valid(call, data.by_table.layout.procs, data.me);
  if (choice.text().empty()) {
    const Variant* const chosen = valid ? api::choose(data.by_table, call) : nullptr;
    return chosen == nullptr ? Native{} : *chosen;
  }
  Variant chosen = Variant::parse(choice.text());
  if (chosen.is<Native>()) return chosen;
  if (!valid) {
    throw UsageError(
        fmt::format("MPI permits no {} with these arguments", kCollectives.of(call.collective)));
  }
  if (const auto reason = api::unfit(chosen, call, data.by_table.layout)) throw UsageError(*reason);
  return chosen;
}

api::BoundChoice bound_choice(const Variant& choice, const MpiCall& call,
                              std::span<const std::int64_t> shares, const CommunicatorData& data) {
  const NodeLayout& layout = data.by_table.layout;
  if (choice.is<LibraryOwn>() && !data.forces) {
    throw UsageError(
        fmt::format("{}, which threads would all run: with MPI_THREAD_MULTIPLE nothing is forced "
                    "for a single call",
                    algorithm_text(api::library_case(choice, call, layout))));
  }
  if (const api::KeptChoice* const found = data.calls.find(call, to_text(choice))) {
    return found->choice;
  }
  api::KeptChoice made{data.calls.bind(choice, call, layout, shares, forced::Unable::fails)};
  std::optional<api::SizeRange> sizes;
  if (made.choice.plan() != nullptr) sizes.emplace();
  return data.calls.keep(call, std::move(made), sizes).choice;
}

Bound bind(const Choice& choice, MpiCall call,
           const std::shared_ptr<const CommunicatorData>& data) {
  executor::require_root(call, data->by_table.layout.procs);
  executor::LibraryCall library = executor::library_call(call);
  keep_significant(call, data->me);
  api::BoundChoice bound;
  std::vector<std::int64_t> shares;
  try {
    const Variant chosen = choice_of(choice, call, *data);
    shares = data->calls.shares_of(chosen, call, data->by_table.layout);
    if (!chosen.is<Native>()) bound = bound_choice(chosen, call, shares, *data);
    if (bound.plan() != nullptr) bound.plan()->fit(call, shares);
  } catch (const Error&) {
    if (!choice.text().empty()) throw;  // a table's choice is left to the library
    bound = {};
  }
  const std::string algorithm = to_text(bound.variant);
  const auto bound_call = std::make_shared<api::BoundCall>(api::BoundCall::Terms{
      .choice = std::move(bound),
      .named = !choice.text().empty(),
      .call = std::move(call),
      .shares = std::move(shares),
      .library = std::move(library),
      .calls = &data->calls,
      .layout = std::shared_ptr<const NodeLayout>{data, &data->by_table.layout}});
  return {algorithm, [bound_call] { bound_call->run(); },
          [bound_call] {
            std::string begun = bound_call->start();
            return Request{std::move(begun), [bound_call](bool to_the_end) {
                             return bound_call->advance(to_the_end);
                           }};
          }};
}

}  // namespace

Table::Table(const std::string& file, MPI_Comm comm) {
  const executor::Communicator& ours = api::CommCalls::of(comm).own();
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
  data->by_table = api::choices_of(table.data_->table, data->by_table.layout);
  data_ = data;
}

Bound Communicator::allgather(const void* in, int n, MPI_Datatype from, void* out, int m,
                              MPI_Datatype to, const Choice& choice) const {
  return bind(choice, executor::allgather_call(in, n, from, out, m, to, data_->comm), data_);
}

Bound Communicator::allgatherv(const void* in, int n, MPI_Datatype from, void* out,
                               const int counts[], const int displs[], MPI_Datatype to,
                               const Choice& choice) const {
  return bind(choice, executor::allgatherv_call(in, n, from, out, counts, displs, to, data_->comm),
              data_);
}

Bound Communicator::allreduce(const void* in, void* out, int count, MPI_Datatype type, MPI_Op op,
                              const Choice& choice) const {
  return bind(choice, executor::allreduce_call(in, out, count, type, op, data_->comm), data_);
}

Bound Communicator::alltoall(const void* in, int n, MPI_Datatype from, void* out, int m,
                             MPI_Datatype to, const Choice& choice) const {
  return bind(choice, executor::alltoall_call(in, n, from, out, m, to, data_->comm), data_);
}

Bound Communicator::alltoallv(const void* in, const int sent[], const int sdispls[],
                              MPI_Datatype from, void* out, const int counts[], const int displs[],
                              MPI_Datatype to, const Choice& choice) const {
  return bind(
      choice,
      executor::alltoallv_call(in, sent, sdispls, from, out, counts, displs, to, data_->comm),
      data_);
}

Bound Communicator::alltoallw(const void* in, const int sent[], const int sdispls[],
                              const MPI_Datatype from[], void* out, const int counts[],
                              const int displs[], const MPI_Datatype to[],
                              const Choice& choice) const {
  return bind(
      choice,
      executor::alltoallw_call(in, sent, sdispls, from, out, counts, displs, to, data_->comm),
      data_);
}

Bound Communicator::barrier(const Choice& choice) const {
  return bind(choice, executor::barrier_call(data_->comm), data_);
}

Bound Communicator::bcast(void* data, int count, MPI_Datatype type, int root,
                          const Choice& choice) const {
  return bind(choice, executor::bcast_call(data, count, type, root, data_->comm), data_);
}

Bound Communicator::exscan(const void* in, void* out, int count, MPI_Datatype type, MPI_Op op,
                           const Choice& choice) const {
  return bind(choice, executor::exscan_call(in, out, count, type, op, data_->comm), data_);
}

Bound Communicator::gather(const void* in, int n, MPI_Datatype from, void* out, int m,
                           MPI_Datatype to, int root, const Choice& choice) const {
  return bind(choice, executor::gather_call(in, n, from, out, m, to, root, data_->comm), data_);
}

Bound Communicator::gatherv(const void* in, int n, MPI_Datatype from, void* out, const int counts[],
                            const int displs[], MPI_Datatype to, int root,
                            const Choice& choice) const {
  return bind(choice,
              executor::gatherv_call(in, n, from, out, counts, displs, to, root, data_->comm),
              data_);
}

Bound Communicator::reduce(const void* in, void* out, int count, MPI_Datatype type, MPI_Op op,
                           int root, const Choice& choice) const {
  return bind(choice, executor::reduce_call(in, out, count, type, op, root, data_->comm), data_);
}

Bound Communicator::reduce_scatter(const void* in, void* out, const int counts[], MPI_Datatype type,
                                   MPI_Op op, const Choice& choice) const {
  return bind(choice, executor::reduce_scatter_call(in, out, counts, type, op, data_->comm), data_);
}

Bound Communicator::reduce_scatter_block(const void* in, void* out, int m, MPI_Datatype type,
                                         MPI_Op op, const Choice& choice) const {
  return bind(choice, executor::reduce_scatter_block_call(in, out, m, type, op, data_->comm),
              data_);
}

Bound Communicator::scan(const void* in, void* out, int count, MPI_Datatype type, MPI_Op op,
                         const Choice& choice) const {
  return bind(choice, executor::scan_call(in, out, count, type, op, data_->comm), data_);
}

Bound Communicator::scatter(const void* in, int n, MPI_Datatype from, void* out, int m,
                            MPI_Datatype to, int root, const Choice& choice) const {
  return bind(choice, executor::scatter_call(in, n, from, out, m, to, root, data_->comm), data_);
}

Bound Communicator::scatterv(const void* in, const int counts[], const int displs[],
                             MPI_Datatype from, void* out, int m, MPI_Datatype to, int root,
                             const Choice& choice) const {
  return bind(choice,
              executor::scatterv_call(in, counts, displs, from, out, m, to, root, data_->comm),
              data_);
}

}  // namespace breakeven
