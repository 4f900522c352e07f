// SPDX-License-Identifier: BSD-3-Clause
// allgather(v), gather(v) and alltoall.
#include "mock_ups/composed/mock_up_call.hpp"

namespace breakeven::composed {

namespace {

using executor::check_mpi;
using In = const std::byte*;
using Out = std::byte*;

/// Each rank's vector is its own block among zeros: their bitwise or is all blocks.
Run allgathered_by_allreduce(const MockUpCall& c) {
  return [c](In in, Out out) {
    std::memset(out, 0, c.place(c.total));
    std::memcpy(out + c.own_place(), in, c.place(c.own()));
    check_mpi(PMPI_Allreduce(MPI_IN_PLACE, out, c.bytes(c.total), MPI_BYTE, MPI_BOR, c.comm),
              "MPI_Allreduce");
  };
}

Run gathered_by_reduce(MockUpCall c) {
  std::byte* const own_block = c.keep(c.total);
  return [c, own_block](In in, Out out) {
    std::memcpy(own_block + c.own_place(), in, c.place(c.own()));
    check_mpi(PMPI_Reduce(own_block, out, c.bytes(c.total), MPI_BYTE, MPI_BOR, c.root, c.comm),
              "MPI_Reduce");
  };
}

Run by_allgatherv(MockUpCall c, bool everywhere) {
  std::byte* const aside = everywhere || c.at_root() ? nullptr : c.keep(c.total);
  return [c, aside](In in, Out out) {
    check_mpi(
        PMPI_Allgatherv(in, c.own(), c.type, aside == nullptr ? out : aside, c.blocks.counts.data(),
                        c.blocks.displacements.data(), c.type, c.comm),
        "MPI_Allgatherv");
  };
}

Run by_gatherv(const MockUpCall& c, int root, bool passed_on) {
  return [c, root, passed_on](In in, Out out) {
    check_mpi(PMPI_Gatherv(in, c.own(), c.type, out, c.blocks.counts.data(),
                           c.blocks.displacements.data(), c.type, root, c.comm),
              "MPI_Gatherv");
    if (passed_on) check_mpi(PMPI_Bcast(out, c.total, c.type, root, c.comm), "MPI_Bcast");
  };
}

Run allgather(std::string_view terms, MockUpCall c) {
  if (terms == "allgatherv") return by_allgatherv(c, true);
  if (terms == "allreduce") return allgathered_by_allreduce(c);
  if (terms == "alltoall") {
    std::byte* const copies = c.keep(c.total);
    return [c, copies](In in, Out out) {
      for (int i = 0; i < c.procs; ++i) {
        std::memcpy(copies + c.place(i * c.count), in, c.place(c.count));
      }
      check_mpi(PMPI_Alltoall(copies, c.count, c.type, out, c.count, c.type, c.comm),
                "MPI_Alltoall");
    };
  }
  if (terms != "gather+bcast") return nullptr;
  return [c](In in, Out out) {
    check_mpi(PMPI_Gather(in, c.count, c.type, out, c.count, c.type, 0, c.comm), "MPI_Gather");
    check_mpi(PMPI_Bcast(out, c.total, c.type, 0, c.comm), "MPI_Bcast");
  };
}

/// From the owner of the one block that is not empty.
Run by_bcast(const MockUpCall& c) {
  return [c, owner = c.longest_at()](In in, Out out) {
    if (c.me == owner) std::memcpy(out, in, c.place(c.total));
    check_mpi(PMPI_Bcast(out, c.total, c.type, owner, c.comm), "MPI_Bcast");
  };
}

Run allgatherv(std::string_view terms, MockUpCall c) {
  if (terms == "bcast") return by_bcast(c);
  if (terms == "allreduce") return allgathered_by_allreduce(c);
  if (terms == "gatherv+bcast") return by_gatherv(c, 0, true);
  if (terms == "alltoallv") {
    const std::vector<int> counts(c.blocks.counts.size(), c.own());
    const std::vector<int> places(c.blocks.counts.size(), 0);
    return [c, counts, places](In in, Out out) {
      check_mpi(
          PMPI_Alltoallv(in, counts.data(), places.data(), c.type, out, c.blocks.counts.data(),
                         c.blocks.displacements.data(), c.type, c.comm),
          "MPI_Alltoallv");
    };
  }
  if (terms != "allgather") return nullptr;
  std::byte* const padded = c.keep(std::int64_t{c.longest} * (c.procs + 1));
  std::byte* const own_block = padded + c.place(c.longest * c.procs);
  return [c, padded, own_block](In in, Out out) {
    std::memcpy(own_block, in, c.place(c.own()));
    check_mpi(PMPI_Allgather(own_block, c.longest, c.type, padded, c.longest, c.type, c.comm),
              "MPI_Allgather");
    c.strip(padded, out);
  };
}

Run gather(std::string_view terms, MockUpCall c) {
  if (terms == "gatherv") return by_gatherv(c, c.root, false);
  if (terms == "reduce") return gathered_by_reduce(c);
  if (terms != "allgather") return nullptr;
  std::byte* const aside = c.at_root() ? nullptr : c.keep(c.total);
  return [c, aside](In in, Out out) {
    std::byte* const all = aside == nullptr ? out : aside;
    check_mpi(PMPI_Allgather(in, c.count, c.type, all, c.count, c.type, c.comm), "MPI_Allgather");
  };
}

Run gatherv(std::string_view terms, MockUpCall c) {
  if (terms == "allgatherv") return by_allgatherv(c, false);
  if (terms == "reduce") return gathered_by_reduce(c);
  if (terms != "gather") return nullptr;
  std::byte* const padded = c.keep(std::int64_t{c.longest} * (c.procs + 1));
  std::byte* const own_block = padded + c.place(c.longest * c.procs);
  return [c, padded, own_block](In in, Out out) {
    std::memcpy(own_block, in, c.place(c.own()));
    check_mpi(PMPI_Gather(own_block, c.longest, c.type, padded, c.longest, c.type, c.root, c.comm),
              "MPI_Gather");
    if (c.at_root()) c.strip(padded, out);
  };
}

Run alltoall(std::string_view terms, const MockUpCall& c) {
  if (terms != "alltoallv") return nullptr;
  return [c](In in, Out out) {
    const int* const counts = c.blocks.counts.data();
    const int* const places = c.blocks.displacements.data();
    check_mpi(PMPI_Alltoallv(in, counts, places, c.type, out, counts, places, c.type, c.comm),
              "MPI_Alltoallv");
  };
}

}  // namespace

Run collecting_mock_up(std::string_view terms, Collective collective, MockUpCall call) {
  switch (collective) {
    case Collective::allgather: return allgather(terms, std::move(call));
    case Collective::allgatherv: return allgatherv(terms, std::move(call));
    case Collective::gather: return gather(terms, std::move(call));
    case Collective::gatherv: return gatherv(terms, std::move(call));
    case Collective::alltoall: return alltoall(terms, call);
    default: return nullptr;
  }
}

}  // namespace breakeven::composed
