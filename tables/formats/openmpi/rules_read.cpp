// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <iterator>
#include <utility>

#include "tables/formats/common/head.hpp"
#include "tables/formats/openmpi/area.hpp"
#include "tables/formats/openmpi/rules.hpp"
#include "tables/formats/openmpi/tuned.hpp"

namespace breakeven::formats::openmpi {

namespace {

/// Gives the rules their algorithms' names, and finds what is wrong with them.
class Checker {
 public:
  Checker(std::string_view text, ReadTable& read)
      : text_{text},
        capabilities_{tuned_numbers(text, libraries::openmpi::kFirstMajorWithJson - 1)},
        read_{read} {}

  void check(std::vector<CollectiveRanges>& all) {
    for (CollectiveRanges& each : all) check(each);
  }

 private:
  template <typename... Parts>
  void add(int line, fmt::format_string<Parts...> reason, Parts&&... parts) {
    read_.faults.push_back({line, fmt::format(reason, std::forward<Parts>(parts)...)});
  }
  template <typename... Parts>
  void advise(int line, fmt::format_string<Parts...> reason, Parts&&... parts) {
    read_.advice.push_back({line, fmt::format(reason, std::forward<Parts>(parts)...)});
  }

  void check(CollectiveRanges& rules) {
    if (find_tuned(capabilities_, rules.collective, 1) == nullptr) {
      rules.procs.clear();
      return advise(rules.line, "coll/tuned does nothing for {}: these rules are never used",
                    kCollectives.of(rules.collective));
    }
    if (rules.procs.empty()) return advise(rules.line, "no rule for any communicator size");
    for (auto rule = rules.procs.begin(); rule != rules.procs.end(); ++rule) {
      if (rule != rules.procs.begin() && rule->first <= std::prev(rule)->first) {
        add(rule->line, "communicator size {} does not ascend; a look-up ends at the first greater",
            rule->first);
      }
      check(rules.collective, *rule);
    }
    const ProcsRange& first = rules.procs.front();
    if (first.first > 2 && !native(first)) {
      advise(first.line, "communicators of fewer than {} processes get this rule too", first.first);
    }
    const ProcsRange& last = rules.procs.back();
    if (rules.procs.size() == 1 && native(last)) {
      advise(last.line, "one rule that leaves all to the library says nothing");
    }
    if (!native(last)) {
      advise(last.line, "all communicators of {} processes or more get this rule", last.first);
    }
  }

  void check(Collective collective, ProcsRange& rule) {
    if (rule.sizes.empty()) return advise(rule.line, "no rule for any message size");
    for (std::size_t i = 0; i < rule.sizes.size(); ++i) {
      if (i > 0 && rule.sizes[i].from_bytes <= rule.sizes[i - 1].from_bytes) {
        add(rule.sizes[i].line,
            "message size {} does not ascend; a look-up ends at the first greater",
            rule.sizes[i].from_bytes);
      }
      check(collective, rule.sizes[i], {rule.first, rule.last});
    }
    if (const auto hazard = tuned_hazard(collective, rule.sizes.size())) {
      read_.advice.push_back({rule.line, *hazard});
    }
  }

  void check(Collective collective, SizeRange& rule, const Range& procs) {
    if (rule.number == 0) return;
    const ListedAlgorithm* const listed = find_tuned(capabilities_, collective, rule.number);
    if (listed == nullptr) {
      return add(rule.line, "{} has no algorithm {} in this library; it would end the program",
                 kCollectives.of(collective), rule.number);
    }
    rule.algorithm.name = listed->name;
    check_tuned(collective, procs, rule.line, text_, rule.algorithm, read_);
  }

  static bool native(const ProcsRange& rule) {
    return rule.sizes.size() == 1 && rule.sizes.front().number == 0;
  }

  std::string_view text_;
  LibraryCapabilities capabilities_;
  ReadTable& read_;
};

void check_rules_head(std::string_view text, ReadTable& read) {
  const std::size_t number = kVersionLine.size();
  if (text.starts_with(kVersionLine) && number_in(text.substr(number, 1), 0)) {
    const std::string reason = fmt::format(
        "Open MPI before 4.1.8 and 5.0.7 reads '{}' as a negative number and drops the whole file",
        kVersionLine);
    if (!version_in(text)) {
      read.advice.push_back({1, reason});
    } else if (!knows_version_line(text)) {
      read.faults.push_back({1, reason});
    }
  }
  if (const auto reason = unfit_head(text, unfit_for_rules)) read.faults.push_back({0, *reason});
}

}  // namespace

bool knows_version_line(std::string_view text) {
  const auto version = version_in(text);
  return !version || libraries::openmpi::reads_requests(*version);
}

ReadTable read_rules(std::string_view text) {
  ReadTable read;
  check_rules_head(text, read);
  auto [rules, miscount] = parse_rules(text, read);
  Checker{text, read}.check(rules);
  if (!read.faults.empty() && miscount) {
    std::erase_if(read.faults,
                  [&](const ReadTable::Fault& each) { return each.line >= miscount->line; });
    read.faults.push_back(*miscount);
    read.advice.clear();
  }
  if (!read.faults.empty()) return read;
  for (CollectiveRanges& each : rules) {
    if (!each.procs.empty()) each.procs.front().first = 2;
  }
  answer_by(areas_of(rules), read);
  return read;
}

}  // namespace breakeven::formats::openmpi
