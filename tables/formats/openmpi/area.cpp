// SPDX-License-Identifier: BSD-3-Clause
#include "tables/formats/openmpi/area.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <climits>
#include <iterator>
#include <utility>

namespace breakeven::formats::openmpi {

namespace {

bool holds(const Range& range, std::int64_t value) {
  return range.first <= value && value <= range.last;
}

bool overlap(const Range& one, const Range& other) {
  return one.first <= other.last && other.first <= one.last;
}

}  // namespace

Answer answer(std::span<const Area> areas, const Case& problem, const Component& component) {
  if (problem.procs < 2) {
    return {.rule = fmt::format("p = 1: {} takes no part there", component.name)};
  }
  const std::int64_t bytes = component.bytes(problem);
  const std::string here =
      fmt::format("this call: {}, {}", bytes, component.bytes_text(problem.collective));
  const auto area = std::ranges::find_if(areas, [&](const Area& each) {
    return each.collective == problem.collective && holds(each.procs, problem.procs) &&
           holds(each.bytes, bytes);
  });
  if (area == areas.end()) {
    return {.rule = fmt::format("no rule for p = {} ({})", problem.procs, here)};
  }
  return {.variant = libraries::openmpi::variant_of(area->algorithm),
          .number = area->number,
          .line = area->line,
          .rule = fmt::format("p = {}, bytes {} ({})", to_text(area->procs), to_text(area->bytes),
                              here)};
}

std::vector<Area> areas_of(std::span<const CollectiveRanges> ranges) {
  std::vector<Area> areas;
  for (const CollectiveRanges& collective : ranges) {
    for (const ProcsRange& procs : collective.procs) {
      for (auto size = procs.sizes.begin(); size != procs.sizes.end(); ++size) {
        Area& area = areas.emplace_back(
            Area{.collective = collective.collective,
                 .procs = {procs.first, procs.last == INT_MAX ? Range{}.last : procs.last},
                 .bytes = {.first = size->from_bytes},
                 .algorithm = size->algorithm,
                 .number = size->number,
                 .line = size->line});
        if (const auto larger = std::next(size); larger != procs.sizes.end()) {
          area.bytes.last = larger->from_bytes - 1;
        }
      }
    }
  }
  return areas;
}

bool Area::overlaps(const Area& other) const {
  return collective == other.collective && overlap(procs, other.procs) &&
         overlap(bytes, other.bytes);
}

void answer_by(std::vector<Area> areas, ReadTable& read, const Component& component) {
  for (const Area& each : areas) read.collectives.insert(each.collective);
  read.answer = [areas = std::move(areas), component](const Case& problem) {
    return answer(areas, problem, component);
  };
}

}  // namespace breakeven::formats::openmpi
