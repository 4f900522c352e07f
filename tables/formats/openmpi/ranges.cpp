// SPDX-License-Identifier: BSD-3-Clause
#include "tables/formats/openmpi/ranges.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>

#include "core/error.hpp"
#include "tables/formats/common/choices.hpp"

namespace breakeven::formats::openmpi {

namespace {

/// A choice of the table as a case, at the least size at which it holds.
Case case_of(const tables::Table& table, Collective collective, const Mapping& mapping, int procs,
             const SizeChoice& at) {
  Case what{.collective = collective,
            .variant = at.choice.variant,
            .procs = procs,
            .mapping = mapping,
            .message = at.first,
            .datatype = table.datatype,
            .op = reduces(collective) ? table.op : Op::none,
            .root = rooted(collective) ? table.root : Rank{}};
  what.nodes = table.find_rule(what)->what.nodes;
  what.mapping = {};
  return what;
}

std::vector<SizeRange> sizes_of(const tables::Table& table, Collective collective,
                                const Mapping& mapping, const ProcsChoices& at,
                                const RuleMapper& mapper) {
  std::vector<SizeRange> sizes;
  for (const SizeChoice& each : at.sizes) {
    const Case choice = case_of(table, collective, mapping, at.procs, each);
    sizes.push_back({mapper.bytes(choice), choice.variant.is<Native>()
                                               ? libraries::openmpi::RuledAlgorithm{}
                                               : mapper.rule_for(choice)});
  }
  const auto gone = std::ranges::unique(sizes, {}, &SizeRange::algorithm);
  sizes.erase(gone.begin(), gone.end());
  mapper.adjust(collective, {at.first, at.last}, sizes);
  return sizes;
}

CollectiveRanges ranges_of(const tables::Table& table, const RuleMapper& mapper,
                           Collective collective, const Mapping& mapping) {
  CollectiveRanges ranges{.collective = collective};
  const auto add = [&](int first, int last, std::vector<SizeRange> sizes) {
    if (!ranges.procs.empty() && ranges.procs.back().sizes == sizes) {
      ranges.procs.back().last = last;
    } else {
      ranges.procs.push_back({first, last, std::move(sizes)});
    }
  };
  const std::vector<ProcsChoices> all = choices_of(table, collective, CallForm::blocking, mapping);
  ranges.lost = lost_lines(kCollectives.of(collective), all);
  const auto bytes_at = [&](int procs) {
    return mapper.bytes({.collective = collective, .procs = procs, .message = {1 << 10}});
  };
  for (const ProcsChoices& at : all) {
    if (at.last < 2) continue;
    if (ranges.procs.empty() && at.first > 2) add(2, at.first - 1, {SizeRange{}});
    add(std::max(at.first, 2), at.last, sizes_of(table, collective, mapping, at, mapper));
    ranges.approximate |= ranges.procs.back().sizes.size() > 1 && at.first < at.last &&
                          (at.begins_vary || bytes_at(at.first) != bytes_at(at.last));
  }
  return ranges;
}

bool left_to_the_library(const CollectiveRanges& ranges) {
  return std::ranges::all_of(ranges.procs, [](const ProcsRange& procs) {
    return procs.sizes == std::vector{SizeRange{}};
  });
}

}  // namespace

std::vector<CollectiveRanges> ranges_of(const tables::Table& table, std::string_view format,
                                        const RuleMapper& mapper) {
  std::vector<CollectiveRanges> all;
  for (const auto& [collective, name] : kCollectives.entries) {
    std::set<Mapping> mappings;
    for (const tables::Rule& rule : table.rules) {
      if (rule.what.collective == collective && rule.what.form == CallForm::blocking) {
        mappings.insert(rule.what.mapping);
      }
    }
    std::optional<CollectiveRanges> ranges;
    for (const Mapping& mapping : mappings) {
      CollectiveRanges next = ranges_of(table, mapper, collective, mapping);
      if (ranges && *ranges != next) {
        throw UsageError(fmt::format(
            "{} can't tell mappings apart, and {} was decided differently for {} and {}: ask for "
            "a table of one mapping",
            format, name, to_text(*mappings.begin()), to_text(mapping)));
      }
      ranges = std::move(next);
    }
    if (ranges && !left_to_the_library(*ranges)) all.push_back(*std::move(ranges));
  }
  return all;
}

std::set<Collective> approximate_in(std::span<const CollectiveRanges> ranges) {
  std::set<Collective> approximate;
  for (const CollectiveRanges& each : ranges) {
    if (each.approximate) approximate.insert(each.collective);
  }
  return approximate;
}

}  // namespace breakeven::formats::openmpi
