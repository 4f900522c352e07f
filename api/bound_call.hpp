// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "api/comm_calls.hpp"
#include "core/mapping.hpp"
#include "executor/mpi_call.hpp"

namespace breakeven::api {

/// A call of the C++ interface with its choice: performed any number of times, also started. Each
/// wait and test carries on all calls that are under way, as MPI does with its own, so that ranks
/// may end them in different orders.
class BoundCall {
 public:
  struct Terms {
    BoundChoice choice{};  ///< native: the library chooses
    bool named = false;    ///< by the program, not by a table
    executor::MpiCall call{};
    std::vector<std::int64_t> shares{};  ///< as CommCalls::bind() takes them
    executor::LibraryCall library{};
    CommCalls* calls = nullptr;
    std::shared_ptr<const NodeLayout> layout{};
  };

  explicit BoundCall(Terms terms) : terms_{std::move(terms)} {}
  ~BoundCall();
  BoundCall(const BoundCall&) = delete;
  BoundCall& operator=(const BoundCall&) = delete;

  /// Collective.
  /// @throws MpiError
  void run();

  /// Collective. Where the choice can only be run and is a table's, the library begins its own.
  /// @return the algorithm that is under way
  /// @throws UsageError while the call is under way, and where it can only be run
  std::string start();
  /// Goes on as far as messages have arrived, or to the end, and carries all others on.
  /// @return whether the call is complete
  /// @throws MpiError; the call counts as ended then
  bool advance(bool to_the_end);
  /// Goes on as far as messages have arrived.
  /// @return whether the call is complete
  /// @pre no other thread steps it
  bool step();

 private:
  void start_plan();
  void end();

  Terms terms_;
  BoundChoice::Plan plan_{};  ///< of its own, since others may be under way at the same time
  MPI_Request request_ = MPI_REQUEST_NULL;  ///< of the library's call under way
  bool under_way_ = false;
};

}  // namespace breakeven::api
