// SPDX-License-Identifier: BSD-3-Clause
#include "tables/formats/openmpi/rules_parse.hpp"

#include <fmt/format.h>

#include <charconv>
#include <climits>
#include <span>
#include <sstream>
#include <string>

#include "tables/formats/common/head.hpp"

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
  int line = 0;
  for (const std::string_view each : lines_of(text)) {
    ++line;
    std::istringstream words{std::string{each.substr(0, each.find('#'))}};
    for (std::string word; words >> word;) {
      Number number{.line = line};
      const char* const end = word.data() + word.size();
      const auto [stop, failure] = std::from_chars(word.data(), end, number.value);
      if (failure != std::errc{} || stop != end || number.value < 0) {
        faults.push_back({line, fmt::format("'{}' is no number of at least 0; the library takes "
                                            "digits and '-' within words for numbers",
                                            word)});
      } else if (word.size() > 1 && word.front() == '0') {
        faults.push_back(
            {line, fmt::format("'{}' begins with 0: the library reads it as octal", word)});
      }
      numbers.push_back(number);
    }
  }
  return numbers;
}

/// Takes the numbers as the library does, one after the other. @throws Fault
class RulesReader {
 public:
  explicit RulesReader(std::span<const Number> numbers) : numbers_{numbers} {}

  std::vector<CollectiveRules> all() {
    std::vector<CollectiveRules> all;
    const auto collectives =
        next("the number of collectives", libraries::openmpi::kRulesCollectives).value;
    for (std::int64_t i = 0; i < collectives; ++i) all.push_back(collective());
    if (!numbers_.empty()) {
      throw Fault{numbers_.front().line, "a number after the last rule that was announced"};
    }
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

  CollectiveRules collective() {
    const Number id = next("a collective", libraries::openmpi::kRulesCollectives - 1);
    CollectiveRules rules{.line = id.line, .id = static_cast<int>(id.value)};
    const int count = next_int("a number of communicator sizes");
    for (int i = 0; i < count; ++i) rules.procs.push_back(procs());
    return rules;
  }
  ProcsRule procs() {
    const Number least = next("a communicator size");
    ProcsRule rule{.line = least.line, .procs = static_cast<int>(least.value)};
    const int count = next_int("a number of message sizes");
    for (int i = 0; i < count; ++i) rule.sizes.push_back(size());
    return rule;
  }
  SizeRule size() {
    const Number from = next("a message size", INT64_MAX);
    SizeRule rule{.line = from.line, .from_bytes = from.value, .id = next_int("an algorithm")};
    rule.algorithm.fanout = next_int("a fan-out");
    rule.algorithm.segment_bytes = next_int("a segment size");
    return rule;
  }

  std::span<const Number> numbers_;
  int line_ = 0;  // of the last number taken
};

}  // namespace

std::vector<CollectiveRules> parse_rules(std::string_view text, std::vector<Fault>& faults) {
  const std::vector<Number> numbers = numbers_of(text, faults);
  try {
    return RulesReader{numbers}.all();
  } catch (const Fault& fault) {
    faults.push_back(fault);
    return {};
  }
}

}  // namespace breakeven::formats::openmpi
