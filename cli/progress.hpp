// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <chrono>
#include <cstddef>
#include <string>

namespace breakeven {

/// Tells on standard error how far a sweep is: one line that is rewritten on a terminal, a line
/// now and then elsewhere.
class Progress {
 public:
  /// @param total  measurements that are to be made from now on
  explicit Progress(std::size_t total);
  /// Leaves the terminal's line clean.
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// A launch begins: "mpich p = 3, launch 2 of 9".
  void begin_launch(const std::string& launch);
  /// What is being measured now.
  void at(const std::string& what);
  /// One more measurement is stored, or has failed for good.
  void advance();
  /// Prints a line of its own.
  void say(const std::string& line);

 private:
  using Clock = std::chrono::steady_clock;
  void show();
  [[nodiscard]] std::string summary() const;

  std::size_t total_;
  std::size_t done_ = 0;
  std::string launch_;
  std::string what_;
  bool terminal_;
  Clock::time_point started_ = Clock::now();
  Clock::time_point shown_;
};

}  // namespace breakeven
