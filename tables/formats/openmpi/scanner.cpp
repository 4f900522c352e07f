// SPDX-License-Identifier: BSD-3-Clause
#include "tables/formats/openmpi/scanner.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <utility>

#include "libraries/openmpi_rules.hpp"

namespace breakeven::formats::openmpi {

namespace {

constexpr std::string_view kBlanks = " \t\n\v\f\r";  // as isspace has them
constexpr std::size_t kLongestWord = 32;
constexpr std::array<std::string_view, 5> kNeighborhood{"neighbor_allgather", "neighbor_allgatherv",
                                                        "neighbor_alltoall", "neighbor_alltoallv",
                                                        "neighbor_alltoallw"};  // the last ones

}  // namespace

void Scanner::pass_over_blanks() {
  at_ = std::min(text_.find_first_not_of(kBlanks, at_), text_.size());
}

void Scanner::pass_over_line() {
  const std::size_t end = text_.find('\n', at_);
  at_ = end == std::string_view::npos ? text_.size() : end + 1;
}

void Scanner::take_line() {
  line_ = std::max(line_, 1);
  line_ +=
      static_cast<int>(std::ranges::count(text_.substr(line_begins_, at_ - line_begins_), '\n'));
  line_begins_ = at_;
}

void Scanner::advise_of_passed() {
  if (passed_.empty()) return;
  read_.advice.push_back(
      {passed_line_, fmt::format("the library passes over '{}'", std::exchange(passed_, {}))});
}

std::string Scanner::integer(bool decimal) {
  pass_over_blanks();
  const std::size_t begin = at_;
  if (at(at_) == '-' || at(at_) == '+') ++at_;
  std::string_view digits = "0123456789";
  if (digits.find(at(at_)) == std::string_view::npos) return {};
  take_line();
  if (!decimal && at(at_) == '0') {
    const bool hexadecimal = at(at_ + 1) == 'x' || at(at_ + 1) == 'X';
    digits = hexadecimal ? "0123456789abcdefABCDEF" : "01234567";
    at_ += hexadecimal ? 2 : 1;
  }
  at_ = std::min(text_.find_first_not_of(digits, at_), text_.size());
  return std::string{text_.substr(begin, at_ - begin)};
}

std::string Scanner::next_integer(bool decimal) {
  while (true) {
    std::string found = integer(decimal);
    if (!found.empty() || at_ == text_.size()) {
      advise_of_passed();
      return found;
    }
    if (text_[at_] == '#') {
      pass_over_line();
      continue;
    }
    if (passed_end_ != at_) advise_of_passed();
    if (passed_.empty()) {
      take_line();
      passed_line_ = line_;
    }
    passed_ += text_[at_++];
    passed_end_ = at_;
  }
}

std::optional<std::int64_t> Scanner::number() {
  const std::string text = next_integer(false);
  if (text.empty()) return std::nullopt;
  const std::int64_t value = std::strtol(text.c_str(), nullptr, 0);
  if (fmt::format("{}", value) != text) {
    read_.advice.push_back({line_, fmt::format("the library takes '{}' for {}", text, value)});
  }
  return value;
}

std::optional<std::uint64_t> Scanner::size() {
  const std::string text = next_integer(true);
  if (text.empty()) return std::nullopt;
  return std::strtoul(text.c_str(), nullptr, 10);
}

std::optional<std::string_view> Scanner::word() {
  while (true) {
    pass_over_blanks();
    if (at_ == text_.size()) return std::nullopt;
    take_line();
    const std::size_t end = std::min(text_.find_first_of(kBlanks, at_), text_.size());
    const std::string_view found = text_.substr(at_, std::min(end - at_, kLongestWord));
    at_ += found.size();
    if (found.front() != '#') return found;
    pass_over_line();
  }
}

std::optional<bool> Scanner::take(char wanted) {
  while (at_ < text_.size()) {
    const char next = text_[at_];
    if (next == wanted) {
      take_line();
      ++at_;
      return true;
    }
    if (next == '#') {
      pass_over_line();
    } else if (next == '\n' || next == ' ' || next == '\t') {
      ++at_;
    } else {
      return false;
    }
  }
  return std::nullopt;
}

bool Scanner::digit_follows() {
  while (at(at_) == ' ' || at(at_) == '\t') ++at_;
  return at(at_) >= '0' && at(at_) <= '9';
}

int Scanner::version(std::string_view words) {
  const auto here =
      static_cast<std::size_t>(std::ranges::mismatch(text_, words).in1 - text_.begin());
  at_ = here;
  const std::string text = here == words.size() ? integer(true) : "";
  return text.empty() ? 1 : static_cast<int>(std::strtoul(text.c_str(), nullptr, 10));
}

std::optional<int> int_in(const std::string& word, int base) {
  char* end = nullptr;
  const auto value = static_cast<int>(std::strtol(word.c_str(), &end, base));
  return *end == '\0' ? std::optional{value} : std::nullopt;
}

std::optional<int> collective_id(std::string_view name) {
  for (int id = 0; id < libraries::openmpi::kRulesCollectives; ++id) {
    const auto collective = libraries::openmpi::rules_collective(id);
    const std::string_view known =
        collective
            ? kCollectives.of(*collective)
            : kNeighborhood[kNeighborhood.size() -
                            static_cast<std::size_t>(libraries::openmpi::kRulesCollectives - id)];
    const bool open = known.ends_with('v') || known.ends_with('w');
    if (name == known || (open && known != "scatterv" && name.starts_with(known))) return id;
  }
  return std::nullopt;
}

}  // namespace breakeven::formats::openmpi
