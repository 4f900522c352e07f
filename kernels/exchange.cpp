// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/exchange.hpp"

#include <algorithm>

#include "core/error.hpp"

namespace breakeven::kernels {

namespace {

/// The block of the problem's vector that each place of one rank's buffers stands for.
class Places {
 public:
  Places(Problem problem, Rank me, const Schedule& schedule) {
    problem.me = me;
    input_ = input_blocks(problem, schedule.blocks).first;
    output_ = output_blocks(problem, schedule.blocks).first;
    for (const auto& [first, count] : schedule.scratch) {
      for (int i = 0; i < count; ++i) {
        scratch_.push_back(first == ScratchRun::kAnyBlock ? first : first + i);
      }
    }
  }

  /// The blocks of a run of places; none where it is in slots that take any block.
  [[nodiscard]] std::vector<BlockRange> blocks(Location at, int count) const {
    if (at.buffer != Buffer::scratch) {
      return {{(at.buffer == Buffer::input ? input_ : output_) + at.block, count}};
    }
    std::vector<BlockRange> ranges;
    for (int i = 0; i < count; ++i) {
      const int block = scratch_.at(static_cast<std::size_t>(at.block + i));
      if (block == ScratchRun::kAnyBlock) return {};
      const bool goes_on = !ranges.empty() && ranges.back().first + ranges.back().count == block;
      if (goes_on) {
        ++ranges.back().count;
      } else {
        ranges.push_back({block, 1});
      }
    }
    return ranges;
  }

  /// The blocks of a reduction, known by whichever of its places is made for certain ones.
  [[nodiscard]] std::vector<BlockRange> reduced_blocks(const Reduce& step) const {
    for (const Location at : {step.into, step.a, step.b}) {
      if (auto known = blocks(at, step.count); !known.empty()) return known;
    }
    throw Error("reduction between scratch slots of any size");
  }

 private:
  int input_ = 0;
  int output_ = 0;
  std::vector<int> scratch_;
};

}  // namespace

Exchange make_exchange(const Problem& problem, std::span<const Schedule> world) {
  Exchange exchange{.procs = static_cast<int>(world.size()),
                    .blocks = world.front().blocks,
                    .transfers = {},
                    .ranks = {}};
  exchange.ranks.resize(world.size());
  struct Sent {
    int source;
    int message;
    bool taken = false;
  };
  std::vector<std::vector<Sent>> sent(world.size());  // by destination: in the order of sources
  for (int rank = 0; rank < exchange.procs; ++rank) {
    const Schedule& schedule = world[static_cast<std::size_t>(rank)];
    const Places places{problem, Rank{rank}, schedule};
    auto& rounds = exchange.ranks[static_cast<std::size_t>(rank)];
    for (const Round& round : schedule.rounds) {
      RoundWork& work = rounds.emplace_back();
      for (const Comm& comm : round.comm) {
        const auto* send = std::get_if<Send>(&comm);
        if (send == nullptr) continue;
        const int index = static_cast<int>(exchange.transfers.size());
        exchange.transfers.push_back({.source = rank,
                                      .source_round = static_cast<int>(rounds.size()) - 1,
                                      .to = send->to.value,
                                      .blocks = places.blocks(send->from, send->count)});
        sent.at(static_cast<std::size_t>(send->to.value)).push_back({rank, index});
        work.transfers.push_back(index);
      }
      for (const Local& local : round.local) {
        if (const auto* reduce = std::get_if<Reduce>(&local)) {
          const auto blocks = places.reduced_blocks(*reduce);
          work.reduced.insert(work.reduced.end(), blocks.begin(), blocks.end());
        }
      }
    }
  }
  for (int rank = 0; rank < exchange.procs; ++rank) {
    const auto& rounds = world[static_cast<std::size_t>(rank)].rounds;
    for (std::size_t number = 0; number < rounds.size(); ++number) {
      for (const Comm& comm : rounds[number].comm) {
        const auto* recv = std::get_if<Recv>(&comm);
        if (recv == nullptr) continue;
        auto [first, last] = std::ranges::equal_range(sent[static_cast<std::size_t>(rank)],
                                                      recv->source.value, {}, &Sent::source);
        first = std::find_if(first, last, [](const Sent& each) { return !each.taken; });
        if (first == last) throw Error("a receive has no message");
        first->taken = true;
        const int index = first->message;
        exchange.transfers[static_cast<std::size_t>(index)].to_round = static_cast<int>(number);
        exchange.ranks[static_cast<std::size_t>(rank)][number].transfers.push_back(index);
      }
    }
  }
  return exchange;
}

}  // namespace breakeven::kernels
