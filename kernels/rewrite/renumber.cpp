// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/rewrite/renumber.hpp"

#include <fmt/format.h>

#include "core/error.hpp"
#include "kernels/rewrite/group.hpp"
#include "kernels/rewrite/steps.hpp"

namespace breakeven {

namespace {

std::vector<Rank> inverse(const std::vector<Rank>& roles) {
  std::vector<Rank> ranks(roles.size(), Rank{-1});
  for (std::size_t rank = 0; rank < roles.size(); ++rank) {
    ranks[static_cast<std::size_t>(roles[rank].value)] = {static_cast<int>(rank)};
  }
  return ranks;
}

std::vector<Rank> listed_roles(std::string_view how, int procs) {
  std::vector<Rank> roles;
  std::vector<bool> played(static_cast<std::size_t>(procs));
  for (const std::string_view item : split_list(how)) {
    const int role = parse_number(item, "a role in renumber", 0);
    if (role >= procs || played[static_cast<std::size_t>(role)]) break;
    played[static_cast<std::size_t>(role)] = true;
    roles.push_back({role});
  }
  if (static_cast<int>(roles.size()) != procs) {
    throw UsageError(fmt::format(
        "renumber={} is none of seq, rr, or a permutation of the {} ranks from 0 on", how, procs));
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

/// Whether each run of `buffer` that the schedule touches stays a run.
bool stays_contiguous(const Schedule& schedule, Buffer buffer, const BlockMap& map) {
  bool contiguous = true;
  int count = 0;
  const auto look = [&](Location at) {
    if (at.buffer == buffer) contiguous = contiguous && map.contiguous(at.block, count);
    return at;
  };
  for (Round round : schedule.rounds) {
    const auto look_at_all = [&](auto& step) {
      count = count_of(step);
      step = moved(step, look);
    };
    for (Comm& comm : round.comm) look_at_all(comm);
    for (Local& local : round.local) look_at_all(local);
  }
  return contiguous;
}

void append_runs(std::vector<ScratchRun>& runs, const ScratchRun& run, const BlockMap& map) {
  if (run.first_block == ScratchRun::kAnyBlock) {
    runs.push_back(run);
    return;
  }
  for (int i = 0; i < run.count; ++i) runs.push_back({map(run.first_block + i), 1});
}

/// Gives the blocks of a schedule, which are the roles', back to the ranks.
void return_blocks(Schedule& schedule, const Problem& problem, const BlockMap& map) {
  const int blocks = schedule.blocks;
  std::vector<ScratchRun> scratch_runs;
  for (const ScratchRun& run : schedule.scratch) append_runs(scratch_runs, run, map);

  const auto whole = [&](BlockRange range) { return range.count == blocks; };
  const bool whole_input = whole(input_blocks(problem, blocks));
  const bool whole_output = whole(output_blocks(problem, blocks));
  const bool input_aside = whole_input && !stays_contiguous(schedule, Buffer::input, map);
  const bool output_aside = whole_output && !stays_contiguous(schedule, Buffer::output, map);
  const int input_slots = scratch_slots(schedule);
  const int output_slots = input_slots + (input_aside ? blocks : 0);
  if (input_aside) append_runs(scratch_runs, {0, blocks}, map);
  if (output_aside) append_runs(scratch_runs, {0, blocks}, map);

  const auto place = [&](Location at) {
    if (at.buffer == Buffer::input && whole_input) {
      return input_aside ? scratch(input_slots + at.block) : input(map(at.block));
    }
    if (at.buffer == Buffer::output && whole_output) {
      return output_aside ? scratch(output_slots + at.block) : output(map(at.block));
    }
    return at;
  };
  for (Round& round : schedule.rounds) {
    for (Comm& comm : round.comm) comm = moved(comm, place);
    for (Local& local : round.local) local = moved(local, place);
  }
  schedule.scratch = std::move(scratch_runs);
  if (input_aside) {
    Round before;
    for (int block = 0; block < blocks; ++block) {
      before.local.emplace_back(Copy{input(map(block)), scratch(input_slots + block)});
    }
    schedule.rounds.insert(schedule.rounds.begin(), std::move(before));
  }
  if (output_aside) {
    for (int block = 0; block < blocks; ++block) {
      schedule.local(Copy{scratch(output_slots + block), output(map(block))});
    }
  }
}

}  // namespace

std::vector<Rank> roles_of(std::string_view how, const Problem& problem) {
  const int procs = problem.procs;
  if (how != "seq" && how != "rr") return listed_roles(how, procs);
  const int nodes = problem.placement.nodes(procs);
  if (procs % nodes != 0) {
    throw UsageError(fmt::format("renumber={} needs nodes that share the ranks evenly; {} on {}",
                                 how, procs, nodes));
  }
  const int per_node = procs / nodes;
  const int stride = how == "seq" ? per_node : nodes;
  const int wrap = how == "seq" ? nodes : per_node;
  std::vector<Rank> roles;
  for (std::int64_t rank = 0; rank < procs; ++rank) {
    roles.push_back({static_cast<int>(rank * stride % procs + rank / wrap)});
  }
  return roles;
}

Problem in_role(Problem problem, const std::vector<Rank>& roles) {
  const auto role = [&](Rank rank) { return roles[static_cast<std::size_t>(rank.value)]; };
  problem.me = role(problem.me);
  problem.root = role(problem.root);
  return problem;
}

Schedule renumbered(Schedule schedule, const Problem& problem, const std::vector<Rank>& roles) {
  const std::vector<Rank> ranks = inverse(roles);
  schedule = on_group(std::move(schedule), ranks);
  if (counts_one_block(problem.collective)) {
    return_blocks(schedule, problem, BlockMap{ranks, schedule.blocks});
  }
  return schedule;
}

}  // namespace breakeven
