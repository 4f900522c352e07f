// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/exchange.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <numeric>
#include <unordered_map>

#include "core/error.hpp"
#include "kernels/build.hpp"

namespace breakeven::kernels {

namespace {

auto& at(auto& list, int index) { return list[static_cast<std::size_t>(index)]; }

/// Appends blocks to a list of ranges; those that go on where the last range ends belong to it.
void append(std::vector<BlockRange>& ranges, BlockRange blocks) {
  if (!ranges.empty() && ranges.back().first + ranges.back().count == blocks.first) {
    ranges.back().count += blocks.count;
  } else {
    ranges.push_back(blocks);
  }
}

/// The block of the problem's vector that each place of one rank's buffers stands for.
class Places {
 public:
  void read(const Problem& problem, const Schedule& schedule) {
    input_ = input_blocks(problem, schedule.blocks).first;
    output_ = output_blocks(problem, schedule.blocks).first;
    scratch_ = &schedule.scratch;
    ends_.clear();
    int end = 0;
    for (const ScratchRun& run : schedule.scratch) ends_.push_back(end += run.count);
  }

  /// Appends the blocks of a run of places, unless it is in slots that take any block.
  bool append_blocks(Location place, int count, std::vector<BlockRange>& ranges) const {
    if (place.buffer != Buffer::scratch) {
      append(ranges, {(place.buffer == Buffer::input ? input_ : output_) + place.block, count});
      return true;
    }
    const std::size_t before = ranges.size();
    const BlockRange last = ranges.empty() ? BlockRange{} : ranges.back();
    auto run = std::ranges::upper_bound(ends_, place.block) - ends_.begin();
    for (int slot = place.block; slot < place.block + count; ++run) {
      const auto index = static_cast<std::size_t>(run);
      const ScratchRun& slots = scratch_->at(index);
      if (slots.first_block == ScratchRun::kAnyBlock) {
        ranges.resize(before);
        if (before > 0) ranges.back() = last;
        return false;
      }
      const int end = std::min(ends_[index], place.block + count);
      append(ranges, {slots.first_block + slot - (ends_[index] - slots.count), end - slot});
      slot = end;
    }
    return true;
  }

  /// Appends those of a reduction, known by whichever of its places is made for certain ones.
  void append_reduced(const Reduce& step, std::vector<BlockRange>& ranges) const {
    for (const Location place : {step.into, step.a, step.b}) {
      if (append_blocks(place, step.count, ranges)) return;
    }
    throw Error("reduction between scratch slots of any size");
  }

 private:
  int input_ = 0;
  int output_ = 0;
  const std::vector<ScratchRun>* scratch_ = nullptr;
  std::vector<int> ends_;  // of its runs, in slots
};

/// Numbers sets of blocks; of equal ones mostly one is kept.
class BlockSets {
 public:
  explicit BlockSets(Exchange& exchange) : exchange_{exchange} { exchange_.set_ends = {0}; }

  int number_of(std::span<const BlockRange> ranges) {
    if (ranges.empty()) return 0;
    if (is(last_, ranges)) return last_;
    std::uint64_t hash = 0;
    for (const auto& [first, count] : ranges) {
      constexpr std::uint64_t kOdd = 0x9e3779b97f4a7c15;
      hash = (std::rotl(hash, 29) ^ static_cast<std::uint64_t>(first)) * kOdd;
      hash = (std::rotl(hash, 29) ^ static_cast<std::uint64_t>(count)) * kOdd;
    }
    const auto [found, is_new] = numbers_.try_emplace(hash, exchange_.sets());
    last_ = found->second;
    if (is_new || !is(last_, ranges)) {
      last_ = exchange_.sets();
      auto& all = exchange_.block_ranges;
      all.insert(all.end(), ranges.begin(), ranges.end());
      exchange_.set_ends.push_back(static_cast<int>(all.size()));
    }
    return last_;
  }

 private:
  [[nodiscard]] bool is(int set, std::span<const BlockRange> ranges) const {
    return std::ranges::equal(exchange_.blocks_of(set), ranges,
                              [](const BlockRange& one, const BlockRange& other) {
                                return one.first == other.first && one.count == other.count;
                              });
  }

  Exchange& exchange_;
  std::unordered_map<std::uint64_t, int> numbers_;  // by hash
  int last_ = 0;
};

/// Reads the schedules rank by rank.
class Matching {
 public:
  explicit Matching(int procs) {
    exchange_.procs = procs;
    exchange_.first_rounds.assign(static_cast<std::size_t>(procs), RankRound::kNone);
  }

