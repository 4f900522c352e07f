// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <fcntl.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdint>
#include <map>
#include <optional>
#include <random>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tables/formats/common/emitted.hpp"

/// Files that are right but for a few bytes, words or lines, to compare the readers of a library's
/// files with the library. The same seed gives the same files everywhere.
namespace breakeven::testing {

class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_{seed} {}

  [[nodiscard]] std::size_t below(std::size_t end) { return end == 0 ? 0 : engine_() % end; }
  [[nodiscard]] int from(int least, int most) {
    return least + static_cast<int>(below(static_cast<std::size_t>(most - least + 1)));
  }
  [[nodiscard]] bool once_in(std::size_t times) { return below(times) == 0; }
  template <typename Values>
  [[nodiscard]] const auto& of(const Values& values) {
    return *(std::begin(values) + static_cast<std::ptrdiff_t>(below(std::size(values))));
  }

 private:
  std::mt19937_64 engine_;
};

/// Changes texts. Its own words are those that readers of numbers and of names may stumble over.
class Mutator {
 public:
  /// @param words   of the format, to put into files
  /// @param between  the characters that part its words
  Mutator(std::uint64_t seed, std::vector<std::string> words, std::string_view between)
      : random{seed}, words_{std::move(words)}, between_{between} {}

  /// @return the text, changed in `changes` places
  [[nodiscard]] std::string changed(std::string text, int changes) {
    for (int i = 0; i < changes; ++i) change(text);
    return text;
  }

  Random random;

 private:
  /// Without 0x alone, for which versions of glibc read different numbers.
  static constexpr std::array<std::string_view, 21> kNumbers{"0",
                                                             "-1",
                                                             "1",
                                                             "2",
                                                             "7",
                                                             "8",
                                                             "9",
                                                             "42",
                                                             "08",
                                                             "010",
                                                             "0x10",

                                                             "2147483647",
                                                             "2147483648",
                                                             "-5",
                                                             "+3",
                                                             "1.0",
                                                             "4294967299",
                                                             "9223372036854775807",
                                                             "9223372036854775808",
                                                             "1e3",
                                                             "-9223372036854775809"};
  static constexpr std::string_view kBytes =
      " \t\n\r\v-+#0179axvw.,:;[]{}\"'\\/*@=<>$`&|()~!%\x01\x7f\xc3";

  struct Piece {
    std::size_t begin;
    std::size_t size;
  };

  [[nodiscard]] Piece line(const std::string& text) {
    const std::size_t at = random.below(text.size() + 1);
    const std::size_t before = at == 0 ? std::string::npos : text.rfind('\n', at - 1);
    const std::size_t begin = before == std::string::npos ? 0 : before + 1;
    return {begin, std::min(text.find('\n', begin), text.size() - 1) + 1 - begin};
  }
  [[nodiscard]] Piece word(const std::string& text) {
    std::size_t begin = text.find_first_not_of(between_, random.below(text.size() + 1));
    if (begin == std::string::npos) begin = text.size();
    return {begin, std::min(text.find_first_of(between_, begin), text.size()) - begin};
  }
  [[nodiscard]] std::string new_word() {
    return std::string{random.once_in(2) ? random.of(kNumbers)
                                         : std::string_view{random.of(words_)}};
  }

  void change(std::string& text) {
    if (text.empty()) text = "\n";
    const bool of_lines = random.once_in(3);
    const Piece one = of_lines ? line(text) : word(text);
    const std::string piece = text.substr(one.begin, one.size);
    const std::size_t place = random.below(text.size() + 1);
    switch (random.below(9)) {
      case 0: text.erase(one.begin, one.size); return;
      case 1: text.insert(one.begin, of_lines ? piece : piece + " "); return;
      case 2: {
        const Piece other = of_lines ? line(text) : word(text);
        if (other.begin < one.begin + one.size) return;
        const std::string another = text.substr(other.begin, other.size);
        text.replace(other.begin, other.size, piece);
        text.replace(one.begin, one.size, another);
        return;
      }
      case 3:
      case 4: {
        const Piece old = word(text);
        text.replace(old.begin, old.size, new_word());
        return;
      }
      case 5: text.insert(place, 1, random.of(kBytes)); return;
      case 6:
        if (place < text.size()) text[place] = random.of(kBytes);
        return;
      case 7:
        if (random.once_in(4))
          text.resize(place);
        else
          text.erase(place, 1);
        return;
      default: text.insert(one.begin, new_word() + (random.once_in(3) ? "" : " ")); return;
    }
  }

