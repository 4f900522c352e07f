// SPDX-License-Identifier: BSD-3-Clause
#include "core/folded.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <tuple>

namespace breakeven {

namespace {

/// A name around its number.
struct Name {
  std::string before{};
  std::string number{};  ///< digits; may be empty
  std::string after{};
  [[nodiscard]] bool fits(const Name& other) const {
    return before == other.before && after == other.after && !number.empty();
  }
  /// By number: with equally many digits the text's order is the number's.
  [[nodiscard]] auto key() const {
    const std::size_t zeros = std::min(number.find_first_not_of('0'), number.size());
    return std::tuple(before, after, number.size() - zeros, number.substr(zeros), number);
  }
};

Name parsed(const std::string& name) {
  constexpr const char* kDigits = "0123456789";
  const std::size_t dot = std::min(name.find('.'), name.size());
  const std::size_t last = name.substr(0, dot).find_last_of(kDigits);
  if (last == std::string::npos) return {.before = name};
  const std::size_t before = name.find_last_not_of(kDigits, last);
  const std::size_t first = before == std::string::npos ? 0 : before + 1;
  return {name.substr(0, first), name.substr(first, last + 1 - first), name.substr(last + 1)};
}

/// The number after this one, with as many digits at least.
std::string next(std::string number) {
  std::size_t at = number.size();
  while (at > 0 && number[at - 1] == '9') number[--at] = '0';
  if (at == 0) return "1" + number;
  ++number[at - 1];
  return number;
}

/// Names in their order.
std::string folded_in_order(std::span<const Name> names) {
  std::vector<std::string> terms;
  for (std::size_t i = 0; i < names.size();) {
    const Name& first = names[i];
    std::vector<std::string> runs;
    const std::size_t begin = i;
    while (i < names.size() && (i == begin || first.fits(names[i]))) {
      const std::size_t run = i++;
      while (i < names.size() && first.fits(names[i]) &&
             names[i].number == next(names[i - 1].number)) {
        ++i;
      }
      runs.push_back(names[run].number);
      if (i - run > 1) runs.back() += "-" + names[i - 1].number;
    }
    const std::string numbers = fmt::format("{}", fmt::join(runs, ","));
    const bool several = i - begin > 1;
    terms.push_back(first.before + (several ? "[" + numbers + "]" : numbers) + first.after);
  }
  return fmt::format("{}", fmt::join(terms, ","));
}

/// Ranks in a row on one host.
struct Run {
  Name host{};
  std::size_t ranks = 0;
};

std::string text_of(std::span<const Run> runs) {
  constexpr std::size_t kMost = 16;
  std::vector<std::string> groups;
  std::size_t left_out = 0;
  for (std::size_t i = 0; i < runs.size();) {
    std::vector<Name> hosts;
    const std::size_t ranks = runs[i].ranks;
    for (; i < runs.size() && runs[i].ranks == ranks; ++i) hosts.push_back(runs[i].host);
    if (groups.size() == kMost) {
      left_out += ranks * hosts.size();
      continue;
    }
    groups.push_back(folded_in_order(hosts));
    if (ranks > 1) groups.back() += fmt::format(" x {}", ranks);
  }
  std::string text = fmt::format("{}", fmt::join(groups, ", "));
  return left_out == 0 ? text : text + fmt::format(" and {} ranks more", left_out);
}

}  // namespace

std::string folded(std::span<const int> numbers) {
  std::vector<std::string> runs;
  for (std::size_t i = 0; i < numbers.size();) {
    std::size_t end = i + 1;
    while (end < numbers.size() && numbers[end] == numbers[end - 1] + 1) ++end;
    if (end - i < 3) end = i + 1;
    runs.push_back(end - i < 3 ? fmt::format("{}", numbers[i])
                               : fmt::format("{}-{}", numbers[i], numbers[end - 1]));
    i = end;
  }
  return fmt::format("{}", fmt::join(runs, ","));
}

std::string folded(std::vector<std::string> names) {
  std::ranges::sort(names);
  names.erase(std::unique(names.begin(), names.end()), names.end());
  std::vector<Name> all;
  for (const std::string& name : names) all.push_back(parsed(name));
  std::ranges::sort(all, {}, &Name::key);
  return folded_in_order(all);
}

std::string folded_placement(std::span<const std::string> hosts) {
  std::vector<Run> runs;
  for (std::size_t i = 0; i < hosts.size(); ++i) {
    if (i == 0 || hosts[i] != hosts[i - 1]) runs.push_back({.host = parsed(hosts[i])});
    ++runs.back().ranks;
  }
  const auto same = [](const Run& one, const Run& other) {
    return one.ranks == other.ranks && one.host.key() == other.host.key();
  };
  const auto again = std::find_if(runs.begin() + (runs.empty() ? 0 : 1), runs.end(),
                                  [&](const Run& each) { return same(each, runs.front()); });
  const auto period = static_cast<std::size_t>(again - runs.begin());
  const bool repeats = again != runs.end() && runs.size() % period == 0 &&
                       std::equal(again, runs.end(), runs.begin(), same);
  if (!repeats) return text_of(runs);
  return fmt::format("{} times {}", runs.size() / period, text_of({runs.data(), period}));
}

}  // namespace breakeven
