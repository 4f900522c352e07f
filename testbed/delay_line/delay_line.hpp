// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <chrono>
#include <cstddef>
#include <deque>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace breakeven::testbed {

/// Frames on a cable of some length: each comes out as long after it went in as all others.
class DelayLine {
 public:
  using Clock = std::chrono::steady_clock;

  explicit DelayLine(Clock::duration delay) : delay_{delay} {}

  void put(std::span<const std::byte> frame, Clock::time_point now) {
    frames_.push_back({now + delay_, {frame.begin(), frame.end()}});
  }
  /// The next frame that is through, or nothing yet.
  [[nodiscard]] std::optional<std::vector<std::byte>> take(Clock::time_point now) {
    if (frames_.empty() || frames_.front().due > now) return std::nullopt;
    std::vector<std::byte> bytes = std::move(frames_.front().bytes);
    frames_.pop_front();
    return bytes;
  }
  /// When the next one will be through.
  [[nodiscard]] std::optional<Clock::time_point> next() const {
    if (frames_.empty()) return std::nullopt;
    return frames_.front().due;
  }

 private:
  struct Frame {
    Clock::time_point due{};
    std::vector<std::byte> bytes{};
  };
  Clock::duration delay_;
  std::deque<Frame> frames_{};
};

}  // namespace breakeven::testbed
