// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/equal.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>
#include <utility>
#include <variant>

#include "kernels/build.hpp"

namespace breakeven::kernels {

namespace {

constexpr int kMostRanks = 128;
constexpr std::size_t kLeastRanks = 16;
constexpr std::size_t kMostSteps = std::size_t{1} << 20U;  // of all ranks compared

/// The ranks to compare, from those at which algorithms are likeliest to differ.
std::vector<Rank> ranks_to_compare(const Problem& problem) {
  const int procs = problem.procs;
  const bool whole = procs <= kMostWhole;
  std::vector<Rank> ranks;
  std::vector<bool> taken(static_cast<std::size_t>(procs), false);
  const auto take = [&](std::int64_t rank) {
    if (rank < 0 || rank >= procs || taken[static_cast<std::size_t>(rank)]) return;
    taken[static_cast<std::size_t>(rank)] = true;
    ranks.push_back({static_cast<int>(rank)});
  };
  const auto take_around = [&](std::int64_t border) {
    for (const int side : {-1, 0, 1}) take(border + side);
  };
  for (const int end : {0, procs - 1, problem.root.value}) take_around(end);
  const Placement& placement = problem.placement;
  for (const int run :
       {placement.procs_per_node, placement.nodes(procs), placement.mapping.block()}) {
    take_around(run);
    take_around(procs - run);
  }
  std::int64_t power = 1;
  while (2 * power <= procs) power *= 2;
  take_around(2 * (procs - power));  // where those end that are more than a power of two
  for (; power > 1; power /= 2) {
    take_around(power);
    take_around(procs - power);
  }
  const int wanted = whole ? procs : kMostRanks;
  const int spread = whole ? procs : 2 * kMostRanks;
  for (std::int64_t i = 0; i < spread && std::ssize(ranks) < wanted; ++i) {
    take((procs - 1) * i / std::max(spread - 1, 1));
  }
  if (std::ssize(ranks) > wanted) ranks.resize(static_cast<std::size_t>(wanted));
  return ranks;
}

/// A hash of 64 bits of the numbers that are added, in their order.
struct Hash {
  std::uint64_t bits = 0;
  void add(std::int64_t number) {
    bits = (bits ^ static_cast<std::uint64_t>(number)) * 0x9e3779b97f4a7c15;
    bits ^= bits >> 29U;
  }
  void add(std::initializer_list<Location> places, int count) {
    for (const auto& [buffer, block] : places) {
      add(static_cast<std::int64_t>(buffer));
      add(block);
    }
    add(count);
  }
  void operator()(const Send& send) {
    add(send.to.value);
    add({send.from}, send.count);
    add(send.more ? 1 : 0);
  }
  void operator()(const Recv& recv) {
    add(recv.source.value);
    add({recv.into}, recv.count);
    add(recv.more ? 1 : 0);
  }
  void operator()(const Copy& copy) { add({copy.from, copy.into}, copy.count); }
  void operator()(const Reduce& reduce) { add({reduce.a, reduce.b, reduce.into}, reduce.count); }
  template <typename Step>
  void add(const std::vector<Step>& steps) {
    add(std::ssize(steps));
    for (const Step& step : steps) {
      add(static_cast<std::int64_t>(step.index()));
      std::visit(*this, step);
    }
  }
};

/// The sizes of scratch slots follow from what messages carry, and rounds without a step do
/// nothing.
std::uint64_t hash_of(const Schedule& schedule) {
  Hash hash;
  hash.add(schedule.blocks);
  for (const Round& round : schedule.rounds) {
    if (round.comm.empty() && round.local.empty()) continue;
    hash.add(round.comm);
    hash.add(round.local);
  }
  return hash.bits;
}

}  // namespace

std::string Equals::text(int procs) const {
  return ranks == procs ? "identical" : fmt::format("identical on {} of {} ranks", ranks, procs);
}

EqualSchedules::EqualSchedules(Problem problem)
    : problem_{std::move(problem)}, ranks_{ranks_to_compare(problem_)} {}

EqualSchedules::Known& EqualSchedules::known(const Instance& variant) {
  const auto [found, is_new] = known_.try_emplace(to_text(variant), ranks_.size());
  if (is_new) static_cast<void>(hash_at(found->second, variant, 0));
  return found->second;
}

std::uint64_t EqualSchedules::hash_at(Known& known, const Instance& variant, std::size_t index) {
  while (known.hashes.size() <= index) {
    problem_.params = variant.params;
    problem_.me = ranks_[known.hashes.size()];
    const Schedule schedule = build_schedule(*variant.algorithm, problem_);
    if (known.hashes.empty() && problem_.procs > kMostWhole) {
      const std::size_t steps = std::max<std::size_t>(count_steps(schedule), 1);
      known.ranks = std::clamp(kMostSteps / steps, kLeastRanks, ranks_.size());
    }
    known.hashes.push_back(hash_of(schedule));
  }
  return known.hashes[index];
}

bool EqualSchedules::equal(const Instance& one, const Instance& other) {
  Known& left = known(one);
  Known& right = known(other);
  for (std::size_t i = 0; i < std::min(left.ranks, right.ranks); ++i) {
    if (hash_at(left, one, i) != hash_at(right, other, i)) return false;
  }
  return true;
}

std::vector<Equals> EqualSchedules::groups(std::span<const Instance> variants) {
  std::vector<Equals> groups;
  for (const Instance& each : variants) {
    const auto group = std::ranges::find_if(
        groups, [&](const Equals& members) { return equal(members.variants.front(), each); });
    if (group == groups.end()) {
      groups.push_back({{each}, static_cast<int>(known(each).ranks)});
    } else {
      group->variants.push_back(each);
    }
  }
  return groups;
}

std::vector<Instance> plain_variants(const Problem& problem) {
  Problem plain = problem;
  plain.params = {};
  std::vector<Instance> variants;
  for (const Algorithm* algorithm : catalogue(problem.collective)) {
    if (runs(*algorithm, plain)) variants.push_back({algorithm, {}});
  }
  return variants;
}

}  // namespace breakeven::kernels
