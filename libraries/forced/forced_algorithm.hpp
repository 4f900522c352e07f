// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <cstdint>
#include <functional>
#include <memory>

#include "core/case.hpp"
#include "core/library_setting.hpp"
#include "executor/communicator.hpp"

namespace breakeven::forced {

/// Whether the library looks at each call which of its algorithms runs. Else it looks when a
/// communicator is made, and where a file of rules is in force perhaps not at all.
[[nodiscard]] bool forces_each_call(const Case& what);

/// The result of a call that the algorithm can't perform.
enum class Unable : std::uint8_t {
  fails,        ///< an error of MPI, as far as the library can be told so
  substitutes,  ///< the library runs another one
};

/// One of the library's own algorithms, made to run in the place of the library's choice. There is
/// one constructor for each library; several may live at a time, and be enforced in turn.
class ForcedAlgorithm {
 public:
  /// Collective over `comm`, as is the end of this object.
  /// @param what  a case whose algorithm is one of this library's own
  /// @throws UsageError when the library has no such algorithm, or would not run it as named.
  ForcedAlgorithm(const Case& what, MPI_Comm comm, Unable unable);

  /// On which the collective has to be called.
  [[nodiscard]] MPI_Comm comm() const { return own_comm_ ? own_comm_->get() : comm_; }

  /// While one lives, the algorithm runs; everything else that the library does may differ too, so
  /// it lives around what is measured and nothing more. Every rank makes it; not collective.
  class Enforced {
   public:
    /// @param forced  may be null: then there is nothing to enforce
    explicit Enforced(const ForcedAlgorithm* forced) : forced_{forced} { set(true); }
    ~Enforced() { set(false); }
    Enforced(const Enforced&) = delete;
    Enforced& operator=(const Enforced&) = delete;

   private:
    void set(bool enforced) const {
      if (forced_ != nullptr && forced_->set_) forced_->set_(enforced);
    }

    const ForcedAlgorithm* forced_;
  };

 private:
  MPI_Comm comm_;
  std::unique_ptr<executor::Communicator>
      own_comm_{};                            ///< where it can't be the one that was given
  std::function<void(bool enforced)> set_{};  ///< none: the communicator says what runs
};

/// Collective. Whether no rank has threads that may call MPI at once: an algorithm that is forced
/// for a call is forced for its whole process.
[[nodiscard]] bool one_call_at_a_time(const executor::Communicator& comm);

/// The settings_in_force() in a user's program, which has no ToolsSession.
[[nodiscard]] LibrarySettings settings_in_program();

/// An algorithm that is forced in a user's program, which has no ToolsSession.
/// @throws as ForcedAlgorithm
[[nodiscard]] std::shared_ptr<const ForcedAlgorithm> force_in_program(const Case& what,
                                                                      MPI_Comm comm, Unable unable);

}  // namespace breakeven::forced
