// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/allreduce/exchanges.hpp"

#include <algorithm>
#include <span>

namespace breakeven::kernels::allreduce {

void Exchanges::step(const std::vector<Rank>& from, const std::vector<Rank>& to) {
  Round round;
  for (const Rank rank : to) {
    if (rank != me_) round.comm.emplace_back(Send{rank, part_});
  }
  std::vector<Location> parts;
  int slots = 0;
  for (const Rank rank : from) {
    if (rank == me_) {
      parts.push_back(part_);
    } else {
      parts.push_back(from.size() == 1 ? output(0) : scratch(slots++));
      round.comm.emplace_back(Recv{rank, parts.back()});
    }
  }
  Location reduced = parts.front();
  // The output may hold the own part, and takes no other until that is reduced.
  bool output_free = reduced == part_ || std::ranges::find(parts, part_) == parts.end();
  for (const Location part : std::span{parts}.subspan(1)) {
    output_free = output_free || part == part_;
    const Location into = output_free ? output(0) : reduced;
    round.local.emplace_back(Reduce{reduced, part, into});
    reduced = into;
  }
  part_ = reduced;
  const auto needed = static_cast<std::size_t>(slots);
  if (needed > schedule_.scratch.size()) schedule_.scratch.resize(needed, {0, 1});
  schedule_.rounds.push_back(std::move(round));
}

Schedule Exchanges::done() && {
  if (part_ != output(0)) schedule_.local(Copy{part_, output(0)});
  return std::move(schedule_);
}

}  // namespace breakeven::kernels::allreduce
