// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/fingerprint.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "kernels/world.hpp"

namespace breakeven::kernels {

namespace {

constexpr std::uint64_t kModulus = (std::uint64_t{1} << 61U) - 1;  // a prime: no factor is lost

/// A random value for each input (SplitMix64).
std::uint64_t mixed(std::uint64_t value) {
  value += 0x9e3779b97f4a7c15;
  value = (value ^ value >> 30U) * 0xbf58476d1ce4e5b9;
  value = (value ^ value >> 27U) * 0x94d049bb133111eb;
  return value ^ value >> 31U;
}

/// The block, where it lies in a run of blocks.
struct Print {
  int offset;
  std::uint64_t value;
};

/// The places in one rank's buffers that hold the followed block.
class ProjectedMemory {
 public:
  using Content = std::optional<Print>;  // none: the run has other blocks

  ProjectedMemory(const Problem& problem, const Schedule& schedule, int block,
                  std::uint64_t contribution, std::uint64_t heard)
      : heard_{heard} {
    add_range(Buffer::input, input_blocks(problem, schedule.blocks), block, contribution);
    add_range(Buffer::output, output_blocks(problem, schedule.blocks), block, std::nullopt);
    int slot = 0;
    for (const auto& [first, count] : schedule.scratch) {
      if (first == ScratchRun::kAnyBlock) {
        places_.push_back({{Buffer::scratch, slot}, true, std::nullopt});
      } else if (first <= block && block < first + count) {
        places_.push_back({{Buffer::scratch, slot + block - first}, false, std::nullopt});
      }
      slot += count;
    }
  }

  static void append(Content& whole, int blocks, const Content& part) {
    if (part) whole = Print{blocks + part->offset, part->value};
  }
  [[nodiscard]] static Content part(const Content& whole, int first, int count) {
    if (!whole || whole->offset < first || whole->offset >= first + count) return std::nullopt;
    return Print{whole->offset - first, whole->value};
  }

  void begin_round() { telling_ = heard_; }
  void hear(const ProjectedMemory& sender) { heard_ |= sender.telling_; }
  [[nodiscard]] bool heard_all(std::uint64_t everyone) const { return heard_ == everyone; }

  [[nodiscard]] Content read(Location from, int count) const {
    for (const Place& place : places_) {
      if (!place.in(from, count)) continue;
      if (place.takes_any) return place.content;
      if (!place.content) throw VerificationError("reads a block before it is filled");
      return Print{place.at.block - from.block, place.content->value};
    }
    return std::nullopt;
  }

  void write(Location into, int count, const Content& content) {
    for (Place& place : places_) {
      if (!place.in(into, count)) continue;
      if (!place.takes_any && (!content || content->offset != place.at.block - into.block)) {
        throw VerificationError("puts another block where this one belongs");
      }
      place.content = content;
      return;
    }
    if (content) throw VerificationError("puts a block where another one belongs");
  }

  void apply(const Local& step) {
    if (const auto* copy = std::get_if<Copy>(&step)) {
      write(copy->into, copy->count, read(copy->from, copy->count));
      return;
    }
    const auto& reduce = std::get<Reduce>(step);
    Content a = read(reduce.a, reduce.count);
    const Content b = read(reduce.b, reduce.count);
    if (a.has_value() != b.has_value() || (a && a->offset != b->offset)) {
      throw VerificationError("reduces different blocks");
    }
    if (a) a->value = (a->value + b->value) % kModulus;
    write(reduce.into, reduce.count, a);
  }

  /// The block in the output, if it is one of the output's.
  [[nodiscard]] Content result() const {
    for (const Place& place : places_) {
      if (place.at.buffer != Buffer::output) continue;
      if (!place.content) throw VerificationError("ends without a block of its output");
      return place.content;
    }
    return std::nullopt;
  }

 private:
  struct Place {
    Location at;
    bool takes_any;  // then `at` is where its slots begin, and they hold the last run written
    Content content;
    [[nodiscard]] bool in(Location run, int count) const {
      return at.buffer == run.buffer && run.block <= at.block && at.block < run.block + count;
    }
  };

  void add_range(Buffer buffer, BlockRange range, int block,
                 std::optional<std::uint64_t> contribution) {
    if (block < range.first || block >= range.first + range.count) return;
    Content content;
    if (contribution) content = Print{0, *contribution};
    places_.push_back({{buffer, block - range.first}, false, content});
  }

  std::vector<Place> places_;  // a few: where the block may be
  std::uint64_t heard_;        // a bit for each of 64 ranks, in a collective without data
  std::uint64_t telling_ = 0;
};

/// The places in one rank's buffers that hold blocks of the followed source of an alltoall, each
/// with the block's number, which says for whom it is.
class FollowedMemory {
 public:
  using Content = std::vector<std::pair<int, int>>;  // place in a run, block

  FollowedMemory(const Problem& problem, int blocks, Rank source) {
    if (problem.me != source) return;
    for (int block = 0; block < blocks; ++block) held_[input(block)] = block;
  }

  static void append(Content& whole, int blocks, const Content& part) {
    for (const auto& [place, block] : part) whole.emplace_back(blocks + place, block);
  }
  [[nodiscard]] static Content part(const Content& whole, int first, int count) {
    Content content;
    for (const auto& [place, block] : whole) {
      if (first <= place && place < first + count) content.emplace_back(place - first, block);
    }
    return content;
  }

