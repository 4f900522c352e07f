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

/// A collective under way, whose buffers are its own until it is complete. It goes on in test() and
/// wait() of any Request and in Bound::run() of an algorithm of Breakeven, not in calls of MPI. It
/// must not outlive its communicator, datatypes and operation. With MPI_THREAD_MULTIPLE several
/// threads may use a Request each.
class BREAKEVEN_API Request {
 public:
  /// None: complete.
  Request() = default;
  /// For Bound.
  /// @param advance  goes on as far as messages have arrived, or to the end, and tells whether that
  ///                 is reached
  Request(std::string algorithm, std::function<bool(bool to_the_end)> advance)
      : algorithm_{std::move(algorithm)}, advance_{std::move(advance)} {}
  Request(Request&& other) noexcept
      : algorithm_{std::move(other.algorithm_)}, advance_{std::exchange(other.advance_, nullptr)} {}
  /// Waits first.
  Request& operator=(Request&& other) {
    wait();
    algorithm_ = std::move(other.algorithm_);
    advance_ = std::exchange(other.advance_, nullptr);
    return *this;
  }
  /// Waits, because MPI cannot cancel a collective; an error of MPI ends the program.
  ~Request() { wait(); }

  /// Goes on as far as messages have arrived.
  /// @return whether it is complete
  /// @throws as Bound::run(); it counts as complete then
  bool test() { return go_on(false); }
  /// @throws as test()
  void wait() { go_on(true); }

  /// The algorithm that performs it, as the text of a Choice.
  [[nodiscard]] const std::string& algorithm() const { return algorithm_; }

 private:
  bool go_on(bool to_the_end) {
    std::function<bool(bool)> advance = std::exchange(advance_, nullptr);
    if (!advance || advance(to_the_end)) return true;
    advance_ = std::move(advance);
    return false;
  }

  std::string algorithm_;
  std::function<bool(bool to_the_end)> advance_{};
};

/// A collective with its arguments, bound once, as MPI's persistent collectives are: it may run any
/// number of times, on the data that its buffers hold then. It must not outlive its communicator.
class BREAKEVEN_API Bound {
 public:
  /// For Communicator.
  Bound(std::string algorithm, std::function<void()> run, std::function<Request()> start)
      : algorithm_{std::move(algorithm)}, run_{std::move(run)}, start_{std::move(start)} {}

  /// Collective, and blocking.
  /// @throws when a call of MPI fails and its error handler returns; only MPI_Abort is left then.
  void run() const { run_(); }

  /// Collective. Begins the call and returns at once. Other collectives may run and be started
  /// meanwhile; all ranks begin those of a communicator in the same order. An algorithm of
  /// Breakeven is started with a plan of its own, made at the first start. A table's mock-up or
  /// algorithm of the MPI library has no nonblocking form: then the library chooses.
  /// @throws as run(); while it is under way; for a named choice without a nonblocking form.
  [[nodiscard]] Request start() const { return start_(); }

  /// The algorithm that run() performs, as the text of a Choice: never empty.
  [[nodiscard]] const std::string& algorithm() const { return algorithm_; }

 private:
  std::string algorithm_;
  std::function<void()> run_;
  std::function<Request()> start_;
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
