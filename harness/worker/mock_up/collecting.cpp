// SPDX-License-Identifier: BSD-3-Clause
// allgather(v), gather(v) and alltoall.
#include "harness/worker/mock_up/mock_up.hpp"

namespace breakeven::worker {

namespace {

using executor::check_mpi;
using Run = std::function<void()>;

/// Blocks of zeros beside the own one: their bitwise or is all blocks.
Run allgathered_by_allreduce(const MockUpCall& c) {
  return [c] {
    std::memset(c.out, 0, c.place(c.total));
    std::memcpy(c.out + c.own_place(), c.in, c.place(c.own()));
    check_mpi(MPI_Allreduce(MPI_IN_PLACE, c.out, c.bytes(c.total), MPI_BYTE, MPI_BOR, c.comm),
              "MPI_Allreduce");
  };
}

Run gathered_by_reduce(MockUpCall c) {
  std::byte* const own_block = c.keep(c.total);
  return [c, own_block] {
    std::memcpy(own_block + c.own_place(), c.in, c.place(c.own()));
    check_mpi(MPI_Reduce(own_block, c.out, c.bytes(c.total), MPI_BYTE, MPI_BOR, c.root, c.comm),
              "MPI_Reduce");
  };
}

Run by_allgatherv(MockUpCall c, bool everywhere) {
  std::byte* const all = everywhere || c.at_root() ? c.out : c.keep(c.total);
  return [c, all] {
    check_mpi(MPI_Allgatherv(c.in, c.own(), c.type, all, c.blocks.counts.data(),
                             c.blocks.displacements.data(), c.type, c.comm),
              "MPI_Allgatherv");
  };
}

Run by_gatherv(const MockUpCall& c, int root, bool passed_on) {
  return [c, root, passed_on] {
    check_mpi(MPI_Gatherv(c.in, c.own(), c.type, c.out, c.blocks.counts.data(),
                          c.blocks.displacements.data(), c.type, root, c.comm),
              "MPI_Gatherv");
    if (passed_on) check_mpi(MPI_Bcast(c.out, c.total, c.type, root, c.comm), "MPI_Bcast");
  };
}

Run allgather(std::string_view name, MockUpCall c) {
  if (name == "native:allgatherv") return by_allgatherv(c, true);
  if (name == "native:allreduce") return allgathered_by_allreduce(c);
  if (name == "native:alltoall") {
    std::byte* const copies = c.keep(c.total);
    return [c, copies] {
      for (int i = 0; i < c.procs; ++i) {
        std::memcpy(copies + c.place(i * c.count), c.in, c.place(c.count));
      }
      check_mpi(MPI_Alltoall(copies, c.count, c.type, c.out, c.count, c.type, c.comm),
                "MPI_Alltoall");
    };
  }
  if (name != "native:gather+bcast") return nullptr;
  return [c] {
    check_mpi(MPI_Gather(c.in, c.count, c.type, c.out, c.count, c.type, 0, c.comm), "MPI_Gather");
    check_mpi(MPI_Bcast(c.out, c.total, c.type, 0, c.comm), "MPI_Bcast");
  };
}

/// From the owner of the one block that is not empty.
Run by_bcast(const MockUpCall& c) {
  return [c, owner = c.longest_at()] {
    if (c.me == owner) std::memcpy(c.out, c.in, c.place(c.total));
    check_mpi(MPI_Bcast(c.out, c.total, c.type, owner, c.comm), "MPI_Bcast");
  };
}

Run allgatherv(std::string_view name, MockUpCall c) {
  if (name == "native:bcast") return by_bcast(c);
  if (name == "native:allreduce") return allgathered_by_allreduce(c);
  if (name == "native:gatherv+bcast") return by_gatherv(c, 0, true);
  if (name == "native:alltoallv") {
    const std::vector<int> counts(c.blocks.counts.size(), c.own());
    const std::vector<int> places(c.blocks.counts.size(), 0);
    return [c, counts, places] {
      check_mpi(
          MPI_Alltoallv(c.in, counts.data(), places.data(), c.type, c.out, c.blocks.counts.data(),
                        c.blocks.displacements.data(), c.type, c.comm),
          "MPI_Alltoallv");
    };
  }
  if (name != "native:allgather") return nullptr;
  std::byte* const padded = c.keep(std::int64_t{c.longest} * (c.procs + 1));
  std::byte* const own_block = padded + c.place(c.longest * c.procs);
  return [c, padded, own_block] {
    std::memcpy(own_block, c.in, c.place(c.own()));
    check_mpi(MPI_Allgather(own_block, c.longest, c.type, padded, c.longest, c.type, c.comm),
              "MPI_Allgather");
    c.strip(padded, c.out);
  };
}

Run gather(std::string_view name, MockUpCall c) {
  if (name == "native:gatherv") return by_gatherv(c, c.root, false);
  if (name == "native:reduce") return gathered_by_reduce(c);
  if (name != "native:allgather") return nullptr;
  std::byte* const all = c.at_root() ? c.out : c.keep(c.total);
  return [c, all] {
    check_mpi(MPI_Allgather(c.in, c.count, c.type, all, c.count, c.type, c.comm), "MPI_Allgather");
  };
}

Run gatherv(std::string_view name, MockUpCall c) {
  if (name == "native:allgatherv") return by_allgatherv(c, false);
  if (name == "native:reduce") return gathered_by_reduce(c);
  if (name != "native:gather") return nullptr;
  std::byte* const padded = c.keep(std::int64_t{c.longest} * (c.procs + 1));
  std::byte* const own_block = padded + c.place(c.longest * c.procs);
  return [c, padded, own_block] {
    std::memcpy(own_block, c.in, c.place(c.own()));
    check_mpi(MPI_Gather(own_block, c.longest, c.type, padded, c.longest, c.type, c.root, c.comm),
              "MPI_Gather");
    if (c.at_root()) c.strip(padded, c.out);
  };
}

Run alltoall(std::string_view name, const MockUpCall& c) {
  if (name != "native:alltoallv") return nullptr;
  return [c] {
    const int* const counts = c.blocks.counts.data();
    const int* const places = c.blocks.displacements.data();
    check_mpi(MPI_Alltoallv(c.in, counts, places, c.type, c.out, counts, places, c.type, c.comm),
              "MPI_Alltoallv");
  };
}

}  // namespace

std::function<void()> collecting_mock_up(std::string_view name, Collective collective,
                                         MockUpCall call) {
  switch (collective) {
    case Collective::allgather: return allgather(name, std::move(call));
    case Collective::allgatherv: return allgatherv(name, std::move(call));
    case Collective::gather: return gather(name, std::move(call));
    case Collective::gatherv: return gatherv(name, std::move(call));
    case Collective::alltoall: return alltoall(name, call);
    default: return nullptr;
  }
}

}  // namespace breakeven::worker