  std::vector<std::string> words_;
  std::string_view between_;
};

/// The answer of a child process; nothing: it crashed, or did not end in time.
template <typename Say>
std::optional<std::string> said_by_child(const Say& say) {
  constexpr rlim_t kMemory = rlim_t{4} << 30;
  constexpr unsigned kPatience_s = 10;
  std::array<int, 2> ends{};
  if (pipe(ends.data()) != 0) return std::nullopt;
  const pid_t child = fork();
  if (child == 0) {
    const rlimit memory{kMemory, kMemory};
    const rlimit no_core{0, 0};
    setrlimit(RLIMIT_AS, &memory);
    setrlimit(RLIMIT_CORE, &no_core);
    alarm(kPatience_s);
    const int nowhere = open("/dev/null", O_WRONLY);
    dup2(nowhere, STDERR_FILENO);
    dup2(nowhere, STDOUT_FILENO);
    for (const int signal : {SIGSEGV, SIGABRT, SIGBUS, SIGFPE}) std::signal(signal, SIG_DFL);
    const std::string text = say();
    const bool whole =
        write(ends[1], text.data(), text.size()) == static_cast<ssize_t>(text.size());
    _exit(whole ? 0 : 1);
  }
  close(ends[1]);
  std::string text;
  std::array<char, 4096> part{};
  for (ssize_t size = 0; (size = read(ends[0], part.data(), part.size())) > 0;) {
    text.append(part.data(), static_cast<std::size_t>(size));
  }
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  return status == 0 ? std::optional{text} : std::nullopt;
}

/// The verdicts of a library and of our reader on the same files.
class Comparison {
 public:
  /// @param excuses  parts of the reasons of faults of files that the library loads: it ignores
  ///                 something there, or ends a program later
  explicit Comparison(std::vector<std::string_view> excuses) : excuses_{std::move(excuses)} {}

  void add(const std::string& file, bool loaded, const formats::ReadTable& read) {
    ++files_;
    const bool right = read.faults.empty();
    if (loaded == right) {
      ++(right ? both_accept_ : both_refuse_);
    } else if (loaded) {
      for (const formats::ReadTable::Fault& fault : read.faults) {
        const auto excuse = std::ranges::find_if(excuses_, [&](std::string_view each) {
          return fault.reason.find(each) != std::string::npos;
        });
        if (excuse == excuses_.end()) {
          return differ(file,
                        fmt::format("the library loads it; {}: {}", fault.line, fault.reason));
        }
        ++excused_[*excuse];
      }
    } else {
      differ(file, "the library does not load it, and the reader finds no fault");
    }
  }

  void differ(const std::string& file, const std::string& why) {
    constexpr int kShown = 12;
    if (++differences_ <= kShown) ADD_FAILURE() << why << "\n<<<" << file << ">>>";
  }

  /// @param least  of both kinds, that the comparison means something
  void expect_alike(int least) const {
    std::string text = fmt::format("{} files: {} accepted, {} refused by both, {} differences",
                                   files_, both_accept_, both_refuse_, differences_);
    for (const auto& [excuse, times] : excused_) text += fmt::format("\n  {} '{}'", times, excuse);
    fmt::print("{}\n", text);
    EXPECT_EQ(differences_, 0);
    EXPECT_GE(both_accept_, least);
    EXPECT_GE(both_refuse_, least);
  }

 private:
  std::vector<std::string_view> excuses_;
  int files_ = 0;
  int both_accept_ = 0;
  int both_refuse_ = 0;
  int differences_ = 0;
  std::map<std::string_view, int> excused_{};
};

}  // namespace breakeven::testing
