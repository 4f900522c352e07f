// SPDX-License-Identifier: BSD-3-Clause
#include "tests/legal_calls/calls.hpp"

#include <stdexcept>

namespace legal_calls {

namespace {

/// The addresses of a side's arrays, and its first elements for calls that take a single one.
struct Taken {
  explicit Taken(const Side& side)
      : buffer{side.buffer},
        counts{side.counts.empty() ? nullptr : side.counts.data()},
        places{side.places.empty() ? nullptr : side.places.data()},
        types{side.types.empty() ? nullptr : side.types.data()},
        count{side.counts.empty() ? 0 : side.counts.front()},
        type{side.types.empty() ? MPI_DATATYPE_NULL : side.types.front()} {}
  void* buffer;
  const int* counts;
  const int* places;
  const MPI_Datatype* types;
  int count;
  MPI_Datatype type;
};

}  // namespace

// The arguments of each collective, whether it blocks or not.
#define LEGAL_CALLS(EACH)                                                                          \
  EACH(allgather, Allgather, in.buffer, in.count, in.type, out.buffer, out.count, out.type)        \
  EACH(allgatherv, Allgatherv, in.buffer, in.count, in.type, out.buffer, out.counts, out.places,   \
       out.type)                                                                                   \
  EACH(allreduce, Allreduce, in.buffer, out.buffer, out.count, out.type, with.op)                  \
  EACH(alltoall, Alltoall, in.buffer, in.count, in.type, out.buffer, out.count, out.type)          \
  EACH(alltoallv, Alltoallv, in.buffer, in.counts, in.places, in.type, out.buffer, out.counts,     \
       out.places, out.type)                                                                       \
  EACH(alltoallw, Alltoallw, in.buffer, in.counts, in.places, in.types, out.buffer, out.counts,    \
       out.places, out.types)                                                                      \
  EACH(bcast, Bcast, out.buffer, out.count, out.type, with.root)                                   \
  EACH(exscan, Exscan, in.buffer, out.buffer, out.count, out.type, with.op)                        \
  EACH(gather, Gather, in.buffer, in.count, in.type, out.buffer, out.count, out.type, with.root)   \
  EACH(gatherv, Gatherv, in.buffer, in.count, in.type, out.buffer, out.counts, out.places,         \
       out.type, with.root)                                                                        \
  EACH(reduce, Reduce, in.buffer, out.buffer, out.count, out.type, with.op, with.root)             \
  EACH(reduce_scatter, Reduce_scatter, in.buffer, out.buffer, out.counts, out.type, with.op)       \
  EACH(reduce_scatter_block, Reduce_scatter_block, in.buffer, out.buffer, out.count, out.type,     \
       with.op)                                                                                    \
  EACH(scan, Scan, in.buffer, out.buffer, out.count, out.type, with.op)                            \
  EACH(scatter, Scatter, in.buffer, in.count, in.type, out.buffer, out.count, out.type, with.root) \
  EACH(scatterv, Scatterv, in.buffer, in.counts, in.places, in.type, out.buffer, out.count,        \
       out.type, with.root)

#define LEGAL_BLOCKING(NAME, MPI_NAME, ...) \
  if (with.collective == #NAME) return void(MPI_##MPI_NAME(__VA_ARGS__, with.comm));
#define LEGAL_NONBLOCKING(NAME, MPI_NAME, ...) \
  if (with.collective == #NAME) return void(MPI_I##NAME(__VA_ARGS__, with.comm, request));

void blocking(const Arguments& with) {
  if (with.collective == "barrier") return void(MPI_Barrier(with.comm));
  const Taken in{with.in};
  const Taken out{with.out};
  LEGAL_CALLS(LEGAL_BLOCKING)
  throw std::invalid_argument{"no collective " + with.collective};
}

void nonblocking(const Arguments& with, MPI_Request* request) {
  if (with.collective == "barrier") return void(MPI_Ibarrier(with.comm, request));
  const Taken in{with.in};
  const Taken out{with.out};
  LEGAL_CALLS(LEGAL_NONBLOCKING)
  throw std::invalid_argument{"no collective " + with.collective};
}

#define LEGAL_BOUND(NAME, MPI_NAME, ...) \
  if (with.collective == #NAME) return comm.NAME(__VA_ARGS__, algorithm);

breakeven::Bound bound(const breakeven::Communicator& comm, const Arguments& with,
                       const std::string& algorithm) {
  if (with.collective == "barrier") return comm.barrier(algorithm);
  const Taken in{with.in};
  const Taken out{with.out};
  LEGAL_CALLS(LEGAL_BOUND)
  throw std::invalid_argument{"no collective " + with.collective};
}

#if MPI_VERSION >= 4 || (defined(OMPI_MAJOR_VERSION) && OMPI_MAJOR_VERSION >= 5)
bool has_persistent() { return true; }

#define LEGAL_PERSISTENT(NAME, MPI_NAME, ...) \
  if (with.collective == #NAME)               \
    return void(MPI_##MPI_NAME##_init(__VA_ARGS__, with.comm, MPI_INFO_NULL, request));

void persistent(const Arguments& with, MPI_Request* request) {
  if (with.collective == "barrier") {
    return void(MPI_Barrier_init(with.comm, MPI_INFO_NULL, request));
  }
  const Taken in{with.in};
  const Taken out{with.out};
  LEGAL_CALLS(LEGAL_PERSISTENT)
  throw std::invalid_argument{"no collective " + with.collective};
}
#else
bool has_persistent() { return false; }
void persistent(const Arguments& with, MPI_Request*) { blocking(with); }
#endif

}  // namespace legal_calls
