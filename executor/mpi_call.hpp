// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "core/collective.hpp"
#include "executor/mpi_error.hpp"
#include "kernels/call.hpp"

namespace breakeven::executor {

/// A buffer of a call.
struct CallBuffer {
  void* address = nullptr;
  std::int64_t count = 0;                 ///< elements: the vector's, or of one share
  MPI_Datatype type = MPI_DATATYPE_NULL;  ///< null: this rank has no such buffer

  [[nodiscard]] bool present() const { return type != MPI_DATATYPE_NULL; }
};

/// The shares of all processes in a buffer.
struct Shares {
  std::vector<std::int64_t> counts{};
  std::vector<std::int64_t> displacements{};  ///< in extents; empty: back to back
  std::vector<MPI_Datatype> types{};          ///< of an alltoallw, whose displacements are in bytes
  friend bool operator==(const Shares&, const Shares&) = default;
};

/// Of shares that are equal, or not known here: none.
[[nodiscard]] inline std::span<const std::int64_t> counts_in(
    const std::shared_ptr<const Shares>& shares) {
  return shares == nullptr ? std::span<const std::int64_t>{} : shares->counts;
}
[[nodiscard]] inline std::span<const std::int64_t> displacements_in(
    const std::shared_ptr<const Shares>& shares) {
  return shares == nullptr ? std::span<const std::int64_t>{} : shares->displacements;
}
[[nodiscard]] inline std::span<const MPI_Datatype> types_in(
    const std::shared_ptr<const Shares>& shares) {
  return shares == nullptr ? std::span<const MPI_Datatype>{} : shares->types;
}

/// The arguments of an MPI collective at this rank. An argument that MPI calls not significant here
/// is left out. Small, because a preloaded program makes one in every call.
struct MpiCall {
  Collective collective = Collective::barrier;
  bool in_place = false;  ///< the buffer that is not present lies in the other one
  int root = 0;
  MPI_Op op = MPI_OP_NULL;
  MPI_Comm comm = MPI_COMM_NULL;
  CallBuffer input{};
  CallBuffer output{};
  std::shared_ptr<const Shares> shares{};  ///< null where they are equal, or not known here
  std::shared_ptr<const Shares> sent{};  ///< of an alltoallv(w)'s input; `shares` are its output's

