// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>

#include "core/units.hpp"
#include "harness/session/run_sweep.hpp"

namespace breakeven::cli {

/// Shows the progress of a long task on standard error: on a terminal one line that is rewritten,
/// elsewhere a line now and then.
class Progress : public session::Listener {
 public:
  /// @param total  number of things to do from now on
  /// @param done_word  participle of a thing that is done: "measured"
  explicit Progress(std::size_t total, std::string_view done_word = "measured");
  /// Leaves the terminal's line clean.
  ~Progress() override;

  void expect(std::size_t count, Seconds time) override;
  void begin_part(const std::string& part) override;
  void at(const std::string& what) override;
  void advance() override;
  void say(const std::string& line) override;
  /// Removes the line from a terminal, before something is printed on standard output.
  void clear() const;

 private:
  using Clock = std::chrono::steady_clock;
  void show();
  [[nodiscard]] std::string summary() const;

  std::size_t total_;
  std::size_t done_ = 0;
  std::string_view done_word_;
  std::string part_;
  std::string what_;
  bool terminal_;
  Clock::time_point started_ = Clock::now();
  Clock::time_point shown_;
  Seconds each_{};  // that one is expected to take
};

}  // namespace breakeven::cli
