// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <climits>
#include <sstream>
#include <utility>

#include "core/error.hpp"
#include "libraries/library_algorithm.hpp"
#include "tuner/emit/head.hpp"
#include "tuner/emit/openmpi_rules.hpp"
#include "tuner/emit/openmpi_rules_parse.hpp"
#include "tuner/emit/openmpi_rules_text.hpp"
#include "tuner/emit/openmpi_tuned.hpp"

namespace breakeven {

namespace {

using Fault = ReadTable::Fault;
using openmpi_rules_text::CollectiveRules;
using openmpi_rules_text::ProcsRule;
using openmpi_rules_text::SizeRule;

/// The numbers of algorithms, as the head lists them.
LibraryOffer offer_of(std::string_view text) {
  LibraryOffer offer;
  const std::string before = fmt::format("#   {:<10} ", openmpi_rules_text::kIds);
  for (const std::string_view line : lines_of(text)) {
    if (!line.starts_with(before)) continue;
    std::istringstream words{std::string{line.substr(before.size())}};
    std::string collective;
    words >> collective;
    const auto* const known =
        std::ranges::find(kCollectives.entries, collective, &decltype(kCollectives)::Entry::name);
    if (known == kCollectives.entries.end()) continue;
    ListedAlgorithm listed{.collective = known->value};
    while (words >> listed.value >> listed.name) offer.algorithms.push_back(listed);
  }
  return offer;
}

/// Gives the rules their algorithms' names, and finds what is wrong with them.
class Checker {
 public:
  Checker(std::string_view text, const LibraryOffer& offer, std::vector<Fault>& faults)
      : text_{text}, offer_{offer}, faults_{faults} {}

  void check(std::vector<CollectiveRules>& all) {
    for (std::size_t i = 0; i < all.size(); ++i) {
      const auto again =
          std::ranges::find(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(i), all[i].id,
                            &CollectiveRules::id);
      if (again != all.begin() + static_cast<std::ptrdiff_t>(i)) {
        add(all[i].line, "the collective {} has rules twice; the last ones hold", all[i].id);
      }
      const auto collective = openmpi::rules_collective(all[i].id);
      if (collective) {
        check(*collective, all[i]);
      } else {
        add(all[i].line, "the collective {} is none that Breakeven knows", all[i].id);
      }
    }
  }

 private:
  template <typename... Parts>
  void add(int line, fmt::format_string<Parts...> reason, Parts&&... parts) {
    faults_.push_back({line, fmt::format(reason, std::forward<Parts>(parts)...)});
  }

  void check(Collective collective, CollectiveRules& rules) {
    if (rules.procs.empty()) return add(rules.line, "no rule for any communicator size");
    for (std::size_t i = 0; i < rules.procs.size(); ++i) {
      ProcsRule& rule = rules.procs[i];
      const bool last = i + 1 == rules.procs.size();
      if (i > 0 && rule.procs <= rules.procs[i - 1].procs) {
        add(rule.line, "communicator size {} does not ascend; a look-up ends at the first greater",
            rule.procs);
      }
      check(collective, rule, last ? INT_MAX : rules.procs[i + 1].procs - 1);
    }
    const ProcsRule& first = rules.procs.front();
    if (first.procs > 2 && !native(first)) {
      add(first.line, "communicators of fewer than {} processes get this rule too", first.procs);
    }
    const ProcsRule& last = rules.procs.back();
    if (rules.procs.size() == 1 && native(last)) {
      add(last.line, "one rule that leaves all to the library says nothing");
    }
    if (!native(last)) {
      add(last.line, "all communicators of {} processes or more get this rule", last.procs);
    }
  }

  void check(Collective collective, ProcsRule& rule, int last) {
    if (rule.sizes.empty()) return add(rule.line, "no rule for any message size");
    if (rule.sizes.front().from_bytes != 0) {
      add(rule.sizes.front().line,
          "the first message size is {}; unless it is 0 the library drops "
          "the whole file",
          rule.sizes.front().from_bytes);
    }
    for (std::size_t i = 0; i < rule.sizes.size(); ++i) {
      if (i > 0 && rule.sizes[i].from_bytes <= rule.sizes[i - 1].from_bytes) {
        add(rule.sizes[i].line,
            "message size {} does not ascend; a look-up ends at the first greater",
            rule.sizes[i].from_bytes);
      }
      check(collective, rule.sizes[i], rule.procs, last);
    }
    if (const auto hazard = tuned_hazard(collective, rule.sizes.size())) {
      faults_.push_back({rule.line, *hazard});
    }
  }

