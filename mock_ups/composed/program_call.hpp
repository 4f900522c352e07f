// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <vector>

#include "executor/memory.hpp"
#include "executor/mpi_call.hpp"
#include "mock_ups/composed/compose.hpp"
#include "mock_ups/mock_up.hpp"

namespace breakeven::composed {

/// Whether a call of a program can be done by the mock-up: the same on all ranks. Reductions only
/// where datatype and operation are MPI's.
[[nodiscard]] bool serves(const mock_ups::MockUp& mock_up, const executor::MpiCall& call);

/// A program's call of a collective, done by a mock-up. Data that is moved is moved as bytes, since
/// ranks may describe it by other datatypes; where it isn't contiguous, and in place, it is copied.
class ProgramCall {
 public:
  /// Not collective.
  /// @pre serves(mock_up, call), and api::is_valid
  /// @throws UsageError on all ranks where MPI's int cannot count.
  ProgramCall(const mock_ups::MockUp& mock_up, const executor::MpiCall& call);

  /// Collective. The buffers are those of the call, or others that lie alike.
  /// @throws MpiError, after the communicator's error handler got it.
  void run(const void* input, void* output);

 private:
  /// Elements as this rank names them, and as the mock-up wants them.
  struct Side {
    MPI_Datatype type = MPI_DATATYPE_NULL;  ///< null: nothing here
    int count = 0;                          ///< of these
    executor::Layout layout{};
    std::vector<std::byte> copy{};  ///< empty: used where it is

    void hold(const executor::CallBuffer& buffer, std::int64_t elements, bool copied,
              MPI_Comm comm);
  };
  void pack(Side& side, const std::byte* from) const;
  void unpack(const Side& side, std::byte* into) const;

  MPI_Comm comm_;
  bool in_output_ = false;        ///< the input lies in the output buffer
  std::int64_t input_place_ = 0;  ///< there, in bytes
  bool sends_output_ = false;     ///< a broadcast's root
  Side input_{};
  Side output_{};
  Run run_{};
};

}  // namespace breakeven::composed
