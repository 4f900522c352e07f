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

bool holds(const Area& area, const Case& problem) {
  if (area.placing == kSingleNode && problem.nodes != 1) return false;
  if (area.placing == kOnePerNode && problem.nodes != problem.procs) return false;
  return area.collective == problem.collective && holds(area.procs, problem.procs);
}

}  // namespace

Answer answer(std::span<const Area> areas, const Case& problem, const Component& component) {
  if (problem.procs < 2) {
    return {.rule = fmt::format("p = 1: {} takes no part there", component.name)};
  }
  if (problem.form != CallForm::blocking) {
    return {.rule = fmt::format("{} has no part in nonblocking calls", component.name)};
  }
  const std::int64_t bytes = component.bytes(problem);
  const std::string here =
      fmt::format("this call: {}, {}", bytes, component.bytes_text(problem.collective));
  const auto area = std::ranges::find_if(
      areas, [&](const Area& each) { return holds(each, problem) && holds(each.bytes, bytes); });
  if (area == areas.end()) {
    return {.rule = fmt::format("no rule for p = {} ({})", problem.procs, here)};
  }
  return {.variant = libraries::openmpi::variant_of(area->collective, area->algorithm),
          .number = area->number,
          .line = area->line,
          .rule = fmt::format("p = {}{}{}, {} ({})", to_text(area->procs),
                              area->placing.empty() ? "" : ", ", area->placing,
                              area->rest ? "no rule for these bytes"
                                         : fmt::format("bytes {}", to_text(area->bytes)),
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

Range common(const Range& one, const Range& other) {
  return {std::max(one.first, other.first), std::min(one.last, other.last)};
}

void answer_by(std::vector<Area> areas, ReadTable& read, const Component& component) {
  for (const Area& each : areas) read.collectives.insert(each.collective);
  read.answer = [areas = std::move(areas), component](const Case& problem) {
    return answer(areas, problem, component);
  };
}

}  // namespace breakeven::formats::openmpi
