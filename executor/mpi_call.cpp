// SPDX-License-Identifier: BSD-3-Clause
#include "executor/mpi_call.hpp"

#include <utility>

#include "core/error.hpp"
#include "executor/element_type.hpp"
#include "executor/mpi_types.hpp"

namespace breakeven::executor {

namespace {

/// As MPI takes them.
struct IntShares {
  explicit IntShares(const std::shared_ptr<const Shares>& shares) {
    for (const std::int64_t count : counts_in(shares)) counts.push_back(static_cast<int>(count));
    for (const std::int64_t place : displacements_in(shares)) {
      places.push_back(static_cast<int>(place));
    }
    const auto of = types_in(shares);
    types.assign(of.begin(), of.end());
  }
  std::vector<int> counts{};
  std::vector<int> places{};
  std::vector<MPI_Datatype> types{};
};

/// The shares of a vector of one datatype, as alltoallw takes them.
Shares typed(Shares shares, MPI_Datatype type, Bytes extent) {
  for (std::int64_t& place : shares.displacements) place *= extent.value;
  shares.types.assign(shares.counts.size(), type);
  return shares;
}

}  // namespace

std::vector<std::int64_t> bytes_in(const std::shared_ptr<const Shares>& shares, MPI_Datatype type) {
  const auto counts = counts_in(shares);
  const auto types = types_in(shares);
  const std::int64_t size = types.empty() && !counts.empty() ? size_of(type) : 0;
  std::vector<std::int64_t> bytes;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const bool own = !types.empty() && counts[i] > 0;
    bytes.push_back(counts[i] * (own ? size_of(types[i]) : size));
  }
  return bytes;
}

MpiCall mpi_call_of(const kernels::CollectiveCall& call, const void* input, void* output, MPI_Op op,
                    MPI_Comm comm) {
  const kernels::Problem& problem = call.problem;
  const MPI_Datatype type = mpi_datatype(call.datatype);
  MpiCall result{.collective = problem.collective,
                 .root = problem.root.value,
                 .op = op,
                 .comm = comm,
                 .input = buffer_of(input, call.count, type),
                 .output = buffer_of(output, call.count, type)};
  if (!irregular(problem.collective)) return result;
  const kernels::IntBlocks blocks = kernels::int_blocks_of(call);
  result.input.count = blocks.own;
  result.output.count = blocks.own;
  Shares shares{{blocks.counts.begin(), blocks.counts.end()},
                {blocks.displacements.begin(), blocks.displacements.end()}};
  if (problem.collective == Collective::alltoallw) {
    shares = typed(std::move(shares), type, extent(call.datatype));
  }
  result.shares = std::make_shared<const Shares>(std::move(shares));
  if (personalised(problem.collective)) result.sent = result.shares;
  return result;
}

LibraryCall library_call(const MpiCall& call) {
  const auto address = [&](const CallBuffer& buffer) {
    return call.in_place && !buffer.present() ? MPI_IN_PLACE : buffer.address;
  };
  const auto shares = std::make_shared<const IntShares>(call.shares);
  const auto sent_shares = std::make_shared<const IntShares>(call.sent);
  const auto by = [&](const char* name, auto* function, auto* starting, auto... arguments) {
    const auto kept = std::pair{shares, sent_shares};
    return LibraryCall{.run = [=, kept = kept] { check_mpi(function(arguments...), name); },
                       .start =
                           [=, kept = kept] {
                             MPI_Request request = MPI_REQUEST_NULL;
                             check_mpi(starting(arguments..., &request), name);
                             return request;
                           }};
  };
  const void* const in = address(call.input);
  void* const out = address(call.output);
  const int* const ns = shares->counts.data();
  const int* const at = shares->places.data();
  const int* const ms = sent_shares->counts.data();
  const int* const places = sent_shares->places.data();
  const MPI_Datatype* const types = sent_shares->types.data();
  const MPI_Datatype* const into = shares->types.data();
  const auto sent = static_cast<int>(call.input.count);
  const auto received = static_cast<int>(call.output.count);
  const auto count = static_cast<int>(call.described().count);
  const MPI_Datatype from = call.input.type;
  const MPI_Datatype to = call.output.type;
  const MPI_Datatype type = call.described().type;
  const int root = call.root;
  const MPI_Op op = call.op;
  const MPI_Comm comm = call.comm;
  switch (call.collective) {
    case Collective::allgather:
      return by("MPI_Allgather", MPI_Allgather, MPI_Iallgather, in, sent, from, out, received, to,
                comm);
    case Collective::allgatherv:
      return by("MPI_Allgatherv", MPI_Allgatherv, MPI_Iallgatherv, in, sent, from, out, ns, at, to,
                comm);
    case Collective::allreduce:
      return by("MPI_Allreduce", MPI_Allreduce, MPI_Iallreduce, in, out, count, type, op, comm);
    case Collective::alltoall:
      return by("MPI_Alltoall", MPI_Alltoall, MPI_Ialltoall, in, sent, from, out, received, to,
                comm);
    case Collective::alltoallv:
      return by("MPI_Alltoallv", MPI_Alltoallv, MPI_Ialltoallv, in, ms, places, from, out, ns, at,
                to, comm);
    case Collective::alltoallw:
      return by("MPI_Alltoallw", MPI_Alltoallw, MPI_Ialltoallw, in, ms, places, types, out, ns, at,
                into, comm);
    case Collective::barrier: return by("MPI_Barrier", MPI_Barrier, MPI_Ibarrier, comm);
    case Collective::bcast:
      return by("MPI_Bcast", MPI_Bcast, MPI_Ibcast, out, received, to, root, comm);
    case Collective::exscan:
      return by("MPI_Exscan", MPI_Exscan, MPI_Iexscan, in, out, count, type, op, comm);
    case Collective::gather:
      return by("MPI_Gather", MPI_Gather, MPI_Igather, in, sent, from, out, received, to, root,
                comm);
    case Collective::gatherv:
      return by("MPI_Gatherv", MPI_Gatherv, MPI_Igatherv, in, sent, from, out, ns, at, to, root,
                comm);
    case Collective::reduce:
      return by("MPI_Reduce", MPI_Reduce, MPI_Ireduce, in, out, count, type, op, root, comm);
    case Collective::reduce_scatter:
      return by("MPI_Reduce_scatter", MPI_Reduce_scatter, MPI_Ireduce_scatter, in, out, ns, type,
                op, comm);
    case Collective::reduce_scatter_block:
      return by("MPI_Reduce_scatter_block", MPI_Reduce_scatter_block, MPI_Ireduce_scatter_block, in,
                out, count, type, op, comm);
    case Collective::scan:
      return by("MPI_Scan", MPI_Scan, MPI_Iscan, in, out, count, type, op, comm);
    case Collective::scatter:
      return by("MPI_Scatter", MPI_Scatter, MPI_Iscatter, in, sent, from, out, received, to, root,
                comm);
    case Collective::scatterv:
      return by("MPI_Scatterv", MPI_Scatterv, MPI_Iscatterv, in, ns, at, from, out, received, to,
                root, comm);
  }
  throw Error("not a collective");
}

}  // namespace breakeven::executor
