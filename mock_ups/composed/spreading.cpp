// SPDX-License-Identifier: BSD-3-Clause
// bcast and scatter(v).
#include "mock_ups/composed/mock_up_call.hpp"

namespace breakeven::composed {

namespace {

using executor::check_mpi;
using In = const std::byte*;
using Out = std::byte*;

Run bcast(std::string_view terms, MockUpCall c) {
  if (terms == "allgatherv") {
    std::vector<int> counts(c.blocks.counts.size(), 0);
    counts[static_cast<std::size_t>(c.root)] = c.count;
    const std::vector<int> places(counts.size(), 0);
    return [c, counts, places](In, Out out) {
      check_mpi(PMPI_Allgatherv(MPI_IN_PLACE, 0, c.type, out, counts.data(), places.data(), c.type,
                                c.comm),
                "MPI_Allgatherv");
    };
  }
  if (terms == "scatterv+allgatherv") {
    return [c](In, Out out) {
      const int* const counts = c.blocks.counts.data();
      const int* const places = c.blocks.displacements.data();
      void* const part = c.at_root() ? MPI_IN_PLACE : out + c.own_place();
      check_mpi(PMPI_Scatterv(out, counts, places, c.type, part, c.own(), c.type, c.root, c.comm),
                "MPI_Scatterv");
      check_mpi(PMPI_Allgatherv(MPI_IN_PLACE, 0, c.type, out, counts, places, c.type, c.comm),
                "MPI_Allgatherv");
    };
  }
  if (terms != "scatter+allgather") return nullptr;
  const bool divides = c.longest * c.procs == c.count;
  std::byte* const padded = divides ? nullptr : c.keep(std::int64_t{c.longest} * c.procs);
  return [c, divides, padded](In, Out out) {
    std::byte* const all = divides ? out : padded;
    if (!divides && c.at_root()) std::memcpy(all, out, c.place(c.count));
    void* const part = c.at_root() ? MPI_IN_PLACE : all + c.place(c.me * c.longest);
    check_mpi(PMPI_Scatter(all, c.longest, c.type, part, c.longest, c.type, c.root, c.comm),
              "MPI_Scatter");
    check_mpi(PMPI_Allgather(MPI_IN_PLACE, 0, c.type, all, c.longest, c.type, c.comm),
              "MPI_Allgather");
    if (!divides && !c.at_root()) std::memcpy(out, all, c.place(c.count));
  };
}

/// The root's own vector is sent from where it is.
Run scattered_by_bcast(MockUpCall c) {
  std::byte* const aside = c.at_root() ? nullptr : c.keep(c.total);
  return [c, aside](In in, Out out) {
    std::byte* const all = aside == nullptr ? const_cast<std::byte*>(in) : aside;
    check_mpi(PMPI_Bcast(all, c.total, c.type, c.root, c.comm), "MPI_Bcast");
    std::memcpy(out, all + c.own_place(), c.place(c.own()));
  };
}

Run scatter(std::string_view terms, MockUpCall c) {
  if (terms == "bcast") return scattered_by_bcast(std::move(c));
  if (terms != "scatterv") return nullptr;
  return [c](In in, Out out) {
    check_mpi(PMPI_Scatterv(in, c.blocks.counts.data(), c.blocks.displacements.data(), c.type, out,
                            c.own(), c.type, c.root, c.comm),
              "MPI_Scatterv");
  };
}

Run scatterv(std::string_view terms, MockUpCall c) {
  if (terms == "bcast") return scattered_by_bcast(std::move(c));
  if (terms != "scatter") return nullptr;
  std::byte* const padded = c.keep(std::int64_t{c.longest} * (c.procs + 1));
  std::byte* const part = padded + c.place(c.longest * c.procs);
  return [c, padded, part](In in, Out out) {
    if (c.at_root()) c.pad(in, padded);
    check_mpi(PMPI_Scatter(padded, c.longest, c.type, part, c.longest, c.type, c.root, c.comm),
              "MPI_Scatter");
    std::memcpy(out, part, c.place(c.own()));
  };
}

}  // namespace

Run spreading_mock_up(std::string_view terms, Collective collective, MockUpCall call) {
  switch (collective) {
    case Collective::bcast: return bcast(terms, std::move(call));
    case Collective::scatter: return scatter(terms, std::move(call));
    case Collective::scatterv: return scatterv(terms, std::move(call));
    default: return nullptr;
  }
}

}  // namespace breakeven::composed
