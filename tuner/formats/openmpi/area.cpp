// SPDX-License-Identifier: BSD-3-Clause
#include "tuner/formats/openmpi/area.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <utility>

namespace breakeven::formats::openmpi {

namespace {

bool holds(const Range& range, std::int64_t value) {
  return range.first <= value && value <= range.last;
}

bool overlap(const Range& one, const Range& other) {
  return one.first <= other.last && other.first <= one.last;
}

Answer answer(std::span<const Area> areas, const Case& problem) {
  if (problem.procs < 2) return {.rule = "p = 1: coll/tuned takes no part there"};
  const std::int64_t bytes = libraries::openmpi::rules_bytes(problem);
  const std::string here = fmt::format("this call: {}, {}", bytes,
                                       libraries::openmpi::rules_bytes_text(problem.collective));
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

}  // namespace

bool Area::overlaps(const Area& other) const {
  return collective == other.collective && overlap(procs, other.procs) &&
         overlap(bytes, other.bytes);
}

void answer_by(std::vector<Area> areas, ReadTable& read) {
  for (const Area& each : areas) read.collectives.insert(each.collective);
  read.answer = [areas = std::move(areas)](const Case& problem) { return answer(areas, problem); };
}

}  // namespace breakeven::formats::openmpi
