// SPDX-License-Identifier: BSD-3-Clause
#include "tuner/emit/areas.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace breakeven {

namespace {

bool overlap(const Area& one, const Area& other) {
  return one.collective == other.collective && one.first_procs <= other.last_procs &&
         other.first_procs <= one.last_procs && one.from_bytes <= other.to_bytes &&
         other.from_bytes <= one.to_bytes;
}

void find_faults(const std::vector<Area>& areas, std::vector<ReadTable::Fault>& faults) {
  for (auto area = areas.begin(); area != areas.end(); ++area) {
    if (area->last_procs < area->first_procs || area->to_bytes < area->from_bytes) {
      faults.push_back({area->line, "a range that ends before it begins"});
    }
    const auto other = std::find_if(areas.begin(), area,
                                    [&](const Area& before) { return overlap(before, *area); });
    if (other == area) continue;
    faults.push_back(
        {area->line, fmt::format("{} from {} bytes on at {} processes overlaps line {}",
                                 kCollectives.of(area->collective), area->from_bytes,
                                 area->first_procs, other->line)});
  }
}

/// What holds at a p, with native in between.
std::vector<SizeRange> sizes_at(const std::vector<Area>& areas, Collective collective, int procs) {
  std::vector<Area> holding;
  std::ranges::copy_if(areas, std::back_inserter(holding), [&](const Area& area) {
    return area.collective == collective && area.first_procs <= procs && procs <= area.last_procs;
  });
  std::ranges::sort(holding, {}, &Area::from_bytes);
  std::vector<SizeRange> sizes;
  std::int64_t covered = 0;
  for (const Area& area : holding) {
    if (area.from_bytes > covered) sizes.push_back({covered, std::string{kNative}});
    sizes.push_back({area.from_bytes, area.variant});
    covered = area.to_bytes == kAllBytes ? kAllBytes : area.to_bytes + 1;
  }
  if (covered != kAllBytes) sizes.push_back({covered, std::string{kNative}});
  return sizes;
}

}  // namespace

std::vector<Area> areas_of(const std::vector<CollectiveRanges>& ranges) {
  std::vector<Area> areas;
  for (const CollectiveRanges& each : ranges) {
    for (const ProcsRange& procs : each.procs) {
      for (auto size = procs.sizes.begin(); size != procs.sizes.end(); ++size) {
        if (size->variant == kNative) continue;
        const auto next = std::next(size);
        areas.push_back({.collective = each.collective,
                         .first_procs = procs.first,
                         .last_procs = procs.last,
                         .from_bytes = size->from_bytes,
                         .to_bytes = next == procs.sizes.end() ? kAllBytes : next->from_bytes - 1,
                         .variant = size->variant});
      }
    }
  }
  return areas;
}

std::vector<CollectiveRanges> ranges_of(const std::vector<Area>& areas,
                                        std::vector<ReadTable::Fault>& faults) {
  find_faults(areas, faults);
  if (!faults.empty()) return {};
  std::vector<CollectiveRanges> all;
  for (const auto& [collective, name] : kCollectives.entries) {
    std::set<std::int64_t> begins;  // process counts at which some area begins or has ended
    for (const Area& area : areas) {
      if (area.collective != collective) continue;
      begins.insert({area.first_procs, std::int64_t{area.last_procs} + 1});
    }
    CollectiveRanges ranges{.collective = collective};
    for (auto first = begins.begin(); first != begins.end() && std::next(first) != begins.end();
         ++first) {
      ProcsRange procs{.first = static_cast<int>(*first),
                       .last = static_cast<int>(*std::next(first) - 1)};
      procs.sizes = sizes_at(areas, collective, procs.first);
      if (!ranges.procs.empty() && ranges.procs.back().sizes == procs.sizes) {
        ranges.procs.back().last = procs.last;
      } else {
        ranges.procs.push_back(std::move(procs));
      }
    }
    if (!ranges.procs.empty()) all.push_back(std::move(ranges));
  }
  return all;
}

}  // namespace breakeven
