// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <concepts>
#include <string_view>
#include <vector>

#include "kernels/problem.hpp"
#include "kernels/schedule.hpp"

namespace breakeven::kernels {

/// A message or local step with every place in it moved: `to(place)` says where.
template <std::invocable<Location> To>
[[nodiscard]] Comm moved(const Comm& comm, const To& to) {
  if (const auto* send = std::get_if<Send>(&comm)) {
    return Send{send->to, to(send->from), send->count, send->more};
  }
  const auto& recv = std::get<Recv>(comm);
  return Recv{recv.source, to(recv.into), recv.count, recv.more};
}
template <std::invocable<Location> To>
[[nodiscard]] Local moved(const Local& local, const To& to) {
  if (const auto* copy = std::get_if<Copy>(&local)) {
    return Copy{to(copy->from), to(copy->into), copy->count};
  }
  const auto& reduce = std::get<Reduce>(local);
  return Reduce{to(reduce.a), to(reduce.b), to(reduce.into), reduce.count};
}

/// A message with another partner: `to(rank)` names it.
template <std::invocable<Rank> To>
[[nodiscard]] Comm readdressed(const Comm& comm, const To& to) {
  if (const auto* send = std::get_if<Send>(&comm)) {
    return Send{to(send->to), send->from, send->count, send->more};
  }
  const auto& recv = std::get<Recv>(comm);
  return Recv{to(recv.source), recv.into, recv.count, recv.more};
}

/// The number of blocks of a message or local step.
template <typename Step>
[[nodiscard]] auto& count_of(Step& step) {
  return std::visit([](auto& kind) -> auto& { return kind.count; }, step);
}

/// Runs a schedule for ranks 0 .. n-1 among others: rank i of it is `member(i)`. Its blocks stay
/// as they are, so this is for collectives whose blocks don't belong to ranks.
template <std::invocable<Rank> Member>
[[nodiscard]] Schedule on_group(Schedule schedule, const Member& member) {
  for (Round& round : schedule.rounds) {
    for (Comm& comm : round.comm) comm = readdressed(comm, member);
  }
  return schedule;
}

/// The same schedule with every block cut into `parts`, so that two schedules that cut the vector
/// differently can be put together.
[[nodiscard]] Schedule refine(Schedule schedule, int parts);

/// The schedule of `problem.me` with its input copied to scratch before all else and read only
/// there: for calls in place of a schedule that would read the input after it is overwritten.
[[nodiscard]] Schedule with_input_aside(Schedule schedule, const Problem& problem);

/// The schedule with its output made in scratch and copied to the buffer at the end.
///
/// Messages carry the same data in both, so each rank may decide for itself.
[[nodiscard]] Schedule with_output_aside(Schedule schedule, const Problem& problem);

/// For a rank that gets no result: the schedule with scratch, with room for all blocks, in place of
/// its output.
[[nodiscard]] Schedule without_output(Schedule schedule);

/// Pipelines a schedule whose blocks don't belong to ranks: the vector is cut into `segments`
/// pieces, the schedule is run on each, and every piece starts one round after the one before, so
/// that one segment is on its way while another is reduced.
///
/// It needs a schedule in which the two sides of every message are as far into their rounds as each
/// other, or one is never in the way of the other (a tree): the verifier tells.
///
/// Round t does what the schedule does in round t - s for each segment s, first segments first.
[[nodiscard]] Schedule segmented(const Schedule& schedule, int segments);

/// The schedule run backwards, input and output exchanged: received blocks are sent, and the last
/// round comes first. A gather becomes the scatter along the same tree.
/// @pre it reduces nothing and sends no block twice
[[nodiscard]] Schedule reversed(const Schedule& schedule);

/// Whether the schedule may be run with its input lying in its output: it never reads a block of
/// the input once it has written, or while it receives, the block of the output in the same place,
/// nor writes in one step a part of what it reads. A copy of a block to itself is left out.
/// @param input_begin  the block of the output at which block 0 of the input lies
[[nodiscard]] bool safe_in_place(const Schedule& schedule, int input_begin = 0);

/// Appends the rounds of `part` to those of `whole`, each place moved. Copies of a place to itself
/// and empty rounds are left out.
template <std::invocable<Location> To>
void append(Schedule& whole, const Schedule& part, const To& to) {
  const auto in_place = [](const Local& local) {
    const auto* copy = std::get_if<Copy>(&local);
    return copy != nullptr && copy->from == copy->into;
  };
  for (const Round& round : part.rounds) {
    Round& added = whole.rounds.emplace_back();
    for (const Comm& comm : round.comm) added.comm.push_back(moved(comm, to));
    for (const Local& local : round.local) {
      if (const Local step = moved(local, to); !in_place(step)) added.local.push_back(step);
    }
    if (added.comm.empty() && added.local.empty()) whole.rounds.pop_back();
  }
}

/// One step of a sequence: the schedule of `problem`, for the rank that the problem names.
struct SequencePart {
  Problem problem;
  Schedule schedule;
};

/// Solves `whole` by running `first`, then `second` on its result: reduce then bcast is an
/// allreduce, as is reduce_scatter_block then allgather.
///
/// The intermediate result lies in the result's buffer where that holds the whole vector and
/// `second` may find its input there, in scratch elsewhere. Copies that thereby copy in place are
/// dropped. Parts that cut the vector differently are refined to a cut that suits both.
/// @pre the output blocks of `first` are the input blocks of `second`
[[nodiscard]] Schedule sequence(const Problem& whole, SequencePart first, SequencePart second);

/// Which role each rank plays in an algorithm: rank r behaves as rank roles[r] would.
///
///     seq   roles in the order of the nodes: neighbours become node mates
///     rr    roles dealt out to the nodes in turn: neighbours become strangers
///     else  a permutation "2,0,1,3": the role of each rank
///
/// For M nodes of Q = p / M processes that is the paper's f_SQ(r) = (r * Q) mod p + r / M on an rr
/// mapping and its inverse f_RR(r) = (r * M) mod p + r / Q on a seq one, and no role changes where
/// the mapping is already so; it extends both to nodes of any sizes in any order.
/// @throws UsageError when the list is no permutation.
/// @see [ricogallego2014], section III.2, equations (1) and (2), and section IV
[[nodiscard]] std::vector<Rank> roles_of(std::string_view how, const Problem& problem);

/// The rank that plays each role, or the role of each player.
[[nodiscard]] std::vector<Rank> players_of(const std::vector<Rank>& roles);

/// The problem as the role sees it that the rank plays.
[[nodiscard]] Problem in_role(Problem problem, const std::vector<Rank>& roles);

/// Turns the schedule of `in_role(problem, roles)` into one for the rank itself: partners are the
/// ranks that play the roles, and where blocks belong to ranks, each rank's are its own again.
///
/// Runs of blocks that are no longer neighbours are cut: a message then has several.
[[nodiscard]] Schedule reordered(Schedule schedule, const Problem& problem,
                                 const std::vector<Rank>& roles);

}  // namespace breakeven::kernels