  void begin_round() {}
  void hear(const FollowedMemory& /*sender*/) {}

  [[nodiscard]] Content read(Location from, int count) const {
    Content content;
    const Location end{from.buffer, from.block + count};
    for (auto at = held_.lower_bound(from); at != held_.end() && at->first < end; ++at) {
      content.emplace_back(at->first.block - from.block, at->second);
    }
    return content;
  }
  void write(Location into, int count, const Content& content) {
    const Location end{into.buffer, into.block + count};
    held_.erase(held_.lower_bound(into), held_.lower_bound(end));
    for (const auto& [place, block] : content) held_[{into.buffer, into.block + place}] = block;
  }
  void apply(const Local& step) {
    const auto& copy = std::get<Copy>(step);
    write(copy.into, copy.count, read(copy.from, copy.count));
  }
  [[nodiscard]] Content result(int blocks) const { return read(output(0), blocks); }

 private:
  std::map<Location, int> held_;
};

/// Follows all blocks of one source of an alltoall: each rank ends with those for it, in the
/// source's place, and no others.
void follow_source(const Problem& problem, std::span<const Schedule> world, Rank source) {
  const int blocks = world.front().blocks;
  const int share = blocks / problem.procs;
  std::vector<FollowedMemory> memories;
  Problem own = problem;
  for (own.me = {0}; own.me.value < problem.procs; ++own.me.value) {
    memories.emplace_back(own, blocks, source);
  }
  World<FollowedMemory> ranks{world, std::move(memories)};
  ranks.run();
  int rank = 0;
  ranks.for_each_memory([&](const FollowedMemory& memory) {
    FollowedMemory::Content right;
    for (int part = 0; part < share; ++part) {
      right.emplace_back(source.value * share + part, rank * share + part);
    }
    if (memory.result(blocks) != right) {
      throw VerificationError(fmt::format("ends with wrong blocks of rank {}", source.value));
    }
    ++rank;
  });
}

/// Follows one block; of a barrier the random ranks.
void follow(const Problem& problem, std::span<const Schedule> world, int block,
            std::uint64_t seed) {
  const std::size_t procs = world.size();
  const auto contribution = [&](std::size_t rank) { return mixed(seed ^ mixed(rank)) % kModulus; };
  std::vector<std::uint64_t> heard(procs, 0);
  for (std::uint64_t bit = 0; bit < 64; ++bit) {
    heard[mixed(seed + bit) % procs] |= std::uint64_t{1} << bit;
  }

  std::vector<ProjectedMemory> memories;
  memories.reserve(procs);
  std::uint64_t sum = 0;
  Problem own = problem;
  for (std::size_t rank = 0; rank < procs; ++rank) {
    own.me = {static_cast<int>(rank)};
    memories.emplace_back(own, world[rank], block, contribution(rank), heard[rank]);
    sum = (sum + contribution(rank)) % kModulus;
  }
  const int blocks = world.front().blocks;
  const std::size_t owner = static_cast<std::size_t>(
      collects(problem.collective) ? block / (blocks / problem.procs) : problem.root.value);
  const std::uint64_t right = reduces(problem.collective) ? sum : contribution(owner);
  const bool exclusive = problem.collective == Collective::exscan;
  std::uint64_t before = 0;  // of a scan: the sum of the ranks up to this one
  std::size_t rank = 0;

  World<ProjectedMemory> ranks{world, std::move(memories)};
  ranks.run();
  ranks.for_each_memory([&](const ProjectedMemory& memory) {
    if (!moves_data(problem.collective)) {
      if (!memory.heard_all(~std::uint64_t{0})) {
        throw VerificationError("ends before it has heard that all began");
      }
      return;
    }
    const std::uint64_t with_own = (before + contribution(rank++)) % kModulus;
    const std::uint64_t prefix = exclusive ? before : with_own;
    before = with_own;
    const ProjectedMemory::Content result = memory.result();
    if (result && result->value != (scans(problem.collective) ? prefix : right)) {
      throw VerificationError(fmt::format("ends with a wrong value of block {}", block));
    }
  });
}

}  // namespace

Followed prove_by_fingerprints(const Problem& problem, std::span<const Schedule> world,
                               std::uint64_t seed) {
  if (!moves_data(problem.collective)) {
    follow(problem, world, 0, seed);
    return {.count = std::min(64, problem.procs), .of = problem.procs};
  }
  constexpr int kMostFollowed = 4;
  const int blocks = world.front().blocks;
  std::set<int> followed;
  for (std::uint64_t draw = 0; std::ssize(followed) < std::min(kMostFollowed, blocks); ++draw) {
    followed.insert(static_cast<int>(mixed(seed + draw) % static_cast<std::uint64_t>(blocks)));
  }
  for (const int number : followed) {
    if (personalised(problem.collective)) {
      follow_source(problem, world, {number / (blocks / problem.procs)});
    } else {
      follow(problem, world, number, seed);
    }
  }
  return {.count = static_cast<int>(followed.size()), .of = blocks};
}

}  // namespace breakeven::kernels