  /// The buffer that says how much is moved: the whole vector, or one share of it.
  [[nodiscard]] const CallBuffer& described() const { return output.present() ? output : input; }
  /// The buffer of all shares in an irregular collective.
  [[nodiscard]] const CallBuffer& of_all() const {
    return collective == Collective::scatterv ? input : output;
  }
  [[nodiscard]] std::span<const std::int64_t> counts() const { return counts_in(shares); }
  [[nodiscard]] std::span<const std::int64_t> displacements() const {
    return displacements_in(shares);
  }
};

/// Writes the bytes of data in each share of a buffer of this datatype. That of an empty share is
/// not looked at.
void take_bytes(const std::shared_ptr<const Shares>& shares, MPI_Datatype type,
                std::vector<std::int64_t>& bytes);

/// The call of a collective whose buffers hold a predefined datatype, one share after the other.
/// @throws UsageError where MPI's int cannot count.
[[nodiscard]] MpiCall mpi_call_of(const kernels::CollectiveCall& call, const void* input,
                                  void* output, MPI_Op op, MPI_Comm comm);

/// The MPI library's own collective with the arguments of a call. The functions are collective.
/// @throws from them MpiError naming the MPI function.
struct LibraryCall {
  std::function<void()> run;
  std::function<MPI_Request()> start;   ///< the nonblocking collective
  std::function<MPI_Request()> make{};  ///< a persistent one; empty: the library has none
};
/// Counts are copied.
[[nodiscard]] LibraryCall library_call(const MpiCall& call);

/// Leaves out the buffer that only the root has, and the result of exscan that rank 0 has not.
inline void keep_significant(MpiCall& call, int me) {
  if (call.collective == Collective::exscan && me == 0 && !call.in_place) call.output = {};
  if (!rooted(call.collective) || call.collective == Collective::bcast || me == call.root) return;
  const bool spreads = regular(call.collective) == Collective::scatter;
  (spreads ? call.input : call.output) = {};
  call.in_place = false;
}

/// Of two buffers, of which one may lie in the other.
[[nodiscard, gnu::always_inline]] inline MpiCall call_of(Collective collective,
                                                         const CallBuffer& send,
                                                         const CallBuffer& recv, MPI_Op op,
                                                         int root, MPI_Comm comm) {
  const bool in_output = send.address == MPI_IN_PLACE;
  const bool in_input = recv.address == MPI_IN_PLACE;
  return {.collective = collective,
          .in_place = in_output || in_input,
          .root = root,
          .op = op,
          .comm = comm,
          .input = in_output ? CallBuffer{} : send,
          .output = in_input ? CallBuffer{} : recv};
}
[[nodiscard]] inline CallBuffer buffer_of(const void* address, MPI_Count count, MPI_Datatype type) {
  return {const_cast<void*>(address), count, type};
}

/// @param displs  null: shares lie back to back
/// @param types   null: all shares have that of the buffer
template <typename Count, typename Displacement>
[[nodiscard]] std::shared_ptr<const Shares> shares_in(const Count* counts,
                                                      const Displacement* displs, int procs,
                                                      const MPI_Datatype* types = nullptr) {
  Shares shares;
  if (counts != nullptr) shares.counts.assign(counts, counts + procs);
  if (displs != nullptr) shares.displacements.assign(displs, displs + procs);
  if (types != nullptr) shares.types.assign(types, types + procs);
  return std::make_shared<const Shares>(std::move(shares));
}

/// The shares that arrays of MPI describe. At ranks other than the root of a rooted collective they
/// are not looked at.
/// @param displs  null: shares lie back to back
/// @param types   null: all shares have that of the buffer
template <typename Count, typename Displacement>
[[nodiscard]] MpiCall with_shares(MpiCall call, const Count* counts, const Displacement* displs,
                                  const MPI_Datatype* types = nullptr) {
  int procs = 0;
  int me = call.root;
  check_mpi(MPI_Comm_size(call.comm, &procs), "MPI_Comm_size");
  if (rooted(call.collective)) check_mpi(MPI_Comm_rank(call.comm, &me), "MPI_Comm_rank");
  if (me != call.root) return call;
  call.shares = shares_in(counts, displs, procs, types);
  return call;
}

// Each function below takes the arguments of the MPI function of its name, MPI_IN_PLACE and the
// null handles of arguments that are not significant included. Counts and displacements may be int
// or wider. The communicator and the root must be valid; keep_significant() is to follow. Inline: a
// preloaded program makes one in every call.

[[nodiscard]] inline MpiCall allgather_call(const void* in, MPI_Count n, MPI_Datatype from,
                                            void* out, MPI_Count m, MPI_Datatype to,
                                            MPI_Comm comm) {
  return call_of(Collective::allgather, buffer_of(in, n, from), buffer_of(out, m, to), MPI_OP_NULL,
                 0, comm);
}

template <typename Count, typename Displacement>
[[nodiscard]] MpiCall allgatherv_call(const void* in, MPI_Count n, MPI_Datatype from, void* out,
                                      const Count* counts, const Displacement* displs,
                                      MPI_Datatype to, MPI_Comm comm) {
  return with_shares(call_of(Collective::allgatherv, buffer_of(in, n, from), buffer_of(out, 0, to),
                             MPI_OP_NULL, 0, comm),
                     counts, displs);
}

[[nodiscard]] inline MpiCall allreduce_call(const void* in, void* out, MPI_Count n,
                                            MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  return call_of(Collective::allreduce, buffer_of(in, n, type), buffer_of(out, n, type), op, 0,
                 comm);
}

[[nodiscard]] inline MpiCall alltoall_call(const void* in, MPI_Count n, MPI_Datatype from,
                                           void* out, MPI_Count m, MPI_Datatype to, MPI_Comm comm) {
  return call_of(Collective::alltoall, buffer_of(in, n, from), buffer_of(out, m, to), MPI_OP_NULL,
                 0, comm);
}

template <typename Count, typename Displacement>
[[nodiscard]] MpiCall alltoallv_call(const void* in, const Count* sent, const Displacement* sdispls,
                                     MPI_Datatype from, void* out, const Count* counts,
                                     const Displacement* displs, MPI_Datatype to, MPI_Comm comm) {
  MpiCall call = with_shares(call_of(Collective::alltoallv, buffer_of(in, 0, from),
                                     buffer_of(out, 0, to), MPI_OP_NULL, 0, comm),
                             counts, displs);
  call.sent = call.in_place ? call.shares
                            : shares_in(sent, sdispls, static_cast<int>(call.counts().size()));
  return call;
}

/// The datatype of both buffers is MPI_BYTE, which only says that they are present.
template <typename Count, typename Displacement>
[[nodiscard]] MpiCall alltoallw_call(const void* in, const Count* sent, const Displacement* sdispls,
                                     const MPI_Datatype* from, void* out, const Count* counts,
                                     const Displacement* displs, const MPI_Datatype* to,
                                     MPI_Comm comm) {
  MpiCall call = with_shares(call_of(Collective::alltoallw, buffer_of(in, 0, MPI_BYTE),
                                     buffer_of(out, 0, MPI_BYTE), MPI_OP_NULL, 0, comm),
                             counts, displs, to);
  call.sent = call.in_place
                  ? call.shares
                  : shares_in(sent, sdispls, static_cast<int>(call.counts().size()), from);
  return call;
}

[[nodiscard]] inline MpiCall barrier_call(MPI_Comm comm) {
  return {.collective = Collective::barrier, .comm = comm};
}

[[nodiscard]] inline MpiCall bcast_call(void* data, MPI_Count n, MPI_Datatype type, int root,
                                        MPI_Comm comm) {
  return {.collective = Collective::bcast,
          .in_place = true,
          .root = root,
          .comm = comm,
          .output = buffer_of(data, n, type)};
}

[[nodiscard]] inline MpiCall exscan_call(const void* in, void* out, MPI_Count n, MPI_Datatype type,
                                         MPI_Op op, MPI_Comm comm) {
  return call_of(Collective::exscan, buffer_of(in, n, type), buffer_of(out, n, type), op, 0, comm);
}

[[nodiscard]] inline MpiCall gather_call(const void* in, MPI_Count n, MPI_Datatype from, void* out,
                                         MPI_Count m, MPI_Datatype to, int root, MPI_Comm comm) {
  return call_of(Collective::gather, buffer_of(in, n, from), buffer_of(out, m, to), MPI_OP_NULL,
                 root, comm);
}

template <typename Count, typename Displacement>
[[nodiscard]] MpiCall gatherv_call(const void* in, MPI_Count n, MPI_Datatype from, void* out,
                                   const Count* counts, const Displacement* displs, MPI_Datatype to,
                                   int root, MPI_Comm comm) {
  return with_shares(call_of(Collective::gatherv, buffer_of(in, n, from), buffer_of(out, 0, to),
                             MPI_OP_NULL, root, comm),
                     counts, displs);
}

[[nodiscard]] inline MpiCall reduce_call(const void* in, void* out, MPI_Count n, MPI_Datatype type,
                                         MPI_Op op, int root, MPI_Comm comm) {
  return call_of(Collective::reduce, buffer_of(in, n, type), buffer_of(out, n, type), op, root,
                 comm);
}

template <typename Count>
[[nodiscard]] MpiCall reduce_scatter_call(const void* in, void* out, const Count* counts,
                                          MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  const Count* const back_to_back = nullptr;
  return with_shares(call_of(Collective::reduce_scatter, buffer_of(in, 0, type),
                             buffer_of(out, 0, type), op, 0, comm),
                     counts, back_to_back);
}

[[nodiscard]] inline MpiCall reduce_scatter_block_call(const void* in, void* out, MPI_Count n,
                                                       MPI_Datatype type, MPI_Op op,
                                                       MPI_Comm comm) {
  return call_of(Collective::reduce_scatter_block, buffer_of(in, n, type), buffer_of(out, n, type),
                 op, 0, comm);
}

[[nodiscard]] inline MpiCall scan_call(const void* in, void* out, MPI_Count n, MPI_Datatype type,
                                       MPI_Op op, MPI_Comm comm) {
  return call_of(Collective::scan, buffer_of(in, n, type), buffer_of(out, n, type), op, 0, comm);
}

[[nodiscard]] inline MpiCall scatter_call(const void* in, MPI_Count n, MPI_Datatype from, void* out,
                                          MPI_Count m, MPI_Datatype to, int root, MPI_Comm comm) {
  return call_of(Collective::scatter, buffer_of(in, n, from), buffer_of(out, m, to), MPI_OP_NULL,
                 root, comm);
}

template <typename Count, typename Displacement>
[[nodiscard]] MpiCall scatterv_call(const void* in, const Count* counts, const Displacement* displs,
                                    MPI_Datatype from, void* out, MPI_Count m, MPI_Datatype to,
                                    int root, MPI_Comm comm) {
  return with_shares(call_of(Collective::scatterv, buffer_of(in, 0, from), buffer_of(out, m, to),
                             MPI_OP_NULL, root, comm),
                     counts, displs);
}

}  // namespace breakeven::executor
