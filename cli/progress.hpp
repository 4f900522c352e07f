// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>

namespace breakeven {

/// "1 h 02 min", "3 min 20 s", "12 s"
[[nodiscard]] std::string to_text(std::chrono::seconds left);

/// Tells on standard error how far something long is: one line that is rewritten on a terminal, a
/// line now and then elsewhere.
class Progress {
 public:
  /// @param total  how much there is to do from now on
  /// @param done_word  what a thing that is done is: "measured"
  explicit Progress(std::size_t total, std::string_view done_word = "measured");
  /// Leaves the terminal's line clean.
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// A part of the whole begins: "mpich p = 3, launch 2 of 9".
  void begin_part(const std::string& part);
  /// What is being done now.
  void at(const std::string& what);
  /// One more is done, or has failed for good.
  void advance();
  /// So many more are to be done.
  void expect(std::size_t count) { total_ += count; }
  /// So many need not be done after all.
  void spare(std::size_t count) { total_ -= count; }
  /// Takes the line off a terminal, for who prints on standard output.
  void clear() const;
  /// Prints a line of its own.
  void say(const std::string& line);

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
};

}  // namespace breakeven
