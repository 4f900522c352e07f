// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace breakeven::testbed {

/// A network device whose cable we are: we read the frames it sends, and what we write it receives.
/// It is gone with this object. Frames come as large as TCP makes them, with virtio's header in
/// front, which says how a card would have cut them; both ends of a cable understand it alike.
class Tap {
 public:
  /// @param name       of the new device
  /// @param name_space file of the network namespace to make it in; empty: ours
  /// @throws std::system_error naming the step that failed
  Tap(const std::string& name, const std::string& name_space);
  ~Tap();
  Tap(const Tap&) = delete;
  Tap& operator=(const Tap&) = delete;

  [[nodiscard]] int descriptor() const { return descriptor_; }
  /// One frame into `room`; empty when there is none.
  [[nodiscard]] std::span<const std::byte> read(std::span<std::byte> room) const;
  /// A device that is still down refuses frames, and they are lost as on a cable without a card.
  void write(std::span<const std::byte> frame) const;

 private:
  int descriptor_ = -1;
};

}  // namespace breakeven::testbed
