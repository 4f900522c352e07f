// SPDX-License-Identifier: BSD-3-Clause
#include "cli/progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

#include "core/units.hpp"

namespace breakeven::cli {

Progress::Progress(std::size_t total, std::string_view done_word)
    : total_{total}, done_word_{done_word}, terminal_{isatty(STDERR_FILENO) == 1} {}

Progress::~Progress() { clear(); }

void Progress::clear() const {
  if (terminal_) fmt::print(stderr, "\r\033[K");
}

void Progress::expect(std::size_t count, Seconds time) {
  total_ = done_ + count;
  each_ = {time.value / static_cast<double>(std::max<std::size_t>(1, count))};
}

void Progress::begin_part(const std::string& part) {
  part_ = part;
  what_.clear();
  show();
}

void Progress::at(const std::string& what) {
  what_ = what;
  if (terminal_) show();
}

void Progress::advance() {
  ++done_;
  show();
}

void Progress::say(const std::string& line) {
  fmt::print(stderr, "{}{}\n", terminal_ ? "\r\033[K" : "", line);
}

/// Ten times a second is enough for an eye, every five seconds for a log.
void Progress::show() {
  const auto pause = std::chrono::milliseconds{terminal_ ? 100 : 5000};
  if (Clock::now() - shown_ < pause) return;
  shown_ = Clock::now();
  if (terminal_) {
    fmt::print(stderr, "\r\033[K{}  {}", summary(), what_);
    std::fflush(stderr);
  } else {
    fmt::print(stderr, "{}\n", summary());
  }
}

std::string Progress::summary() const {
  if (total_ == 0) return part_;
  std::string text = fmt::format("{:3} %  {} of {} {}  {}", 100 * done_ / total_, done_, total_,
                                 done_word_, part_);
  const auto left = static_cast<double>(total_ - std::min(done_, total_));
  const std::chrono::duration<double> spent = Clock::now() - started_;
  double each = each_.value;
  if (each == 0 && done_ > 0) each = spent.count() / static_cast<double>(done_);
  if (left * each > 0) text += fmt::format("  ETA {}", rough_text(Seconds{left * each + 1}));
  return text;
}

}  // namespace breakeven::cli
