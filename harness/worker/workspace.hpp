// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "core/case.hpp"
#include "core/units.hpp"
#include "kernels/call.hpp"

namespace breakeven::worker {

/// One rank's buffers of a problem, with inputs whose result is known. All candidates of the
/// problem use the same buffers, so that none has warmer memory.
///
/// A broadcast has one buffer, as MPI_Bcast has: its input is the output buffer itself. All other
/// collectives have two, and the copy of the own part from one to the other belongs to the
/// collective, the library's as well as ours.
class Workspace {
 public:
  /// @param procs, me  of the communicator that the case runs on
  /// @throws UsageError when the case is for another p or no valid call of MPI.
  Workspace(const Case& what, int procs, Rank me);

  [[nodiscard]] const kernels::CollectiveCall& call() const { return call_; }
  [[nodiscard]] std::span<const std::byte> input() const;
  /// At exscan's rank 0 it is empty, but has an address with room for the vector.
  [[nodiscard]] std::span<std::byte> output();

  /// Work on buffers comes in parts, equally many at every rank: `sign` is called between two.
  using Sign = std::function<void()>;
  /// Fills the input anew, and the output with wrong elements.
  void prepare(const Sign& sign);
  /// Writes into every cache line of the input, which keeps its values. An application makes new
  /// input before each call; input that is never written stays in its receivers' caches, and an
  /// algorithm that sends it directly looks several times faster than it is.
  void touch_input();
  /// The first error in the output; nothing: it is right.
  [[nodiscard]] std::optional<std::string> complaint(const Sign& sign) const;

 private:
  [[nodiscard]] std::span<std::byte> writable_input();
  /// Calls `work` with the first byte of each part, of any buffer.
  void in_parts(const Sign& sign, const std::function<void(std::size_t)>& work) const;
  [[nodiscard]] std::size_t output_bytes() const;
  [[nodiscard]] bool one_buffer() const { return call_.problem.collective == Collective::bcast; }

  /// Not filled before prepare(), which touches each page then.
  struct Buffer {
    explicit Buffer(std::size_t bytes) : data{std::make_unique_for_overwrite<std::byte[]>(bytes)} {}
    [[nodiscard]] std::span<std::byte> first(std::size_t count) const {
      return {data.get(), count};
    }
    std::unique_ptr<std::byte[]> data;  // NOLINT(*-avoid-c-arrays)
  };

  kernels::CollectiveCall call_;
  Buffer output_;
  Buffer input_;  ///< empty when there is one buffer
};

}  // namespace breakeven::worker
