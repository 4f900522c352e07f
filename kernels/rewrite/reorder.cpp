// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <concepts>
#include <set>
#include <utility>
#include <variant>

#include "core/error.hpp"
#include "kernels/rewrite/rewrite.hpp"

namespace breakeven::kernels {

namespace {

std::vector<Rank> listed_roles(std::string_view how, int procs) {
  const std::vector<std::string_view> items = split_list(how);
  std::vector<Rank> roles;
  std::set<int> played;
  for (const std::string_view item : items) {
    roles.push_back({parse_number(item, "a role in reorder_ranks", 0)});
    played.insert(roles.back().value);
  }
  const auto all = static_cast<std::size_t>(procs);
  if (items.size() != all || played.size() != all || *played.rbegin() != procs - 1) {
    throw UsageError(fmt::format(
        "reorder_ranks={} is none of seq, rr, or a permutation of the {} ranks from 0 on", how,
        procs));
  }
  return roles;
}

/// Where the blocks of the roles lie among the blocks of the ranks.
class BlockMap {
 public:
  BlockMap(const std::vector<Rank>& ranks, int blocks)
      : ranks_{ranks}, share_{blocks / static_cast<int>(ranks.size())} {}

  [[nodiscard]] int operator()(int block) const {
    return ranks_[static_cast<std::size_t>(block / share_)].value * share_ + block % share_;
  }

 private:
  const std::vector<Rank>& ranks_;
  int share_;
};

/// Scratch slots made for the roles' blocks, as slots for the ranks'.
std::vector<ScratchRun> slots_of_ranks(const std::vector<ScratchRun>& runs, const BlockMap& map) {
  std::vector<ScratchRun> result;
  for (const ScratchRun& run : runs) {
    if (run.first_block == ScratchRun::kAnyBlock) {
      result.push_back(run);
      continue;
    }
    for (int i = 0; i < run.count; ++i) result.push_back({map(run.first_block + i), 1});
  }
  return result;
}

/// Appends the step with its places mapped by `place`, cut where neighbours are neighbours no
/// longer; the parts of a message's run follow each other in the message.
template <typename Step, typename Place>
void append_parts(std::vector<Step>& parts, const Step& step, const Place& place) {
  const int blocks = count_of(step);
  const auto from = [&](int block) {
    return moved(step, [&](Location at) { return place({at.buffer, at.block + block}); });
  };
  for (int first = 0; first < blocks;) {
    Step& part = parts.emplace_back(from(first));
    const auto next = [&](int count) {
      return moved(part, [&](Location at) { return Location{at.buffer, at.block + count}; });
    };
    int count = 1;
    while (first + count < blocks && from(first + count) == next(count)) ++count;
    count_of(part) = count;
    first += count;
    if constexpr (std::same_as<Step, Comm>) {
      if (first < blocks) std::visit([](auto& run) { run.more = true; }, part);
    }
  }
}

/// Gives the blocks of a schedule, which are the roles', back to the ranks.
Schedule with_blocks_returned(Schedule schedule, const Problem& role, const BlockMap& map) {
  const bool whole_input = input_blocks(role, schedule.blocks).count == schedule.blocks;
  const bool whole_output = output_blocks(role, schedule.blocks).count == schedule.blocks;
  const auto place = [&](Location at) {
    const bool whole = (at.buffer == Buffer::input && whole_input) ||
                       (at.buffer == Buffer::output && whole_output);
    return whole ? Location{at.buffer, map(at.block)} : at;
  };
  for (Round& round : schedule.rounds) {
    Round returned;
    for (const Comm& comm : round.comm) append_parts(returned.comm, comm, place);
    for (const Local& local : round.local) append_parts(returned.local, local, place);
    round = std::move(returned);
  }
  schedule.scratch = slots_of_ranks(schedule.scratch, map);
  return schedule;
}

}  // namespace

std::vector<Rank> players_of(const std::vector<Rank>& roles) {
  std::vector<Rank> ranks(roles.size(), Rank{-1});
  for (std::size_t rank = 0; rank < roles.size(); ++rank) {
    ranks[static_cast<std::size_t>(roles[rank].value)] = {static_cast<int>(rank)};
  }
  return ranks;
}

std::vector<Rank> roles_of(std::string_view how, const Problem& problem) {
  if (how != "seq" && how != "rr") return listed_roles(how, problem.procs);
  const auto kind = how == "seq" ? Mapping::Kind::seq : Mapping::Kind::rr;
  return players_of(problem.placement.in_order(kind, problem.procs));
}

Problem in_role(Problem problem, const std::vector<Rank>& roles) {
  const auto role = [&](Rank rank) { return roles[static_cast<std::size_t>(rank.value)]; };
  problem.me = role(problem.me);
  problem.root = role(problem.root);
  return problem;
}

Schedule reordered(Schedule schedule, const Problem& problem, const std::vector<Rank>& roles) {
  const std::vector<Rank> ranks = players_of(roles);
  schedule = on_group(std::move(schedule),
                      [&](Rank role) { return ranks[static_cast<std::size_t>(role.value)]; });
  if (counts_one_block(problem.collective)) {
    const BlockMap map{ranks, schedule.blocks};
    schedule = with_blocks_returned(std::move(schedule), in_role(problem, roles), map);
  }
  return schedule;
}

}  // namespace breakeven::kernels
