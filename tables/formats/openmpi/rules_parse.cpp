// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <climits>
#include <cstdint>
#include <optional>
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

/// The numbers outside of comments, all decimal. The library passes over words without digits.
std::vector<Number> numbers_of(std::span<const Word> words, ReadTable& read) {
  std::vector<Number> numbers;
  for (const Word& word : words) {
    const auto number = number_in(word.text, std::int64_t{0});
    if (!number && word.text.find_first_of("0123456789-+") == std::string::npos) {
      read.advice.push_back({word.line, fmt::format("the library passes over '{}'", word.text)});
      continue;
    }
    if (!number) {
      read.faults.push_back({word.line, fmt::format("'{}' is no number of at least 0; the library "
                                                    "takes digits and '-' within words for numbers",
                                                    word.text)});
    } else if (word.text.size() > 1 && word.text.front() == '0') {
      read.faults.push_back(
          {word.line, fmt::format("'{}' begins with 0: the library reads it as octal", word.text)});
    }
    numbers.push_back({number.value_or(0), word.line});
  }
  return numbers;
}

/// Takes the numbers as the library does, one after the other. @throws Fault
class RulesReader {
 public:
  /// @param has_requests  a rule may have a fifth number, on the line of the fourth
  RulesReader(std::span<const Number> numbers, bool has_requests)
      : numbers_{numbers}, has_requests_{has_requests} {}

  std::vector<CollectiveRanges> all(std::vector<Fault>& advice) {
    std::vector<CollectiveRanges> all;
    std::set<int> ids;
    const int collectives = count("collectives", libraries::openmpi::kRulesCollectives);
    const std::string announced = announced_;
    for (int i = 0; i < collectives; ++i) {
      announced_ = announced;
      const Number number = next("a collective", libraries::openmpi::kRulesCollectives - 1);
      const auto id = static_cast<int>(number.value);
      const auto known = libraries::openmpi::rules_collective(id);
      if (!ids.insert(id).second) {
        advice.push_back(
            {number.line,
             fmt::format("the collective {} has rules twice; the last ones hold", id)});
        std::erase_if(all, [&](const CollectiveRanges& each) { return each.collective == known; });
      }
      CollectiveRanges ranges{
          .collective = known.value_or(Collective{}), .procs = procs_ranges(), .line = number.line};
      if (known) {
        all.push_back(std::move(ranges));
      } else {
        advice.push_back(
            {number.line,
             fmt::format(
                 "coll/tuned does nothing for the collective {}: these rules are never used", id)});
      }
    }
    if (!numbers_.empty()) {
      throw Fault{numbers_.front().line, "a number after the last rule that was announced"};
    }
    return all;
  }

  [[nodiscard]] const std::optional<Fault>& miscount() const { return miscount_; }

 private:
  Number next(std::string_view what, std::int64_t most = INT_MAX) {
    if (numbers_.empty()) {
      throw Fault{line_,
                  fmt::format("the file ends here, before {}: was it cut? {}", what, announced_)};
    }
    const Number number = numbers_.front();
    numbers_ = numbers_.subspan(1);
    line_ = number.line;
    if (number.value <= most) return number;
    throw Fault{line_, fmt::format("{} is {}, above {}; {}", what, number.value, most, announced_)};
  }

  int next_int(std::string_view what) { return static_cast<int>(next(what).value); }

  int count(std::string_view of, int most = INT_MAX) {
    const Number number = next(fmt::format("the number of {}", of), most);
    announced_ = fmt::format("line {} announces {} {}", line_, number.value, of);
    return static_cast<int>(number.value);
  }

  std::vector<ProcsRange> procs_ranges() {
    std::vector<ProcsRange> ranges;
    const int procs = count("communicator sizes");
    const std::string announced = announced_;
    for (int i = 0; i < procs; ++i) {
      announced_ = announced;
      const Number least = next("a communicator size");
      const auto first = static_cast<int>(least.value);
      if (i > 0) ranges.back().last = first - 1;
      ranges.push_back({.first = first, .last = INT_MAX, .line = least.line});
      const int sizes = count("message sizes");
      const int line = line_;
      for (int j = 0; j < sizes; ++j) {
        ranges.back().sizes.push_back(size_range());
        check_lines(line, ranges.back().sizes);
      }
      if (has_lines_ && numbers_.size() > 3 && numbers_[0].line == numbers_[3].line) {
        set_miscount(line, fmt::format("line {} looks like one more", numbers_[0].line));
      }
    }
    announced_ = announced;
    return ranges;
  }

  /// Most files have a line for each rule: in such a one a rule of several lines shows a count that
  /// is too high.
  void check_lines(int line, const std::vector<SizeRange>& sizes) {
    const int first = sizes.back().line;
    if (first == line_) {
      has_lines_ = true;
    } else if (has_lines_) {
      set_miscount(line, fmt::format("number {} takes numbers of lines {} to {}", sizes.size(),
                                     first, line_));
    }
  }

  void set_miscount(int line, std::string_view why) {
    if (!miscount_) miscount_ = Fault{line, fmt::format("{}; {}", announced_, why)};
  }

  SizeRange size_range() {
    const int line_before = line_;
    const Number from = next("a message size", INT64_MAX);
    SizeRange range{
        .from_bytes = from.value, .line = from.line, .number = next_int("an algorithm")};
    range.algorithm.fanout = next_int("a fan-out");
    range.algorithm.segment_bytes = next_int("a segment size");
    const bool has_fifth = !numbers_.empty() && numbers_.front().line == line_;
    if (has_fifth && has_requests_) {
      range.algorithm.max_requests = next_int("the most requests");
    } else if (has_fifth && line_before < from.line && from.line == line_ && !miscount_) {
      miscount_ = Fault{
          line_,
          fmt::format("a fifth number, for which the file has to begin with {}2", kVersionLine)};
    }
    return range;
  }

  std::span<const Number> numbers_;
  bool has_requests_;
  int line_ = 0;             // of the last number taken
  std::string announced_{};  // by the count that holds here
  bool has_lines_ = false;   // a rule stands on a line of its own
  std::optional<Fault> miscount_{};
};

}  // namespace

ParsedRules parse_rules(std::string_view text, ReadTable& read) {
  std::vector<Word> words = words_of(text);
  bool has_requests = false;
  if (text.starts_with(kVersionLine)) {
    const auto version = number_in<int>(words.front().text.substr(kVersionLine.size()));
    has_requests = version.value_or(0) > 1;
    words.erase(words.begin());
  }
  const std::size_t before = read.faults.size();
  const std::vector<Number> numbers = numbers_of(words, read);
  const bool all_numbers = read.faults.size() == before;
  RulesReader reader{numbers, has_requests};
  ParsedRules parsed;
  try {
    parsed.rules = reader.all(read.advice);
  } catch (const Fault& fault) {
    read.faults.push_back(fault);
  }
  if (all_numbers) parsed.miscount = reader.miscount();
  return parsed;
}

}  // namespace breakeven::formats::openmpi