  void check(Collective collective, SizeRule& rule, int first, int last) {
    if (rule.id == 0) return;
    const auto listed = std::ranges::find_if(offer_.algorithms, [&](const ListedAlgorithm& each) {
      return each.collective == collective && each.value == rule.id;
    });
    if (listed == offer_.algorithms.end()) {
      return add(rule.line, "{} has no algorithm {} in this library; it would end the program",
                 kCollectives.of(collective), rule.id);
    }
    rule.algorithm.name = listed->name;
    const Case chosen = with_variant({.collective = collective, .procs = first},
                                     openmpi::variant_of(rule.algorithm));
    try {
      static_cast<void>(refusal(chosen));
      if (auto harm = unsafe_rule(text_, chosen)) faults_.push_back({rule.line, *std::move(harm)});
    } catch (const UsageError& error) {
      faults_.push_back({rule.line, error.what()});
    }
    if (const auto hazard = tuned_hazard(collective, first, last, rule.algorithm.name)) {
      faults_.push_back({rule.line, *hazard});
    }
  }

  static bool native(const ProcsRule& rule) {
    return rule.sizes.size() == 1 && rule.sizes.front().id == 0;
  }

  std::string_view text_;
  const LibraryOffer& offer_;
  std::vector<Fault>& faults_;
};

/// @pre the rules are without fault
std::vector<CollectiveRanges> ranges_of(const std::vector<CollectiveRules>& all) {
  std::vector<CollectiveRanges> ranges;
  for (const CollectiveRules& rules : all) {
    CollectiveRanges each{.collective = openmpi::rules_collective(rules.id).value()};
    // The last rule only says where the one before ends.
    for (std::size_t i = 0; i + 1 < rules.procs.size(); ++i) {
      ProcsRange range{.first = rules.procs[i].procs, .last = rules.procs[i + 1].procs - 1};
      for (const SizeRule& size : rules.procs[i].sizes) {
        range.sizes.push_back({size.from_bytes, openmpi::variant_of(size.algorithm)});
      }
      each.procs.push_back(std::move(range));
    }
    ranges.push_back(std::move(each));
  }
  return ranges;
}

/// What the head must say for the rules to mean anything.
void check_head(std::string_view text, std::vector<Fault>& faults) {
  constexpr std::string_view kVersionLine = "rule-file-version-";
  if (text.starts_with(kVersionLine)) {
    faults.push_back({1, fmt::format("'{}' is known from Open MPI 5.0.7 on; older ones read a "
                                     "negative number and drop the whole file",
                                     kVersionLine)});
  }
  const auto library = head_value(text, "library");
  const auto version = openmpi::parse_version(library.value_or(""));
  if (!version) {
    faults.push_back({0,
                      "no comment says for which version of Open MPI this file is, as all of "
                      "Breakeven's do; the numbers of algorithms depend on it"});
  } else if (const auto reason = openmpi_rules_text::unfit(*version)) {
    faults.push_back({0, *reason});
  }
}

/// The line on which the first number stands.
int first_line_of_body(std::string_view text) {
  int line = 1;
  for (const std::string_view each : lines_of(text)) {
    if (!each.starts_with('#')) break;
    ++line;
  }
  return line;
}

std::string_view from_line(std::string_view text, int line) {
  for (; line > 1; --line) text.remove_prefix(std::min(text.size(), text.find('\n') + 1));
  return text;
}

}  // namespace

std::optional<std::string> openmpi_rules_text::unfit(const openmpi::Version& version) {
  if (version < openmpi::kFirstKnownVersion) {
    return "Open MPI before 4.1 reads message sizes of rules in other units";
  }
  if (version.major >= openmpi::kFirstMajorWithJson) {
    return fmt::format(
        "Open MPI from {} on moves communicator sizes of such a file by one entry: "
        "write openmpi_json for it",
        openmpi::kFirstMajorWithJson);
  }
  return std::nullopt;
}

ReadTable read_openmpi_rules(std::string_view text) {
  ReadTable read;
  check_head(text, read.faults);
  const LibraryOffer offer = offer_of(text);
  std::vector<CollectiveRules> rules = openmpi_rules_text::parse(text, read.faults);
  Checker{text, offer, read.faults}.check(rules);
  if (!read.faults.empty()) return read;

  const std::vector<CollectiveRanges> ranges = ranges_of(rules);
  const int first_line = first_line_of_body(text);
  if (auto fault = first_difference(from_line(text, first_line),
                                    openmpi_rules_text::body(ranges, offer), first_line)) {
    read.faults.push_back(*std::move(fault));
    return read;
  }
  read.answer = [ranges](const Case& problem) {
    return answer(ranges, problem, openmpi::rules_bytes);
  };
  return read;
}

bool is_openmpi_rules(std::string_view text) {
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    const std::size_t begin = line.find_first_not_of(" \t\r");
    if (begin != std::string_view::npos && line[begin] != '#') {
      const std::string_view word = line.substr(begin);
      return word.starts_with("rule-file-version-") || (word.front() >= '0' && word.front() <= '9');
    }
    text.remove_prefix(std::min(line.size() + 1, text.size()));
  }
  return false;
}

}  // namespace breakeven
