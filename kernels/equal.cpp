// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/equal.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

#include "kernels/build.hpp"

namespace breakeven::kernels {

namespace {

/// A schedule as numbers, which are equal for equal schedules.
class Canonical {
 public:
  explicit Canonical(const Schedule& schedule) : numbers_{schedule.blocks} {
    for (const Round& round : schedule.rounds) {
      if (!round.comm.empty()) numbers_.push_back(kRound);
      std::vector<Comm> comm = round.comm;
      std::ranges::stable_sort(comm, {}, [](const Comm& each) {
        const auto* send = std::get_if<Send>(&each);
        return std::tuple{send ? send->to : std::get<Recv>(each).source, send != nullptr};
      });
      for (const Comm& each : comm) std::visit([this](const auto& step) { add(step); }, each);
      for (const Local& each : round.local)
        std::visit([this](const auto& step) { add(step); }, each);
    }
  }
  [[nodiscard]] std::vector<int> numbers() && { return std::move(numbers_); }

 private:
  enum Kind : int { kRound, kSend, kRecv, kCopy, kReduce };

  void add(const Send& send) {
    numbers_.insert(numbers_.end(), {kSend, send.to.value});
    add(send.from, send.count);
  }
  void add(const Recv& recv) {
    numbers_.insert(numbers_.end(), {kRecv, recv.source.value});
    add(recv.into, recv.count);
  }
  void add(const Copy& copy) {
    numbers_.push_back(kCopy);
    add(copy.from, copy.count);
    add(copy.into, copy.count);
  }
  void add(const Reduce& reduce) {
    numbers_.push_back(kReduce);
    add(reduce.a, reduce.count);
    add(reduce.b, reduce.count);
    add(reduce.into, reduce.count);
  }
  void add(Location at, int count) {
    numbers_.insert(numbers_.end(), {static_cast<int>(at.buffer), count});
    for (int block = at.block; block < at.block + count; ++block) {
      numbers_.push_back(at.buffer == Buffer::scratch ? slot(block) : block);
    }
  }
  /// Scratch slots are numbered as they come up.
  int slot(int block) {
    return slots_.try_emplace(block, static_cast<int>(slots_.size())).first->second;
  }

  std::vector<int> numbers_;
  std::map<int, int> slots_{};
};

std::vector<int> canonical(const Variant& variant, Problem problem, Rank rank) {
  problem.me = rank;
  problem.params = variant.params;
  return Canonical{build_schedule(*variant.algorithm, problem)}.numbers();
}

/// Each group split into those whose schedules on this rank are equal.
std::vector<std::vector<Variant>> split(const std::vector<std::vector<Variant>>& groups,
                                        const Problem& problem, Rank rank) {
  std::vector<std::vector<Variant>> finer;
  for (const std::vector<Variant>& group : groups) {
    if (group.size() == 1) {  // after rank 0 most are
      finer.push_back(group);
      continue;
    }
    std::map<std::vector<int>, std::size_t> known;
    for (const Variant& each : group) {
      const auto [at, is_new] = known.try_emplace(canonical(each, problem, rank), finer.size());
      if (is_new) finer.emplace_back();
      finer[at->second].push_back(each);
    }
  }
  return finer;
}

}  // namespace

std::vector<std::vector<Variant>> equal_algorithms(const Problem& problem,
                                                   std::span<const Variant> others) {
  Problem plain = problem;
  plain.params = {};
  std::vector<Variant> variants;
  for (const Algorithm* algorithm : catalogue(problem.collective)) {
    if (runs(*algorithm, plain)) variants.push_back({algorithm, {}});
  }
  for (const Variant& other : others) {
    if (std::ranges::find(variants, other) == variants.end()) variants.push_back(other);
  }
  std::vector<std::vector<Variant>> groups{variants};
  for (int rank = 0; rank < problem.procs; ++rank) groups = split(groups, plain, Rank{rank});
  return groups;
}

namespace {

/// What a case of ours runs; nothing where its algorithm is a library's or can't run.
std::optional<Variant> variant_of(const Case& what) {
  const auto rows = catalogue(what.collective);
  const auto found = std::ranges::find(rows, what.algorithm, &Algorithm::name);
  if (found == rows.end() || !runs(**found, problem_of(what))) return std::nullopt;
  return find_variant(what.collective, variant_text(what));
}

std::vector<Variant> equals_of(const Case& what, const Variant& variant) {
  for (auto& group : equal_algorithms(problem_of(what), std::span{&variant, 1})) {
    if (std::ranges::find(group, variant) != group.end()) return group;
  }
  return {variant};
}

}  // namespace

const Case& MeasuredNames::of(Case what) {
  what.message = {};
  what.counts = Counts::equal;
  const auto [found, is_new] = known_.try_emplace(what, what);
  Case& measured = found->second;
  if (!is_new) return measured;
  if (const std::optional<Variant> variant = variant_of(what)) {
    const Variant first = equals_of(what, *variant).front();
    measured.algorithm = first.algorithm->name;
    measured.params = first.params.text();
  }
  return measured;
}

std::vector<std::string> other_names(std::span<const Case> cases) {
  std::set<Case> known;
  std::map<std::pair<std::string, std::string>, std::set<int>> procs;
  for (Case what : cases) {
    what.message = {};
    what.counts = Counts::equal;
    if (!known.insert(what).second) continue;
    const std::optional<Variant> own = variant_of(what);
    if (!own) continue;
    std::vector<std::string_view> names;
    for (const Variant& each : equals_of(what, *own)) {
      if (each != *own) names.push_back(each.algorithm->name);
    }
    if (names.empty()) continue;
    procs[{algorithm_text(what), fmt::format("{}", fmt::join(names, ", "))}].insert(what.procs);
  }
  std::vector<std::string> lines;
  for (const auto& [names, at] : procs) {
    lines.push_back(
        fmt::format("{} at p = {}: also {}", names.first, fmt::join(at, ", "), names.second));
  }
  return lines;
}

}  // namespace breakeven::kernels
