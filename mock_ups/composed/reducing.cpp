// SPDX-License-Identifier: BSD-3-Clause
// allreduce, reduce, reduce_scatter(_block) and scan.
#include "mock_ups/composed/mock_up_call.hpp"

namespace breakeven::composed {

namespace {

using executor::check_mpi;
using In = const std::byte*;
using Out = std::byte*;

void reduce_scatter(const MockUpCall& c, const void* in, void* out, const int* counts) {
  check_mpi(PMPI_Reduce_scatter(in, out, counts, c.type, c.op, c.comm), "MPI_Reduce_scatter");
}

void reduce_scatter_block(const MockUpCall& c, const void* in, void* out) {
  check_mpi(PMPI_Reduce_scatter_block(in, out, c.longest, c.type, c.op, c.comm),
            "MPI_Reduce_scatter_block");
}

Run allreduce(std::string_view terms, MockUpCall c) {
  if (terms == "reduce+bcast") {
    return [c](In in, Out out) {
      check_mpi(PMPI_Reduce(in, out, c.count, c.type, c.op, 0, c.comm), "MPI_Reduce");
      check_mpi(PMPI_Bcast(out, c.count, c.type, 0, c.comm), "MPI_Bcast");
    };
  }
  if (terms == "reduce_scatter+allgatherv") {
    return [c](In in, Out out) {
      reduce_scatter(c, in, out + c.own_place(), c.blocks.counts.data());
      check_mpi(PMPI_Allgatherv(MPI_IN_PLACE, 0, c.type, out, c.blocks.counts.data(),
                                c.blocks.displacements.data(), c.type, c.comm),
                "MPI_Allgatherv");
    };
  }
  if (terms != "reduce_scatter_block+allgather") return nullptr;
  const int padded = c.longest * c.procs;
  const bool divides = padded == c.count;
  std::byte* const padded_in = divides ? nullptr : c.keep(2 * std::int64_t{padded});
  std::byte* const padded_out = divides ? nullptr : padded_in + c.place(padded);
  return [c, divides, padded_in, padded_out](In in, Out out) {
    if (!divides) std::memcpy(padded_in, in, c.place(c.count));
    std::byte* const parts = divides ? out : padded_out;
    reduce_scatter_block(c, divides ? in : padded_in, parts + c.place(c.me * c.longest));
    check_mpi(PMPI_Allgather(MPI_IN_PLACE, 0, c.type, parts, c.longest, c.type, c.comm),
              "MPI_Allgather");
    if (!divides) std::memcpy(out, padded_out, c.place(c.count));
  };
}

Run reduce(std::string_view terms, MockUpCall c) {
  if (terms == "allreduce") {
    std::byte* const aside = c.at_root() ? nullptr : c.keep(c.count);
    return [c, aside](In in, Out out) {
      check_mpi(PMPI_Allreduce(in, aside == nullptr ? out : aside, c.count, c.type, c.op, c.comm),
                "MPI_Allreduce");
    };
  }
  if (terms == "reduce_scatter") {
    std::vector<int> counts(c.blocks.counts.size(), 0);
    counts[static_cast<std::size_t>(c.root)] = c.count;
    std::byte* const aside = c.at_root() ? nullptr : c.keep(0);
    return [c, counts, aside](In in, Out out) {
      reduce_scatter(c, in, aside == nullptr ? out : aside, counts.data());
    };
  }
  if (terms == "reduce_scatter+gatherv") {
    std::byte* const part = c.keep(c.own());
    return [c, part](In in, Out out) {
      reduce_scatter(c, in, part, c.blocks.counts.data());
      check_mpi(PMPI_Gatherv(part, c.own(), c.type, out, c.blocks.counts.data(),
                             c.blocks.displacements.data(), c.type, c.root, c.comm),
                "MPI_Gatherv");
    };
  }
  if (terms != "reduce_scatter_block+gather") return nullptr;
  const int padded = c.longest * c.procs;
  std::byte* const padded_in = c.keep(2 * std::int64_t{padded} + c.longest);
  std::byte* const padded_out = padded_in + c.place(padded);
  std::byte* const part = padded_out + c.place(padded);
  const bool divides = padded == c.count;
  return [c, divides, padded_in, padded_out, part](In in, Out out) {
    if (!divides) std::memcpy(padded_in, in, c.place(c.count));
    reduce_scatter_block(c, divides ? in : padded_in, part);
    check_mpi(PMPI_Gather(part, c.longest, c.type, divides ? out : padded_out, c.longest, c.type,
                          c.root, c.comm),
              "MPI_Gather");
    if (!divides && c.at_root()) std::memcpy(out, padded_out, c.place(c.count));
  };
}

Run by_allreduce(MockUpCall c) {
  std::byte* const all = c.keep(c.total);
  return [c, all](In in, Out out) {
    check_mpi(PMPI_Allreduce(in, all, c.total, c.type, c.op, c.comm), "MPI_Allreduce");
    std::memcpy(out, all + c.own_place(), c.place(c.own()));
  };
}

Run by_reduce_and_scatterv(MockUpCall c) {
  std::byte* const all = c.keep(c.total);
  return [c, all](In in, Out out) {
    check_mpi(PMPI_Reduce(in, all, c.total, c.type, c.op, 0, c.comm), "MPI_Reduce");
    check_mpi(PMPI_Scatterv(all, c.blocks.counts.data(), c.blocks.displacements.data(), c.type, out,
                            c.own(), c.type, 0, c.comm),
              "MPI_Scatterv");
  };
}

/// To the owner of the one block that is not empty.
Run by_reduce(const MockUpCall& c) {
  return [c, owner = c.longest_at()](In in, Out out) {
    check_mpi(PMPI_Reduce(in, out, c.total, c.type, c.op, owner, c.comm), "MPI_Reduce");
  };
}

Run reduce_scatter_mock_up(std::string_view terms, MockUpCall c) {
  if (terms == "allreduce") return by_allreduce(std::move(c));
  if (terms == "reduce") return by_reduce(c);
  if (terms == "reduce+scatterv") return by_reduce_and_scatterv(std::move(c));
  if (terms != "reduce_scatter_block") return nullptr;
  std::byte* const padded = c.keep(std::int64_t{c.longest} * (c.procs + 1));
  std::byte* const part = padded + c.place(c.longest * c.procs);
  return [c, padded, part](In in, Out out) {
    c.pad(in, padded);
    reduce_scatter_block(c, padded, part);
    std::memcpy(out, part, c.place(c.own()));
  };
}

Run reduce_scatter_block_mock_up(std::string_view terms, MockUpCall c) {
  if (terms == "allreduce") return by_allreduce(std::move(c));
  if (terms == "reduce_scatter") {
    return [c](In in, Out out) { reduce_scatter(c, in, out, c.blocks.counts.data()); };
  }
  if (terms != "reduce+scatter") return nullptr;
  std::byte* const all = c.keep(c.total);
  return [c, all](In in, Out out) {
    check_mpi(PMPI_Reduce(in, all, c.total, c.type, c.op, 0, c.comm), "MPI_Reduce");
    check_mpi(PMPI_Scatter(all, c.count, c.type, out, c.count, c.type, 0, c.comm), "MPI_Scatter");
  };
}

Run scan(std::string_view terms, MockUpCall c) {
  if (terms != "exscan+reduce_local") return nullptr;
  std::byte* const before = c.keep(c.count);
  return [c, before](In in, Out out) {
    check_mpi(PMPI_Exscan(in, before, c.count, c.type, c.op, c.comm), "MPI_Exscan");
    std::memcpy(out, in, c.place(c.count));
    if (c.me == 0) return;
    check_mpi(PMPI_Reduce_local(before, out, c.count, c.type, c.op), "MPI_Reduce_local");
  };
}

}  // namespace

Run reducing_mock_up(std::string_view terms, Collective collective, MockUpCall call) {
  switch (collective) {
    case Collective::allreduce: return allreduce(terms, std::move(call));
    case Collective::reduce: return reduce(terms, std::move(call));
    case Collective::reduce_scatter: return reduce_scatter_mock_up(terms, std::move(call));
    case Collective::reduce_scatter_block:
      return reduce_scatter_block_mock_up(terms, std::move(call));
    case Collective::scan: return scan(terms, std::move(call));
    default: return nullptr;
  }
}

}  // namespace breakeven::composed
