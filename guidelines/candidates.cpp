// SPDX-License-Identifier: BSD-3-Clause
#include "guidelines/candidates.hpp"

#include <tuple>

namespace breakeven::guidelines {

namespace {

Cell cell_of(const Case& what) {
  return {.group = {.layout = {.procs = what.procs,
                               .nodes = what.nodes,
                               .procs_per_node = what.procs_per_node,
                               .mapping = what.mapping},
                    .datatype = what.datatype},
          .op = what.op,
          .root = what.root,
          .total = total_bytes(what)};
}

bool faster(const stats::CaseTimes& one, const stats::CaseTimes& other) {
  const auto rank = [](const stats::CaseTimes& times) {
    const stats::Estimate seconds = stats::estimate(times);
    return std::tuple(seconds.count < stats::kLeastLaunches, seconds.median);
  };
  return rank(one) < rank(other);
}

}  // namespace

FastestCases::FastestCases(std::span<const Measurement> measurements,
                           std::string_view implementation) {
  for (stats::CaseTimes& times : stats::group_by_case(measurements)) {
    if (implementation != kBest && times.what.algorithm != implementation) continue;
    if (times.what.counts != Counts::equal) continue;
    auto& cells = fastest_[times.what.collective];
    const auto [place, added] = cells.try_emplace(cell_of(times.what), times);
    if (!added && faster(times, place->second)) place->second = std::move(times);
  }
}

const stats::CaseTimes* FastestCases::find(Collective collective, Cell cell) const {
  const auto cells = fastest_.find(collective);
  if (cells == fastest_.end()) return nullptr;
  if (!reduces(collective)) cell.op = Op::none;
  if (!rooted(collective)) cell.root = Rank{};
  const auto found = cells->second.find(cell);
  return found == cells->second.end() ? nullptr : &found->second;
}

std::set<Cell> FastestCases::cells(Collective collective) const {
  std::set<Cell> keys;
  const auto cells = fastest_.find(collective);
  if (cells == fastest_.end()) return keys;
  for (const auto& [cell, times] : cells->second) keys.insert(cell);
  return keys;
}

}  // namespace breakeven::guidelines
