// SPDX-License-Identifier: BSD-3-Clause
// allreduce, reduce, reduce_scatter(_block) and scan.
#include "harness/worker/mock_up/mock_up.hpp"

namespace breakeven::worker {

namespace {

using executor::check_mpi;
using Run = std::function<void()>;

void reduce_scatter(const MockUpCall& c, const void* in, void* out, const int* counts) {
  check_mpi(MPI_Reduce_scatter(in, out, counts, c.type, c.op, c.comm), "MPI_Reduce_scatter");
}

void reduce_scatter_block(const MockUpCall& c, const void* in, void* out) {
  check_mpi(MPI_Reduce_scatter_block(in, out, c.longest, c.type, c.op, c.comm),
            "MPI_Reduce_scatter_block");
}

Run allreduce(std::string_view name, MockUpCall c) {
  if (name == "native:reduce+bcast") {
    return [c] {
      check_mpi(MPI_Reduce(c.in, c.out, c.count, c.type, c.op, 0, c.comm), "MPI_Reduce");
      check_mpi(MPI_Bcast(c.out, c.count, c.type, 0, c.comm), "MPI_Bcast");
    };
  }
  if (name == "native:reduce_scatter+allgatherv") {
    return [c] {
      reduce_scatter(c, c.in, c.out + c.own_place(), c.blocks.counts.data());
      check_mpi(MPI_Allgatherv(MPI_IN_PLACE, 0, c.type, c.out, c.blocks.counts.data(),
                               c.blocks.displacements.data(), c.type, c.comm),
                "MPI_Allgatherv");
    };
  }
  if (name != "native:reduce_scatter_block+allgather") return nullptr;
  const int padded = c.longest * c.procs;
  const bool divides = padded == c.count;
  std::byte* const in = divides ? nullptr : c.keep(2 * std::int64_t{padded});
  std::byte* const out = divides ? c.out : in + c.place(padded);
  return [c, divides, in, out] {
    if (!divides) std::memcpy(in, c.in, c.place(c.count));
    reduce_scatter_block(c, divides ? c.in : in, out + c.place(c.me * c.longest));
    check_mpi(MPI_Allgather(MPI_IN_PLACE, 0, c.type, out, c.longest, c.type, c.comm),
              "MPI_Allgather");
    if (!divides) std::memcpy(c.out, out, c.place(c.count));
  };
}

Run reduce(std::string_view name, MockUpCall c) {
  if (name == "native:allreduce") {
    std::byte* const out = c.at_root() ? c.out : c.keep(c.count);
    return [c, out] {
      check_mpi(MPI_Allreduce(c.in, out, c.count, c.type, c.op, c.comm), "MPI_Allreduce");
    };
  }
  if (name == "native:reduce_scatter") {
    std::vector<int> counts(c.blocks.counts.size(), 0);
    counts[static_cast<std::size_t>(c.root)] = c.count;
    std::byte* const out = c.at_root() ? c.out : c.keep(0);
    return [c, counts, out] { reduce_scatter(c, c.in, out, counts.data()); };
  }
  if (name == "native:reduce_scatter+gatherv") {
    std::byte* const part = c.keep(c.own());
    return [c, part] {
      reduce_scatter(c, c.in, part, c.blocks.counts.data());
      check_mpi(MPI_Gatherv(part, c.own(), c.type, c.out, c.blocks.counts.data(),
                            c.blocks.displacements.data(), c.type, c.root, c.comm),
                "MPI_Gatherv");
    };
  }
  if (name != "native:reduce_scatter_block+gather") return nullptr;
  const int padded = c.longest * c.procs;
  std::byte* const in = c.keep(2 * std::int64_t{padded} + c.longest);
  std::byte* const out = in + c.place(padded);
  std::byte* const part = out + c.place(padded);
  const bool divides = padded == c.count;
  return [c, divides, in, out, part] {
    if (!divides) std::memcpy(in, c.in, c.place(c.count));
    reduce_scatter_block(c, divides ? c.in : in, part);
    check_mpi(MPI_Gather(part, c.longest, c.type, divides ? c.out : out, c.longest, c.type, c.root,
                         c.comm),
              "MPI_Gather");
    if (!divides && c.at_root()) std::memcpy(c.out, out, c.place(c.count));
  };
}

Run by_allreduce(MockUpCall c) {
  std::byte* const all = c.keep(c.total);
  return [c, all] {
    check_mpi(MPI_Allreduce(c.in, all, c.total, c.type, c.op, c.comm), "MPI_Allreduce");
    std::memcpy(c.out, all + c.own_place(), c.place(c.own()));
  };
}

Run by_reduce_and_scatterv(MockUpCall c) {
  std::byte* const all = c.keep(c.total);
  return [c, all] {
    check_mpi(MPI_Reduce(c.in, all, c.total, c.type, c.op, 0, c.comm), "MPI_Reduce");
    check_mpi(MPI_Scatterv(all, c.blocks.counts.data(), c.blocks.displacements.data(), c.type,
                           c.out, c.own(), c.type, 0, c.comm),
              "MPI_Scatterv");
  };
}

/// To the owner of the one block that is not empty.
Run by_reduce(const MockUpCall& c) {
  return [c, owner = c.longest_at()] {
    check_mpi(MPI_Reduce(c.in, c.out, c.total, c.type, c.op, owner, c.comm), "MPI_Reduce");
  };
}

Run reduce_scatter_mock_up(std::string_view name, MockUpCall c) {
  if (name == "native:allreduce") return by_allreduce(std::move(c));
  if (name == "native:reduce") return by_reduce(c);
  if (name == "native:reduce+scatterv") return by_reduce_and_scatterv(std::move(c));
  if (name != "native:reduce_scatter_block") return nullptr;
  std::byte* const padded = c.keep(std::int64_t{c.longest} * (c.procs + 1));
  std::byte* const part = padded + c.place(c.longest * c.procs);
  return [c, padded, part] {
    c.pad(c.in, padded);
    reduce_scatter_block(c, padded, part);
    std::memcpy(c.out, part, c.place(c.own()));
  };
}

Run reduce_scatter_block_mock_up(std::string_view name, MockUpCall c) {
  if (name == "native:allreduce") return by_allreduce(std::move(c));
  if (name == "native:reduce_scatter") {
    return [c] { reduce_scatter(c, c.in, c.out, c.blocks.counts.data()); };
  }
  if (name != "native:reduce+scatter") return nullptr;
  std::byte* const all = c.keep(c.total);
  return [c, all] {
    check_mpi(MPI_Reduce(c.in, all, c.total, c.type, c.op, 0, c.comm), "MPI_Reduce");
    check_mpi(MPI_Scatter(all, c.count, c.type, c.out, c.count, c.type, 0, c.comm), "MPI_Scatter");
  };
}

Run scan(std::string_view name, MockUpCall c) {
  if (name != "native:exscan+reduce_local") return nullptr;
  std::byte* const before = c.keep(c.count);
  return [c, before] {
    check_mpi(MPI_Exscan(c.in, before, c.count, c.type, c.op, c.comm), "MPI_Exscan");
    std::memcpy(c.out, c.in, c.place(c.count));
    if (c.me == 0) return;
    check_mpi(MPI_Reduce_local(before, c.out, c.count, c.type, c.op), "MPI_Reduce_local");
  };
}

}  // namespace

std::function<void()> reducing_mock_up(std::string_view name, Collective collective,
                                       MockUpCall call) {
  switch (collective) {
    case Collective::allreduce: return allreduce(name, std::move(call));
    case Collective::reduce: return reduce(name, std::move(call));
    case Collective::reduce_scatter: return reduce_scatter_mock_up(name, std::move(call));
    case Collective::reduce_scatter_block:
      return reduce_scatter_block_mock_up(name, std::move(call));
    case Collective::scan: return scan(name, std::move(call));
    default: return nullptr;
  }
}

}  // namespace breakeven::worker
