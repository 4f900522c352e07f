// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <set>

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
  [[nodiscard]] bool contiguous(int first, int count) const {
    for (int i = 1; i < count; ++i) {
      if ((*this)(first + i) != (*this)(first) + i) return false;
    }
    return true;
  }

 private:
  const std::vector<Rank>& ranks_;
  int share_;
};

/// Whether each run of `buffer` that is sent, received or reduced stays a run; copies can be cut.
bool stays_contiguous(const Schedule& schedule, Buffer buffer, const BlockMap& map) {
  bool contiguous = true;
  const auto look_at = [&](const auto& step) {
    static_cast<void>(moved(step, [&](Location at) {
      const bool kept = at.buffer != buffer || map.contiguous(at.block, count_of(step));
      contiguous = contiguous && kept;
      return at;
    }));
  };
  for (const Round& round : schedule.rounds) {
    for (const Comm& comm : round.comm) look_at(comm);
    for (const Local& local : round.local) {
      if (std::holds_alternative<Reduce>(local)) look_at(local);
    }
  }
  return contiguous;
}

/// Scratch slots made for the roles' blocks, as slots for the ranks'.
std::vector<ScratchRun> returned(const std::vector<ScratchRun>& runs, const BlockMap& map) {
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

/// Gives the blocks of a schedule, which are the roles', back to the ranks.
Schedule with_blocks_returned(Schedule schedule, const Problem& role, const BlockMap& map) {
  const bool whole_input = input_blocks(role, schedule.blocks).count == schedule.blocks;
  const bool whole_output = output_blocks(role, schedule.blocks).count == schedule.blocks;
  if (whole_input && !stays_contiguous(schedule, Buffer::input, map)) {
    schedule = with_input_aside(std::move(schedule), role);
  }
  if (whole_output && !stays_contiguous(schedule, Buffer::output, map)) {
    schedule = with_output_aside(std::move(schedule), role);
  }
  const auto place = [&](Location at) {
    const bool whole = (at.buffer == Buffer::input && whole_input) ||
                       (at.buffer == Buffer::output && whole_output);
    return whole ? Location{at.buffer, map(at.block)} : at;
  };
  const auto nth = [](Location at, int i) { return Location{at.buffer, at.block + i}; };
  for (Round& round : schedule.rounds) {
    for (Comm& comm : round.comm) comm = moved(comm, place);
    std::vector<Local> locals;
    for (const Local& local : round.local) {
      if (const auto* copy = std::get_if<Copy>(&local)) {
        for (int i = 0; i < copy->count; ++i) {
          locals.emplace_back(Copy{place(nth(copy->from, i)), place(nth(copy->into, i))});
        }
      } else {
        locals.push_back(moved(local, place));
      }
    }
    round.local = std::move(locals);
  }
  schedule.scratch = returned(schedule.scratch, map);
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
