// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <climits>
#include <cstdint>
#include <optional>
#include <set>
#include <span>

#include "libraries/openmpi_rules.hpp"
#include "tables/formats/openmpi/rules.hpp"
#include "tables/formats/openmpi/scanner.hpp"

namespace breakeven::formats::openmpi {

namespace {

using Fault = ReadTable::Fault;

struct Number {
  std::int64_t value = 0;
  int line = 0;
  bool follows = false;  ///< on the line of the number before it, without another sign between
};

/// The numbers outside of comments.
std::vector<Number> numbers_of(Scanner& scanner) {
  std::vector<Number> numbers;
  while (true) {
    const bool follows = scanner.digit_follows();
    const auto number = scanner.number();
    if (!number) return numbers;
    numbers.push_back({*number, scanner.line(), follows});
  }
}

/// Takes the numbers as the library does, one after the other. @throws Fault
class RulesReader {
 public:
  /// @param has_requests  a rule may have a fifth number, on the line of the fourth
  RulesReader(std::span<const Number> numbers, bool has_requests, std::vector<Fault>& advice)
      : numbers_{numbers}, has_requests_{has_requests}, advice_{advice} {}

  std::vector<CollectiveRanges> all() {
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
        advice_.push_back(
            {number.line,
             fmt::format("the collective {} has rules twice; the last ones hold", id)});
        std::erase_if(all, [&](const CollectiveRanges& each) { return each.collective == known; });
      }
      CollectiveRanges ranges{
          .collective = known.value_or(Collective{}), .procs = procs_ranges(), .line = number.line};
      if (known) {
        all.push_back(std::move(ranges));
      } else {
        advice_.push_back(
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
  Number next(std::string_view what, std::int64_t most = INT64_MAX) {
    if (numbers_.empty()) {
      throw Fault{line_,
                  fmt::format("the file ends here, before {}: was it cut? {}", what, announced_)};
    }
    const Number number = numbers_.front();
    numbers_ = numbers_.subspan(1);
    line_ = number.line;
    if (number.value < 0) {
      throw Fault{line_, fmt::format("{} is {}: the library drops a file with negative numbers",
                                     what, number.value)};
    }
    if (number.value <= most) return number;
    throw Fault{line_, fmt::format("{} is {}, above {}; {}", what, number.value, most, announced_)};
  }

  /// The library keeps the lower half of a number that is greater than an int.
  int next_int(std::string_view what) {
    const Number number = next(what);
    const auto kept = static_cast<int>(number.value);
    if (kept == number.value) return kept;
    const Fault taken{number.line, fmt::format("{} is {}, which the library takes for {}", what,
                                               number.value, kept)};
    if (kept < 0) throw Fault{taken};
    advice_.push_back(taken);
    return kept;
  }

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
      const int first = next_int("a communicator size");
      if (i > 0) ranges.back().last = first - 1;
      ranges.push_back({.first = first, .last = INT_MAX, .line = line_});
      const int sizes = count("message sizes");
      const int line = line_;
      for (int j = 0; j < sizes; ++j) {
        ranges.back().sizes.push_back(size_range());
        const SizeRange& size = ranges.back().sizes.back();
        if (j == 0 && size.from_bytes != 0) {
          throw Fault{size.line, fmt::format("the first message size is {}; unless it is 0 the "
                                             "library drops the whole file",
                                             size.from_bytes)};
        }
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
    const Number from = next("a message size");
    SizeRange range{
        .from_bytes = from.value, .line = from.line, .number = next_int("an algorithm")};
    range.algorithm.fanout = next_int("a fan-out");
    range.algorithm.segment_bytes = next_int("a segment size");
    const bool has_fifth = !numbers_.empty() && numbers_.front().line == line_;
    if (has_requests_ && has_fifth && numbers_.front().follows) {
      range.algorithm.max_requests = next_int("a limit of requests");
    } else if (!has_requests_ && has_fifth && line_before < from.line && from.line == line_ &&
               !miscount_) {
      miscount_ = Fault{
          line_,
          fmt::format("a fifth number, for which the file has to begin with {}2", kVersionLine)};
    }
    return range;
  }

  std::span<const Number> numbers_;
  bool has_requests_;
  std::vector<Fault>& advice_;
  int line_ = 0;             // of the last number taken
  std::string announced_{};  // by the count that holds here
  bool has_lines_ = false;   // a rule stands on a line of its own
  std::optional<Fault> miscount_{};
};

}  // namespace

ParsedRules parse_rules(std::string_view text, ReadTable& read) {
  Scanner scanner{text, read};
  const bool has_requests = knows_version_line(text) && scanner.version(kVersionLine) > 1;
  const std::vector<Number> numbers = numbers_of(scanner);
  RulesReader reader{numbers, has_requests, read.advice};
  ParsedRules parsed;
  try {
    parsed.rules = reader.all();
  } catch (const Fault& fault) {
    read.faults.push_back(fault);
  }
  parsed.miscount = reader.miscount();
  return parsed;
}

}  // namespace breakeven::formats::openmpi
