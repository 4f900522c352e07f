// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/units.hpp"

namespace breakeven::launch {

/// A program and its descendants, in a process group of their own, which ends with us.
///
/// When this process dies in any way, the child gets SIGTERM from the kernel; when this object ends
/// before the child, the child and all its descendants on this host are ended.
class ChildProcess {
 public:
  struct Command {
    std::vector<std::string> arguments{};    ///< [0] is the program, found through PATH
    std::vector<std::string> environment{};  ///< "NAME=value", added to ours
    void add(std::initializer_list<std::string> more) { arguments.insert(arguments.end(), more); }
  };

  /// @throws UsageError when the program can't be started, e.g. is not there.
  explicit ChildProcess(const Command& command);
  ~ChildProcess();
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  /// Gives text to the child's standard input, during the next waits for its output.
  void write(std::string_view text) { input_ += text; }
  /// There is no more input for the child.
  void close_input() { input_complete_ = true; }

  enum class Wait : std::uint8_t { line, closed, timeout };
  /// Waits for the next line of the standard output; `line` then holds it.
  /// `closed`: there are no more. Standard error is gathered meanwhile.
  [[nodiscard]] Wait next_line(Seconds timeout);
  [[nodiscard]] const std::string& line() const { return line_; }

  /// Ends the child and its descendants on this host: SIGTERM, a grace of 2 s, SIGKILL.
  void kill();
  /// Waits for the end of the child, and ends it after the timeout.
  /// @return "exit status 1", "signal 9 (Killed)", or empty for success
  [[nodiscard]] std::string wait(Seconds timeout);
  /// The last lines of the standard error that have a content, on one line.
  [[nodiscard]] std::string error_text() const;

 private:
  [[nodiscard]] bool pump(long timeout_ms);
  [[nodiscard]] std::optional<std::string> take_line();
  [[nodiscard]] std::optional<int> reap(bool block);

  pid_t pid_ = -1;
  int in_ = -1;  // our ends of its pipes; -1 once closed
  int out_ = -1;
  int err_ = -1;
  std::string input_{};  // not written yet
  bool input_complete_ = false;
  std::string output_{};
  std::string error_{};
  std::string line_{};
  std::optional<int> status_{};
};

/// "mpiexec -n 2 'a b'": a command line for a shell.
[[nodiscard]] std::string to_text(const ChildProcess::Command& command);

/// Cuts a text into words as a shell does: at blanks, but not within '...' or "..." or after a
/// backslash. Nothing is expanded.
/// @throws UsageError naming the text when a quote is not closed.
[[nodiscard]] std::vector<std::string> split_words(std::string_view text);

}  // namespace breakeven::launch
