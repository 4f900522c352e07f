// SPDX-License-Identifier: BSD-3-Clause
#include "executor/mpi_call.hpp"

#include <type_traits>
#include <utility>

#include "core/error.hpp"
#include "executor/element_type.hpp"
#include "executor/mpi_types.hpp"

#ifdef OPEN_MPI
#include <mpi-ext.h>
#endif

// The functions of a collective's three forms, and its name. Open MPI 4 has the persistent ones as
// an extension of MPI 3, SMPI has none.
#if BREAKEVEN_HAS_PERSISTENT
#define BREAKEVEN_PERSISTENT(Name) MPI_##Name##_init
#elif defined(OMPI_HAVE_MPI_EXT_PCOLLREQ)
#define BREAKEVEN_PERSISTENT(Name) MPIX_##Name##_init
#else
#define BREAKEVEN_PERSISTENT(Name) nullptr
#endif
#define BREAKEVEN_FORMS(Name, name) \
  "MPI_" #Name, MPI_##Name, MPI_I##name, BREAKEVEN_PERSISTENT(Name)

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

void take_bytes(const std::shared_ptr<const Shares>& shares, MPI_Datatype type,
                std::vector<std::int64_t>& bytes) {
  const auto counts = counts_in(shares);
  const auto types = types_in(shares);
  const std::int64_t size = types.empty() && !counts.empty() ? size_of(type) : 0;
  bytes.resize(counts.size());
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const bool own = !types.empty() && counts[i] > 0;
    bytes[i] = counts[i] * (own ? size_of(types[i]) : size);
  }
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
  const auto by = [&](const char* name, auto* function, auto* starting, auto making,
                      auto... arguments) {
    const auto kept = std::pair{shares, sent_shares};
    const auto request_of = [=](auto* starts, auto... more) {
      return [=, kept = kept] {
        MPI_Request request = MPI_REQUEST_NULL;
        check_mpi(starts(arguments..., more..., &request), name);
        return request;
      };
    };
    LibraryCall made{.run = [=, kept = kept] { check_mpi(function(arguments...), name); },
                     .start = request_of(starting)};
    if constexpr (!std::is_null_pointer_v<decltype(making)>) {
      made.make = request_of(making, MPI_INFO_NULL);
    }
    return made;
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
      return by(BREAKEVEN_FORMS(Allgather, allgather), in, sent, from, out, received, to, comm);
    case Collective::allgatherv:
      return by(BREAKEVEN_FORMS(Allgatherv, allgatherv), in, sent, from, out, ns, at, to, comm);
    case Collective::allreduce:
      return by(BREAKEVEN_FORMS(Allreduce, allreduce), in, out, count, type, op, comm);
    case Collective::alltoall:
      return by(BREAKEVEN_FORMS(Alltoall, alltoall), in, sent, from, out, received, to, comm);
    case Collective::alltoallv:
      return by(BREAKEVEN_FORMS(Alltoallv, alltoallv), in, ms, places, from, out, ns, at, to, comm);
    case Collective::alltoallw:
      return by(BREAKEVEN_FORMS(Alltoallw, alltoallw), in, ms, places, types, out, ns, at, into,
                comm);
    case Collective::barrier: return by(BREAKEVEN_FORMS(Barrier, barrier), comm);
    case Collective::bcast: return by(BREAKEVEN_FORMS(Bcast, bcast), out, received, to, root, comm);
    case Collective::exscan:
      return by(BREAKEVEN_FORMS(Exscan, exscan), in, out, count, type, op, comm);
    case Collective::gather:
      return by(BREAKEVEN_FORMS(Gather, gather), in, sent, from, out, received, to, root, comm);
    case Collective::gatherv:
      return by(BREAKEVEN_FORMS(Gatherv, gatherv), in, sent, from, out, ns, at, to, root, comm);
    case Collective::reduce:
      return by(BREAKEVEN_FORMS(Reduce, reduce), in, out, count, type, op, root, comm);
    case Collective::reduce_scatter:
      return by(BREAKEVEN_FORMS(Reduce_scatter, reduce_scatter), in, out, ns, type, op, comm);
    case Collective::reduce_scatter_block:
      return by(BREAKEVEN_FORMS(Reduce_scatter_block, reduce_scatter_block), in, out, count, type,
                op, comm);
    case Collective::scan: return by(BREAKEVEN_FORMS(Scan, scan), in, out, count, type, op, comm);
    case Collective::scatter:
      return by(BREAKEVEN_FORMS(Scatter, scatter), in, sent, from, out, received, to, root, comm);
    case Collective::scatterv:
      return by(BREAKEVEN_FORMS(Scatterv, scatterv), in, ns, at, from, out, received, to, root,
                comm);
  }
  throw Error("not a collective");
}

}  // namespace breakeven::executor
