// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <cstddef>
#include <functional>
#include <memory>
#include <variant>

#include "core/variant.hpp"
#include "executor/mpi_call.hpp"
#include "executor/plan.hpp"
#include "libraries/forced/forced_algorithm.hpp"

namespace breakeven::forced {

/// A choice bound to a call: all calls that differ in nothing but their buffers run by it, and by a
/// plan, after fit(), those of other sizes.
struct BoundChoice {
  using Plan = std::shared_ptr<executor::Plan>;
  using MockUp = std::function<void(const std::byte* in, std::byte* out)>;
  using Forced = std::shared_ptr<const ForcedAlgorithm>;

  /// The MPI library as it chooses, our algorithm, other collectives of the library, or one of the
  /// library's own algorithms.
  std::variant<std::monostate, Plan, MockUp, Forced> by{};
  Variant variant = Native{};  ///< as a user names it

  /// Whether calls are passed to the library's own function.
  [[nodiscard]] bool by_library() const {
    return std::holds_alternative<std::monostate>(by) || std::holds_alternative<Forced>(by);
  }
  /// Null: no algorithm is forced.
  [[nodiscard]] const ForcedAlgorithm* forced() const {
    const auto* const found = std::get_if<Forced>(&by);
    return found == nullptr ? nullptr : found->get();
  }
  /// Null: none of ours.
  [[nodiscard]] executor::Plan* plan() const {
    const auto* const found = std::get_if<Plan>(&by);
    return found == nullptr ? nullptr : found->get();
  }
  /// Collective. Performs the call.
  /// @pre a plan fits it
  /// @param native  calls the library's function, and returns its status
  /// @throws MpiError; a mock-up's comes after the communicator's error handler got the error
  template <typename NativeCall>
  int run(const executor::MpiCall& call, const NativeCall& native) const {
    if (executor::Plan* const ours = plan()) {
      ours->run(call.input.address, call.output.address, call.op);
      return MPI_SUCCESS;
    }
    if (const auto* const mock_up = std::get_if<MockUp>(&by)) {
      (*mock_up)(static_cast<const std::byte*>(call.input.address),
                 static_cast<std::byte*>(call.output.address));
      return MPI_SUCCESS;
    }
    const ForcedAlgorithm::Enforced enforced{forced()};
    return native();
  }
};

}  // namespace breakeven::forced
