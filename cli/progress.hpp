// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>

#include "core/units.hpp"
#include "harness/session/run_sweep.hpp"

namespace breakeven::cli {

/// Tells on standard error how far something long is: one line that is rewritten on a terminal, a
/// line now and then elsewhere.
class Progress final : public session::Listener {
 public:
  /// @param total  how much there is to do from now on
  /// @param done_word  what a thing that is done is: "measured"
  explicit Progress(std::size_t total, std::string_view done_word = "measured");
  /// Leaves the terminal's line clean.
  ~Progress() override;

  void expect(std::size_t count, Seconds time) override;
  void begin_part(const std::string& part) override;
  void at(const std::string& what) override;
  void advance() override;
  void say(const std::string& line) override;
  /// Takes the line off a terminal, for who prints on standard output.
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
