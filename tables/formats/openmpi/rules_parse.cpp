// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <climits>
#include <cstdint>
#include <set>
#include <span>

#include "core/units.hpp"
#include "libraries/openmpi_rules.hpp"
#include "tables/formats/common/head.hpp"
#include "tables/formats/openmpi/rules.hpp"

namespace breakeven::formats::openmpi {

namespace {

using Fault = ReadTable::Fault;

struct Number {
  std::int64_t value = 0;
  int line = 0;
};

/// The numbers outside of comments, all decimal.
std::vector<Number> numbers_of(std::string_view text, std::vector<Fault>& faults) {
  std::vector<Number> numbers;
  for (const Word& word : words_of(text)) {
    const auto number = number_in(word.text, std::int64_t{0});
    if (!number) {
      faults.push_back({word.line, fmt::format("'{}' is no number of at least 0; the library takes "
                                               "digits and '-' within words for numbers",
                                               word.text)});
    } else if (word.text.size() > 1 && word.text.front() == '0') {
      faults.push_back(
          {word.line, fmt::format("'{}' begins with 0: the library reads it as octal", word.text)});
    }
    numbers.push_back({number.value_or(0), word.line});
  }
  return numbers;
}

/// Takes the numbers as the library does, one after the other. @throws Fault
class RulesReader {
 public:
  explicit RulesReader(std::span<const Number> numbers) : numbers_{numbers} {}

  /// @param faults  gets those of collectives, unless this throws
  std::vector<CollectiveRanges> all(std::vector<Fault>& faults) {
    std::vector<CollectiveRanges> all;
    std::vector<Fault> found;
    std::set<int> ids;
    const auto collectives =
        next("the number of collectives", libraries::openmpi::kRulesCollectives).value;
    for (std::int64_t i = 0; i < collectives; ++i) {
      const Number number = next("a collective", libraries::openmpi::kRulesCollectives - 1);
      const auto id = static_cast<int>(number.value);
      if (!ids.insert(id).second) {
        found.push_back({number.line,
                         fmt::format("the collective {} has rules twice; the last ones hold", id)});
      }
      const auto known = libraries::openmpi::rules_collective(id);
      CollectiveRanges ranges{
          .collective = known.value_or(Collective{}), .procs = procs_ranges(), .line = number.line};
      if (known) {
        all.push_back(std::move(ranges));
      } else {
        found.push_back(
            {number.line, fmt::format("the collective {} is none that Breakeven knows", id)});
      }
    }
    if (!numbers_.empty()) {
      throw Fault{numbers_.front().line, "a number after the last rule that was announced"};
    }
    faults.insert(faults.end(), found.begin(), found.end());
    return all;
  }

 private:
  Number next(std::string_view what, std::int64_t most = INT_MAX) {
    if (numbers_.empty()) {
      throw Fault{line_, fmt::format("the file ends here, before {}: was it cut?", what)};
    }
    const Number number = numbers_.front();
    numbers_ = numbers_.subspan(1);
    line_ = number.line;
    if (number.value <= most) return number;
    throw Fault{line_, fmt::format("{} is {}, above {}", what, number.value, most)};
  }

  int next_int(std::string_view what) { return static_cast<int>(next(what).value); }

  std::vector<ProcsRange> procs_ranges() {
    std::vector<ProcsRange> ranges;
    const int count = next_int("a number of communicator sizes");
    for (int i = 0; i < count; ++i) {
      const Number least = next("a communicator size");
      const auto first = static_cast<int>(least.value);
      if (i > 0) ranges.back().last = first - 1;
      ranges.push_back({.first = first, .last = INT_MAX, .line = least.line});
      const int sizes = next_int("a number of message sizes");
      for (int j = 0; j < sizes; ++j) ranges.back().sizes.push_back(size_range());
    }
    return ranges;
  }

  SizeRange size_range() {
    const Number from = next("a message size", INT64_MAX);
    SizeRange range{
        .from_bytes = from.value, .line = from.line, .number = next_int("an algorithm")};
    range.algorithm.fanout = next_int("a fan-out");
    range.algorithm.segment_bytes = next_int("a segment size");
    return range;
  }

  std::span<const Number> numbers_;
  int line_ = 0;  // of the last number taken
};

}  // namespace

std::vector<CollectiveRanges> parse_rules(std::string_view text, std::vector<Fault>& faults) {
  const std::vector<Number> numbers = numbers_of(text, faults);
  try {
    return RulesReader{numbers}.all(faults);
  } catch (const Fault& fault) {
    faults.push_back(fault);
    return {};
  }
}

}  // namespace breakeven::formats::openmpi
