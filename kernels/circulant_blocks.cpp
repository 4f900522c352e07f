// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/circulant_blocks.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>

#include "kernels/circulant.hpp"

namespace breakeven::kernels::circulant_blocks {

namespace {

/// The search [traff2024] for the blocks that the rank at distance v from the root receives in
/// rounds 0 .. q-1.
///
/// In round k a block arrives from distance v - skip(k). The search goes through the paths from the
/// root, each a sum of skips with the longest ones first, that end close enough to that distance;
/// the first skip of a path names the block that has travelled along it. No skip is taken twice, so
/// that the search ends after 3q steps at most.
class Search {
 public:
  Search(const Circulant& graph, int distance)
      : graph_{graph}, goal_{graph.skip(q()) + distance}, left_{(2U << q()) - 1} {
    const int first = first_block(distance);
    left_ &= ~(1U << first);
    extend(0, q());
    for (int& block : blocks_) block = block == q() ? first : block - q();
  }

  [[nodiscard]] const std::vector<int>& blocks() const { return blocks_; }

 private:
  [[nodiscard]] int q() const { return graph_.rounds(); }
  [[nodiscard]] int found() const { return static_cast<int>(blocks_.size()); }
  [[nodiscard]] int limit(int round) const { return goal_ - graph_.skip(round); }

  /// The block that reaches a distance first: the last skip on the path there.
  [[nodiscard]] int first_block(int distance) const {
    int k = q();
    while (graph_.skip(--k) != distance) {
      if (graph_.skip(k) < distance) distance -= graph_.skip(k);
    }
    return k;
  }

  /// Finds the blocks of the next rounds on the paths that go on from a distance by this skip or
  /// shorter ones.
  void extend(int reached, int skip) {
    while (skip >= 0 && found() < q()) {
      const int next = reached + graph_.skip(skip);
      if (next <= limit(found()) && next < nearest_) {
        if (next <= limit(found() + 1)) extend(next, skip);
        if (found() == q() || reached > limit(found() + 1)) return;
        nearest_ = next;
        blocks_.push_back(skip);
        left_ &= ~(1U << skip);
      }
      skip = std::bit_width(left_ & ((1U << skip) - 1)) - 1;
    }
  }

  const Circulant& graph_;
  int goal_;            // p + v: every skip leads towards it
  std::uint32_t left_;  // the skips that are not taken yet
  int nearest_ = 2 * graph_.skip(q());
  std::vector<int> blocks_{};
};

/// The blocks that the rank at a distance from the root receives in rounds 0 .. q-1, if the root
/// sends block k in round k. A block below 0 belongs to the q rounds before, and each block is
/// followed by the one q above it q rounds later. Empty for the root.
std::vector<int> receipts(const Circulant& graph, int distance) {
  return distance == 0 ? std::vector<int>{} : Search{graph, distance}.blocks();
}

/// Rounds come in groups of q; those before the first one would carry no block.
int first_round(int q, int blocks) { return (q - (blocks - 1) % q) % q; }

/// The block that a rank with these receipts gets in a round, if it gets one.
std::optional<int> block_in(int round, const std::vector<int>& receipts, int blocks) {
  if (receipts.empty()) return std::nullopt;
  const auto q = static_cast<int>(receipts.size());
  const int k = round % q;
  const int number = receipts[static_cast<std::size_t>(k)] + (round - k) - first_round(q, blocks);
  return number < 0 ? std::nullopt : std::optional{std::min(number, blocks - 1)};
}

}  // namespace

int blocks_of(const Problem& problem) {
  const int asked = problem.params.find_number("blocks", 1).value_or(8);
  return problem.procs == 1 ? 1 : asked;
}

bool can_read(const Problem& problem) { return blocks_of(problem) > 0; }

std::vector<std::string> variants(int procs) {
  return procs > 2 ? std::vector<std::string>{"blocks=2", "blocks=32"} : std::vector<std::string>{};
}

Formula formula(const Problem& problem) {
  if (problem.procs == 1) return {};
  const int blocks = blocks_of(problem);
  const double rounds = blocks - 1 + ceil_log2(problem.procs);
  return {.rounds = rounds, .messages = rounds, .sent = rounds / blocks};
}

std::vector<BlockRound> rounds_of(const Problem& problem) {
  const Circulant graph{problem.procs};
  const int q = graph.rounds();
  if (q == 0) return {};
  const int blocks = blocks_of(problem);
  const int me = problem.behind(problem.root.value).value;
  const std::vector<int> own = receipts(graph, me);
  std::vector<std::vector<int>> of_targets;
  for (int k = 0; k < q; ++k) {
    of_targets.push_back(receipts(graph, (me + graph.skip(k)) % problem.procs));
  }
  const int first = first_round(q, blocks);
  std::vector<BlockRound> rounds;
  for (int round = first; round < first + blocks - 1 + q; ++round) {
    const int k = round % q;
    rounds.push_back({.to = problem.ahead(graph.skip(k)),
                      .sent = block_in(round, of_targets[static_cast<std::size_t>(k)], blocks),
                      .source = problem.behind(graph.skip(k)),
                      .received = block_in(round, own, blocks)});
  }
  return rounds;
}

}  // namespace breakeven::kernels::circulant_blocks

namespace breakeven::kernels::circulant_parts {

int parts_of(const Problem& problem) {
  const int asked = problem.params.find_number("blocks", 1).value_or(2);
  return problem.procs == 1 ? 1 : asked;
}

bool can_read(const Problem& problem) { return parts_of(problem) > 0; }

std::vector<std::string> variants(int procs) {
  return procs > 2 ? std::vector<std::string>{"blocks=4"} : std::vector<std::string>{};
}

std::vector<PartsRound> rounds_of(const Problem& problem) {
  const Circulant graph{problem.procs};
  const int q = graph.rounds();
  if (q == 0) return {};
  const int parts = parts_of(problem);
  std::vector<std::vector<int>> receipts_at;  // by distance from a root
  for (int distance = 0; distance < problem.procs; ++distance) {
    receipts_at.push_back(circulant_blocks::receipts(graph, distance));
  }
  const int first = circulant_blocks::first_round(q, parts);
  std::vector<PartsRound> rounds;
  for (int round = first; round < first + parts - 1 + q; ++round) {
    const int skip = graph.skip(round % q);
    PartsRound& now =
        rounds.emplace_back(PartsRound{.to = problem.ahead(skip), .source = problem.behind(skip)});
    for (int root = 0; root < problem.procs; ++root) {
      const auto add_received = [&](std::vector<int>& blocks, Rank rank) {
        const int distance = (rank.value - root + problem.procs) % problem.procs;
        const auto& receipts = receipts_at[static_cast<std::size_t>(distance)];
        const auto block = circulant_blocks::block_in(round, receipts, parts);
        if (block) blocks.push_back(root * parts + *block);
      };
      add_received(now.sent, now.to);
      add_received(now.received, problem.me);
    }
  }
  return rounds;
}

}  // namespace breakeven::kernels::circulant_parts
