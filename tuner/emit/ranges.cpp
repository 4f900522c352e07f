// SPDX-License-Identifier: BSD-3-Clause
#include "tuner/emit/ranges.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "core/error.hpp"
#include "tuner/emit/size_choices.hpp"

namespace breakeven {

namespace {

/// A choice of the table as a case, at a size.
Case case_of(const Table& table, Collective collective, int procs, const SizeChoice& at) {
  return {.collective = collective,
          .algorithm = at.choice.algorithm,
          .params = at.choice.params,
          .procs = procs,
          .message = at.first,
          .datatype = table.datatype,
          .op = reduces(collective) ? table.op : Op::none,
          .root = rooted(collective) ? table.root : Rank{}};
}

/// What is decided at a p, each choice at the least size at which it holds; native below the least
/// p measured.
std::vector<SizeChoice> decided(const Table& table, Collective collective, int procs,
                                const Mapping& mapping, const std::set<int>& measured,
                                const std::set<Bytes>& starts) {
  if (procs < *measured.begin()) return {SizeChoice{}};
  return size_choices(table, collective, procs, mapping, starts);
}

void merge(std::vector<SizeRange>& sizes) {
  const auto gone = std::ranges::unique(sizes, {}, &SizeRange::variant);
  sizes.erase(gone.begin(), gone.end());
}

CollectiveRanges ranges_of(const Table& table, const Speech& speech, Collective collective,
                           const Mapping& mapping) {
  const std::set<Bytes> starts = rule_starts(table, collective, mapping);
  std::set<int> measured;
  for (const Rule& rule : table.rules) {
    if (rule.what.collective == collective && rule.what.mapping == mapping) {
      measured.insert(rule.what.procs);
    }
  }
  CollectiveRanges ranges{.collective = collective};
  for (int procs = 2; procs <= *measured.rbegin(); ++procs) {
    std::vector<SizeRange> sizes;
    for (const SizeChoice& each : decided(table, collective, procs, mapping, measured, starts)) {
      const Case choice = case_of(table, collective, procs, each);
      const bool native = choice.algorithm == kNative;
      sizes.push_back({speech.bytes(choice), native ? std::string{kNative} : speech.say(choice)});
    }
    merge(sizes);
    if (speech.amend) speech.amend(collective, procs, sizes);
    if (!ranges.procs.empty() && ranges.procs.back().sizes == sizes) {
      ranges.procs.back().last = procs;
    } else {
      ranges.procs.push_back({procs, procs, std::move(sizes)});
    }
  }
  return ranges;
}

bool all_native(const CollectiveRanges& ranges) {
  return std::ranges::all_of(ranges.procs, [](const ProcsRange& procs) {
    return procs.sizes.size() == 1 && procs.sizes.front().variant == kNative;
  });
}

}  // namespace

std::vector<CollectiveRanges> ranges_of(const Table& table, const Speech& speech) {
  std::vector<CollectiveRanges> all;
  for (const auto& [collective, name] : kCollectives.entries) {
    std::set<Mapping> mappings;
    for (const Rule& rule : table.rules) {
      if (rule.what.collective == collective) mappings.insert(rule.what.mapping);
    }
    std::optional<CollectiveRanges> ranges;
    for (const Mapping& mapping : mappings) {
      CollectiveRanges next = ranges_of(table, speech, collective, mapping);
      if (ranges && *ranges != next) {
        throw UsageError(fmt::format(
            "{} can't tell mappings apart, and {} was decided differently for {} and {}: ask for "
            "a table of one mapping",
            speech.format, name, to_text(*mappings.begin()), to_text(mapping)));
      }
      ranges = std::move(next);
    }
    if (ranges && !all_native(*ranges)) all.push_back(*std::move(ranges));
  }
  return all;
}

std::string answer(const std::vector<CollectiveRanges>& ranges, const Case& problem,
                   std::int64_t (*bytes)(const Case& what)) {
  const auto collective =
      std::ranges::find(ranges, problem.collective, &CollectiveRanges::collective);
  if (collective == ranges.end()) return std::string{kNative};
  for (const ProcsRange& procs : collective->procs) {
    if (problem.procs < procs.first || problem.procs > procs.last) continue;
    const auto above =
        std::ranges::upper_bound(procs.sizes, bytes(problem), {}, &SizeRange::from_bytes);
    if (above != procs.sizes.begin()) return std::prev(above)->variant;
  }
  return std::string{kNative};
}

}  // namespace breakeven
