// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <regex>

#include "core/error.hpp"
#include "tables/formats/common/description.hpp"
#include "tables/formats/common/head.hpp"
#include "tables/formats/own/cpp_header.hpp"
#include "tables/formats/own/json.hpp"
#include "tables/formats/own/rule_fields.hpp"

namespace breakeven::formats {

namespace {

using Fault = ReadTable::Fault;

constexpr std::string_view kRulesBegin = "inline constexpr std::array<Rule,";
constexpr std::string_view kRulesEnd = "}};";

kernels::ProcsRequirement requirement_of(std::string_view word) {
  if (word == "even_procs") return kernels::kEvenProcs;
  if (word == "power_of_two") return kernels::kPowerOfTwo;
  return word == "measured_procs" ? tables::kMeasuredProcs : kernels::kAnyProcs;
}

/// @throws UsageError when the line is not one of the header's rules
tables::Rule rule_of(std::string_view text) {
  static const std::regex kRule{
      R"re( *\{Collective::(\w+), Mapping::(\w+), (\d{1,9}), (\d{1,9}), (\d{1,9}), (\d{1,18}), )re"
      R"re(Algorithm::(\w+), "([^"]*)", Requirement::(\w+), (true|false)\},)re"
      R"re(  // (\d{1,9}) on a node, (\d{1,18}) to (\d{1,18}) B, (\d{1,9}) launches)re"};
  const std::string line{text};
  std::smatch match;
  if (!std::regex_match(line, match, kRule)) {
    throw UsageError(fmt::format("'{}' is no rule", line));
  }
  tables::Rule rule;
  rule.what = {.collective = kCollectives.parse(match[1].str()),
               .variant = Variant::of(match[7].str(), match[8].str()),
               .procs = std::stoi(match[3]),
               .nodes = std::stoi(match[4]),
               .procs_per_node = std::stoi(match[11]),
               .mapping = Mapping::parse(match[2].str()),
               .comms_per_node = std::stoi(match[5]),
               .message = {std::stoll(match[6])}};
  rule.requirement = requirement_of(match[9].str());
  rule.certainty = match[10] == "true" ? tables::Certainty::decided : tables::Certainty::undecided;
  rule.first_measured = {std::stoll(match[12])};
  rule.last_measured = {std::stoll(match[13])};
  rule.launches = std::stoi(match[14]);
  return rule;
}

std::vector<tables::Rule> rules_of(std::string_view text, ReadKept& read) {
  std::vector<tables::Rule> rules;
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
    add_rule(line, number, rule_of, rules, read);
  }
  if (!ended) {
    read.faults.push_back({number, inside ? "the rules have no end: was the file cut?"
                                          : "no rules: cut, or not written by Breakeven"});
  }
  return rules;
}

/// A fault at the first line in which `text` is not as it was written; nothing when they are equal.
std::optional<Fault> first_difference(std::string_view text, std::string_view written) {
  const auto is = lines_of(text);
  const auto was = lines_of(written);
  const auto [here, there] = std::ranges::mismatch(is, was);
  const int line = 1 + static_cast<int>(here - is.begin());
  if (here == is.end() && there == was.end()) {
    if (text.ends_with('\n') == written.ends_with('\n')) return std::nullopt;
    return Fault{line - 1, "the last line has no end: was the file cut?"};
  }
  if (here == is.end()) return Fault{line, fmt::format("'{}' is missing", *there)};
  if (there == was.end()) return Fault{line, fmt::format("'{}' is too much", *here)};
  return Fault{line, fmt::format("'{}' where Breakeven writes '{}'", *here, *there)};
}

}  // namespace

ReadTable read_cpp_header(std::string_view text) { return as_read_table(read_kept_header(text)); }

ReadKept read_kept_header(std::string_view text) {
  ReadKept read;
  std::vector<tables::Rule> rules = rules_of(text, read);
  if (!read.faults.empty()) return read;
  try {
    Description head = read_description(text);
    for (tables::Rule& rule : rules) {
      rule.what.datatype = head.datatype;
      if (reduces(rule.what.collective)) rule.what.op = head.op;
      if (rooted(rule.what.collective)) rule.what.root = head.root;
    }
    read.kept = {table_of(tables::Candidates::ours, std::move(rules)), std::move(head.provenance)};
  } catch (const UsageError& error) {
    read.faults.push_back({0, error.what()});
    return read;
  }
  if (auto fault = first_difference(text, cpp_header(read.kept.table, read.kept.provenance).text)) {
    read.faults.push_back(*std::move(fault));
  }
  return read;
}

}  // namespace breakeven::formats
