// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <vector>

#include "core/json.hpp"

namespace breakeven::tables {

/// A call of a program, or a loop.
struct Step {
  static constexpr int kLoop = -1;
  int call = kLoop;          ///< the number of its kind
  std::int64_t times = 1;    ///< that a process came to it
  double turns = 1;          ///< of a loop: the mean over these times
  double before_s = 0;       ///< mean time since the call before, or since MPI_Init
  double apart_s = 0;        ///< standard deviation of that mean between processes
  std::vector<Step> body{};  ///< of a loop
  friend bool operator==(const Step&, const Step&) = default;
};

/// A process's calls in their order, with a loop where they repeat, as in [noeth2009]. Loops that
/// differ in the number of their turns alone are the same.
///
/// It has at most kMostSteps steps, those of loops and the loops themselves included, and ends
/// where it would need more. A loop's turn has at most kWindow steps.
class Order {
 public:
  static constexpr std::size_t kMostSteps = 1024;
  static constexpr std::size_t kWindow = 64;

  /// The next call.
  void add(int call, double before_s);
  /// Completes the last loops: no call follows.
  void close();
  /// Adds other processes to the means if they have the same order.
  /// @return whether they have
  bool merge(const Order& others);

  int procs = 1;           ///< whose order this is
  std::int64_t calls = 0;  ///< of one process
  bool complete = true;    ///< else the calls after these are missing
  std::vector<Step> steps{};

 private:
  bool fold();
  void end_turn(std::size_t loop);
  void end_loops(int next_call);

  std::size_t size_ = 0;  // steps and loops
  std::size_t turn_ = 0;  // steps after the last loop
  bool in_turn_ = false;  // which are those that its body begins with
};

[[nodiscard]] Json order_json(const Order& order);
/// @throws UsageError, Json::exception where it is none.
[[nodiscard]] Order order_of(const Json& json);

}  // namespace breakeven::tables
