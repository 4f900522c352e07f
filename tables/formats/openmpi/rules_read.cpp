// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <sstream>
#include <utility>

#include "core/error.hpp"
#include "libraries/library_algorithm.hpp"
#include "tables/formats/common/head.hpp"
#include "tables/formats/openmpi/area.hpp"
#include "tables/formats/openmpi/rules.hpp"
#include "tables/formats/openmpi/tuned.hpp"

namespace breakeven::formats::openmpi {

namespace {

using Fault = ReadTable::Fault;

/// The numbers of algorithms: as the head lists them, of other collectives those of the versions
/// that libraries/ knows, which lists them in the order of their numbers.
LibraryCapabilities capabilities_of(std::string_view text) {
  LibraryCapabilities capabilities;
  std::set<Collective> listed_ones;
  const std::string before = fmt::format("#   {:<10} ", kIds);
  for (const std::string_view line : lines_of(text)) {
    if (!line.starts_with(before)) continue;
    std::istringstream words{std::string{line.substr(before.size())}};
    std::string name;
    words >> name;
    const auto collective = kCollectives.find(name);
    if (!collective) continue;
    listed_ones.insert(*collective);
    ListedAlgorithm listed{.collective = *collective};
    while (words >> listed.value >> listed.name) capabilities.algorithms.push_back(listed);
  }
  std::map<Collective, int> last;
  for (ListedAlgorithm& known : libraries::known_capabilities("openmpi").algorithms) {
    if (listed_ones.contains(known.collective) || libraries::openmpi::is_han(known.name)) continue;
    known.value = ++last[known.collective];
    capabilities.algorithms.push_back(std::move(known));
  }
  return capabilities;
}

/// Gives the rules their algorithms' names, and finds what is wrong with them.
class Checker {
 public:
  Checker(std::string_view text, const LibraryCapabilities& capabilities,
          std::vector<Fault>& faults)
      : text_{text}, capabilities_{capabilities}, faults_{faults} {}

  void check(std::vector<CollectiveRanges>& all) {
    for (CollectiveRanges& each : all) check(each);
  }

 private:
  template <typename... Parts>
  void add(int line, fmt::format_string<Parts...> reason, Parts&&... parts) {
    faults_.push_back({line, fmt::format(reason, std::forward<Parts>(parts)...)});
  }

  void check(CollectiveRanges& rules) {
    if (rules.procs.empty()) return add(rules.line, "no rule for any communicator size");
    for (auto rule = rules.procs.begin(); rule != rules.procs.end(); ++rule) {
      if (rule != rules.procs.begin() && rule->first <= std::prev(rule)->first) {
        add(rule->line, "communicator size {} does not ascend; a look-up ends at the first greater",
            rule->first);
      }
      check(rules.collective, *rule);
    }
    const ProcsRange& first = rules.procs.front();
    if (first.first > 2 && !native(first)) {
      add(first.line, "communicators of fewer than {} processes get this rule too", first.first);
    }
    const ProcsRange& last = rules.procs.back();
    if (rules.procs.size() == 1 && native(last)) {
      add(last.line, "one rule that leaves all to the library says nothing");
    }
    if (!native(last)) {
      add(last.line, "all communicators of {} processes or more get this rule", last.first);
    }
  }

  void check(Collective collective, ProcsRange& rule) {
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
      check(collective, rule.sizes[i], {rule.first, rule.last});
    }
    if (const auto hazard = tuned_hazard(collective, rule.sizes.size())) {
      faults_.push_back({rule.line, *hazard});
    }
  }

  void check(Collective collective, SizeRange& rule, const Range& procs) {
    if (rule.number == 0) return;
    const auto listed =
        std::ranges::find_if(capabilities_.algorithms, [&](const ListedAlgorithm& each) {
          return each.collective == collective && each.value == rule.number;
        });
    if (listed == capabilities_.algorithms.end()) {
      return add(rule.line, "{} has no algorithm {} in this library; it would end the program",
                 kCollectives.of(collective), rule.number);
    }
    rule.algorithm.name = listed->name;
    if (const auto fault = tuned_fault(collective, procs, rule.algorithm, text_)) {
      faults_.push_back({rule.line, *fault});
    }
  }

  static bool native(const ProcsRange& rule) {
    return rule.sizes.size() == 1 && rule.sizes.front().number == 0;
  }

  std::string_view text_;
  const LibraryCapabilities& capabilities_;
  std::vector<Fault>& faults_;
};

void check_rules_head(std::string_view text, std::vector<Fault>& faults) {
  constexpr std::string_view kVersionLine = "rule-file-version-";
  if (text.starts_with(kVersionLine)) {
    faults.push_back({1, fmt::format("'{}' is known from Open MPI 5.0.7 on; older ones read a "
                                     "negative number and drop the whole file",
                                     kVersionLine)});
  }
  if (const auto reason = unfit_head(text, unfit_for_rules)) faults.push_back({0, *reason});
}

}  // namespace

ReadTable read_rules(std::string_view text) {
  ReadTable read;
  check_rules_head(text, read.faults);
  const LibraryCapabilities capabilities = capabilities_of(text);
  std::vector<CollectiveRanges> rules = parse_rules(text, read.faults);
  Checker{text, capabilities, read.faults}.check(rules);
  if (!read.faults.empty()) return read;
  for (CollectiveRanges& each : rules) each.procs.front().first = 2;
  answer_by(areas_of(rules), read);
  return read;
}

}  // namespace breakeven::formats::openmpi
