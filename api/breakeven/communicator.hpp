// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <concepts>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

/// Collectives by the algorithms of Breakeven, for programs in C++. docs/programs.md shows their
/// use. Everything here throws std::runtime_error, whose what() is one line.
#define BREAKEVEN_API __attribute__((visibility("default")))

namespace breakeven {

struct TableData;
struct CommunicatorData;

/// A table.json that `breakeven tune` wrote.
class BREAKEVEN_API Table {
 public:
  /// Collective: rank 0 reads the file.
  /// @throws on all ranks when it can't be read, or is of another MPI library, version or
  ///         processor than rank 0's.
  Table(const std::string& file, MPI_Comm comm);

 private:
  friend class Communicator;
  std::shared_ptr<const TableData> data_;
};

/// The algorithm that performs a collective. The same on all ranks.
class BREAKEVEN_API Choice {
 public:
  /// The choice of the communicator's table; without a table, the MPI library's own.
  Choice() = default;
  /// "ring", "recursive_multiplying:stages=a4,a2", or "native", the MPI library's own:
  /// `breakeven schedule list` lists all.
  template <std::convertible_to<std::string_view> Text>
  Choice(const Text& text) : text_{std::string_view{text}} {}
  /// The answer of choose() in a header that `breakeven tune` wrote.
  template <typename HeaderChoice>
    requires requires(const HeaderChoice& choice) { name(choice.algorithm), choice.params; }
  Choice(const HeaderChoice& choice) : text_{name(choice.algorithm)} {
    if (!choice.params.empty()) text_.append(":").append(choice.params);
  }

  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  std::string text_;
};

/// A collective with its arguments, bound once, as MPI's persistent collectives are: it may run any
/// number of times, on the data that its buffers hold then. It must not outlive its communicator.
class BREAKEVEN_API Bound {
 public:
  /// For Communicator.
  Bound(std::string algorithm, std::function<void()> run)
      : algorithm_{std::move(algorithm)}, run_{std::move(run)} {}

  /// Collective, and blocking.
  /// @throws when a call of MPI fails and its error handler returns; only MPI_Abort is left then.
  void run() const { run_(); }

  /// The algorithm that it runs, as the text of a Choice: never empty.
  [[nodiscard]] const std::string& algorithm() const { return algorithm_; }

 private:
  std::string algorithm_;
  std::function<void()> run_;
};

/// An intracommunicator whose collectives run by a choice.
///
/// The collectives take the arguments of the MPI functions of the same names, with their meaning,
/// MPI_IN_PLACE included, and bind them: `comm.barrier().run()`. Binding is collective too; a
/// recent binding with the same arguments but other buffers is found again. Arrays of counts and
/// displacements are copied. Messages never meet those of the program.
///
/// @throws from a collective when it can't run by the choice: a name that is not known, an
///         algorithm that does not run at this number of processes or does not keep the order that
///         the operation needs, arguments that are no valid call. A table's choice that can't run
///         is left to the MPI library.
class BREAKEVEN_API Communicator {
 public:
  /// Collective. Without a table: for choices that are named.
  /// @param comm  must stay as long as this
  /// @throws for an intercommunicator.
  explicit Communicator(MPI_Comm comm);
  /// Collective.
  Communicator(MPI_Comm comm, const Table& table);

  [[nodiscard]] Bound allgather(const void* sendbuf, int sendcount, MPI_Datatype sendtype,
                                void* recvbuf, int recvcount, MPI_Datatype recvtype,
                                const Choice& choice = {}) const;
  [[nodiscard]] Bound allgatherv(const void* sendbuf, int sendcount, MPI_Datatype sendtype,
                                 void* recvbuf, const int recvcounts[], const int displs[],
                                 MPI_Datatype recvtype, const Choice& choice = {}) const;
  [[nodiscard]] Bound allreduce(const void* sendbuf, void* recvbuf, int count,
                                MPI_Datatype datatype, MPI_Op op, const Choice& choice = {}) const;
  [[nodiscard]] Bound alltoall(const void* sendbuf, int sendcount, MPI_Datatype sendtype,
                               void* recvbuf, int recvcount, MPI_Datatype recvtype,
                               const Choice& choice = {}) const;
  [[nodiscard]] Bound alltoallv(const void* sendbuf, const int sendcounts[], const int sdispls[],
                                MPI_Datatype sendtype, void* recvbuf, const int recvcounts[],
                                const int rdispls[], MPI_Datatype recvtype,
                                const Choice& choice = {}) const;
  [[nodiscard]] Bound alltoallw(const void* sendbuf, const int sendcounts[], const int sdispls[],
                                const MPI_Datatype sendtypes[], void* recvbuf,
                                const int recvcounts[], const int rdispls[],
                                const MPI_Datatype recvtypes[], const Choice& choice = {}) const;
  [[nodiscard]] Bound barrier(const Choice& choice = {}) const;
  [[nodiscard]] Bound bcast(void* buffer, int count, MPI_Datatype datatype, int root,
                            const Choice& choice = {}) const;
  [[nodiscard]] Bound exscan(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype,
                             MPI_Op op, const Choice& choice = {}) const;
  [[nodiscard]] Bound gather(const void* sendbuf, int sendcount, MPI_Datatype sendtype,
                             void* recvbuf, int recvcount, MPI_Datatype recvtype, int root,
                             const Choice& choice = {}) const;
  [[nodiscard]] Bound gatherv(const void* sendbuf, int sendcount, MPI_Datatype sendtype,
                              void* recvbuf, const int recvcounts[], const int displs[],
                              MPI_Datatype recvtype, int root, const Choice& choice = {}) const;
  [[nodiscard]] Bound reduce(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype,
                             MPI_Op op, int root, const Choice& choice = {}) const;
  [[nodiscard]] Bound reduce_scatter(const void* sendbuf, void* recvbuf, const int recvcounts[],
                                     MPI_Datatype datatype, MPI_Op op,
                                     const Choice& choice = {}) const;
  [[nodiscard]] Bound reduce_scatter_block(const void* sendbuf, void* recvbuf, int recvcount,
                                           MPI_Datatype datatype, MPI_Op op,
                                           const Choice& choice = {}) const;
  [[nodiscard]] Bound scan(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype,
                           MPI_Op op, const Choice& choice = {}) const;
  [[nodiscard]] Bound scatter(const void* sendbuf, int sendcount, MPI_Datatype sendtype,
                              void* recvbuf, int recvcount, MPI_Datatype recvtype, int root,
                              const Choice& choice = {}) const;
  [[nodiscard]] Bound scatterv(const void* sendbuf, const int sendcounts[], const int displs[],
                               MPI_Datatype sendtype, void* recvbuf, int recvcount,
                               MPI_Datatype recvtype, int root, const Choice& choice = {}) const;

 private:
  std::shared_ptr<const CommunicatorData> data_;
};

}  // namespace breakeven
