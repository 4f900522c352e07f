// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <regex>

#include "core/error.hpp"
#include "tuner/emit/cpp_header.hpp"
#include "tuner/emit/head.hpp"
#include "tuner/rule_fields.hpp"

namespace breakeven {

namespace {

using Fault = ReadTable::Fault;

constexpr std::string_view kBodyBegins = "// Which algorithm of each MPI collective";
constexpr std::string_view kRulesBegin = "inline constexpr std::array<Rule,";
constexpr std::string_view kRulesEnd = "}};";

Needs needs_of(std::string_view word) {
  if (word == "even_procs") return kEvenProcs;
  if (word == "power_of_two") return kPowerOfTwo;
  return kAnyProcs;  // with parameters a rule is for its p alone, whatever it needs
}

/// @throws UsageError when the line is not one of the header's rules
Rule rule_of(std::string_view text) {
  static const std::regex kRule{
      R"re( *\{Collective::(\w+), Mapping::(\w+), (\d{1,9}), (\d{1,18}), Algorithm::(\w+), "([^"]*)", Needs::(\w+), (true|false)\},)re"};
  const std::string line{text};
  std::smatch match;
  if (!std::regex_match(line, match, kRule)) {
    throw UsageError(fmt::format("'{}' is no rule", line));
  }
  Rule rule;
  rule.what = {.collective = kCollectives.parse(match[1].str()),
               .algorithm = match[5],
               .params = match[6],
               .procs = std::stoi(match[3]),
               .mapping = Mapping::parse(match[2].str()),
               .message = {std::stoll(match[4])}};
  rule.needs = needs_of(match[7].str());
  rule.doubt = match[8] == "true" ? Doubt::sure : Doubt::unsure;
  return rule;
}

std::vector<Rule> rules_of(std::string_view text, std::vector<Fault>& faults) {
  std::vector<Rule> rules;
  bool inside = false;
  bool ended = false;
  int number = 0;
  for (const std::string_view line : lines_of(text)) {
    ++number;
    if (!inside) {
      inside = line.starts_with(kRulesBegin);
      continue;
    }
    ended = line == kRulesEnd;
    if (ended) break;
    try {
      Rule rule = rule_of(line);
      const Rule* before = rules.empty() ? nullptr : &rules.back();
      if (auto fault = rule_fault(before, rule)) faults.push_back({number, *std::move(fault)});
      rules.push_back(std::move(rule));
    } catch (const UsageError& error) {
      faults.push_back({number, error.what()});
    }
  }
  if (!ended) {
    faults.push_back({number, inside ? "the rules have no end: was the file cut?"
                                     : "no rules: cut, or not written by Breakeven"});
  }
  return rules;
}

}  // namespace

ReadTable read_cpp_header(std::string_view text) {
  ReadTable read;
  Table table{.rules = rules_of(text, read.faults)};
  const std::size_t begin = text.find(kBodyBegins);
  if (begin == std::string_view::npos) {
    read.faults.push_back(
        {0, fmt::format("no line '{} ...': not written by this Breakeven", kBodyBegins)});
  }
  if (!read.faults.empty()) return read;
  if (auto fault =
          first_difference(text.substr(begin), cpp_header_body(table), line_at(text, begin))) {
    read.faults.push_back(*std::move(fault));
    return read;
  }
  read.answer = answer_of(std::move(table));
  return read;
}

}  // namespace breakeven