  void add(const Problem& problem, const Schedule& schedule) {
    const int rank = problem.me.value;
    places_.read(problem, schedule);
    exchange_.blocks = schedule.blocks;
    if (!schedule.rounds.empty()) at(exchange_.first_rounds, rank) = rounds();
    for (const Round& round : schedule.rounds) {
      RankRound read{.rank = rank,
                     .first_sent = static_cast<int>(exchange_.transfers.size()),
                     .first_received = static_cast<int>(sources_.size())};
      for_messages(round.comm, [&](Message message) { add(message, read); });
      ranges_.clear();
      for (const Local& local : round.local) {
        const auto* const reduce = std::get_if<Reduce>(&local);
        if (reduce != nullptr) places_.append_reduced(*reduce, ranges_);
      }
      read.reduced = sets_.number_of(ranges_);
      if (&round != &schedule.rounds.back()) read.next = rounds() + 1;
      exchange_.rounds.push_back(read);
    }
  }

  Exchange exchange() && {
    match();
    return in_order(std::move(exchange_));
  }

 private:
  [[nodiscard]] int rounds() const { return static_cast<int>(exchange_.rounds.size()); }

  void add(Message message, RankRound& round) {
    if (const auto* const recv = std::get_if<Recv>(&message.front())) {
      ++round.receives;
      sources_.push_back(recv->source.value);
      return;
    }
    ++round.sends;
    ranges_.clear();
    for (const Comm& comm : message) {
      const Send& run = std::get<Send>(comm);
      places_.append_blocks(run.from, run.count, ranges_);
    }
    exchange_.transfers.push_back({.source = round.rank,
                                   .to = std::get<Send>(message.front()).to.value,
                                   .source_round = rounds(),
                                   .to_round = RankRound::kNone,
                                   .carried = sets_.number_of(ranges_)});
  }

  /// Gives each receive its message.
  void match() {
    std::vector<int> ends(static_cast<std::size_t>(exchange_.procs) + 1, 0);  // by destination
    for (const Transfer& message : exchange_.transfers) {
      ++ends.at(static_cast<std::size_t>(message.to) + 1);
    }
    std::partial_sum(ends.begin(), ends.end(), ends.begin());
    std::vector<int> inbox(exchange_.transfers.size());  // by destination, then by source
    std::vector<int> filled = ends;
    for (int i = 0; i < static_cast<int>(exchange_.transfers.size()); ++i) {
      at(inbox, at(filled, at(exchange_.transfers, i).to)++) = i;
    }
    std::vector<int> taken(inbox.size(), 0);  // at a source's first message to a rank: how many
    const auto source_of = [&](int index) { return at(exchange_.transfers, index).source; };
    exchange_.received.reserve(sources_.size());
    for (int number = 0; number < rounds(); ++number) {
      const RankRound& round = at(exchange_.rounds, number);
      const auto end = inbox.begin() + at(ends, round.rank + 1);
      for (int i = 0; i < round.receives; ++i) {
        const int source = at(sources_, round.first_received + i);
        const auto first = std::ranges::lower_bound(inbox.begin() + at(ends, round.rank), end,
                                                    source, {}, source_of);
        const auto message =
            first == end ? end : first + taken[static_cast<std::size_t>(first - inbox.begin())]++;
        if (message >= end || source_of(*message) != source) {
          throw Error("a receive has no message");
        }
        at(exchange_.transfers, *message).to_round = number;
        exchange_.received.push_back(*message);
      }
    }
  }

  Exchange exchange_;
  BlockSets sets_{exchange_};
  Places places_;
  std::vector<BlockRange> ranges_;
  std::vector<int> sources_;  // of all receives
};

}  // namespace

Exchange make_exchange(const Problem& problem, std::span<const Schedule> world) {
  Matching matching{static_cast<int>(world.size())};
  Problem own = problem;
  for (const Schedule& schedule : world) {
    own.me = {static_cast<int>(&schedule - world.data())};
    matching.add(own, schedule);
  }
  return std::move(matching).exchange();
}

Exchange exchange_of(const Algorithm& algorithm, Problem problem) {
  require_runs(algorithm, problem);
  Matching matching{problem.procs};
  for (int rank = 0; rank < problem.procs; ++rank) {
    problem.me = {rank};
    matching.add(problem, build_schedule(algorithm, problem));
  }
  return std::move(matching).exchange();
}

}  // namespace breakeven::kernels
