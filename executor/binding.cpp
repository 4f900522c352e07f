// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "core/error.hpp"
#include "executor/bound_schedule.hpp"
#include "kernels/rewrite/rewrite.hpp"

namespace breakeven::executor {

namespace {

using kernels::BlockRange;
using kernels::Buffer;
using kernels::Location;

bool copies_to_output(const kernels::Local& local) {
  const auto* const copy = std::get_if<kernels::Copy>(&local);
  return copy != nullptr && copy->into.buffer == Buffer::output;
}

/// Whether the output is only written, by copies alone.
bool only_copied_to(const kernels::Schedule& schedule) {
  const auto elsewhere = [](Location at) { return at.buffer != Buffer::output; };
  const auto of_message = [&](const kernels::Comm& comm) {
    const auto* const send = std::get_if<kernels::Send>(&comm);
    return elsewhere(send != nullptr ? send->from : std::get<kernels::Recv>(comm).into);
  };
  return std::ranges::all_of(schedule.rounds, [&](const kernels::Round& round) {
    return std::ranges::all_of(round.comm, of_message) &&
           std::ranges::all_of(round.local, [&](const kernels::Local& local) {
             const auto* const copy = std::get_if<kernels::Copy>(&local);
             return copy != nullptr && elsewhere(copy->from);
           });
  });
}

kernels::Schedule without_writes(kernels::Schedule schedule, const kernels::Problem& problem) {
  if (!only_copied_to(schedule)) {
    schedule = kernels::with_output_aside(std::move(schedule), problem);
  }
  for (kernels::Round& round : schedule.rounds) std::erase_if(round.local, copies_to_output);
  return schedule;
}

/// The schedule with its input in its output.
kernels::Schedule laid_in_place(kernels::Schedule schedule, const kernels::Problem& problem) {
  const BlockRange input = kernels::input_blocks(problem, schedule.blocks);
  const BlockRange output = kernels::output_blocks(problem, schedule.blocks);
  if (output.count < input.count) {
    // The result is cut otherwise than the input in its place: it is written when all is done.
    if (output.count > 0) schedule.rounds.emplace_back();
    return kernels::with_output_aside(std::move(schedule), problem);
  }
  const int begin = collects(problem.collective) ? input.first : 0;
  if (!kernels::safe_in_place(schedule, begin)) {
    schedule = kernels::with_input_aside(std::move(schedule), problem);
  }
  kernels::Schedule laid{.blocks = schedule.blocks, .scratch = schedule.scratch};
  kernels::append(laid, schedule, [begin](Location at) {
    return at.buffer == Buffer::input ? kernels::output(begin + at.block) : at;
  });
  return laid;
}

kernels::Schedule fitted(kernels::Schedule schedule, const kernels::Problem& problem,
                         const Form& form) {
  if (form.cuts_input) schedule = kernels::with_input_aside(std::move(schedule), problem);
  if (form.cuts_output) schedule = kernels::with_output_aside(std::move(schedule), problem);
  if (form.output_unwanted) schedule = without_writes(std::move(schedule), problem);
  if (form.in_place) schedule = laid_in_place(std::move(schedule), problem);
  return schedule;
}

/// Turns a schedule into messages and local steps whose places are checked.
class Binder {
 public:
  Binder(const kernels::Problem& problem, int blocks)
      : problem_{problem},
        held_{kernels::input_blocks(problem, blocks), kernels::output_blocks(problem, blocks)} {
    if (blocks < 1 || (counts_one_block(problem.collective) && blocks % problem.procs != 0)) {
      throw Error(fmt::format("a schedule of {} blocks does not cut {} among {} processes", blocks,
                              kCollectives.of(problem.collective), problem.procs));
    }
    bound_.blocks = blocks;
    bound_.first_input = held_[0].first;
    bound_.first_output = held_[1].first;
  }

  void check(const kernels::Schedule& schedule) {
    set_slots(schedule);
    for (const kernels::Round& round : schedule.rounds) {
      for (const kernels::Comm& comm : round.comm) {
        std::visit([this](const auto& each) { check(each); }, comm);
      }
      for (const kernels::Local& step : round.local) {
        std::visit([this](const auto& each) { check(each); }, step);
      }
    }
  }

  [[nodiscard]] BoundSchedule bound(const kernels::Schedule& schedule) && {
    set_slots(schedule);
    for (const kernels::Round& round : schedule.rounds) {
      BoundRound& added = bound_.rounds.emplace_back();
      kernels::for_messages(round.comm, [&](kernels::Message message) { add(message, added); });
      added.local = round.local;
    }
    return std::move(bound_);
  }

 private:
  void set_slots(const kernels::Schedule& schedule) {
    bound_.slots.clear();
    for (const auto& [first, count] : schedule.scratch) {
      const bool any = first == kernels::ScratchRun::kAnyBlock;
      if (!any && (first < 0 || first + count > schedule.blocks)) {
        throw Error(fmt::format("the schedule's scratch names {} blocks from block {}, of {}",
                                count, first, schedule.blocks));
      }
      for (int i = 0; i < count; ++i) bound_.slots.push_back(any ? first : first + i);
    }
  }

  void check(const kernels::Send& send) const {
    require_rank(send.to);
    require_held(send.from, send.count);
    if (bound_.takes_any(send.from, send.count))
      throw Error("the schedule sends from scratch that takes any block");
  }
  void check(const kernels::Recv& recv) const {
    require_rank(recv.source);
    require_writable(recv.into, recv.count);
  }
  void check(const kernels::Copy& copy) const {
    require_held(copy.from, copy.count);
    require_writable(copy.into, copy.count);
  }
  void check(const kernels::Reduce& reduce) const {
    if (!reduces(problem_.collective))
      throw Error("the schedule reduces where nothing is to be reduced");
    require_held(reduce.a, reduce.count);
    require_held(reduce.b, reduce.count);
    require_writable(reduce.into, reduce.count);
  }

  void require_rank(Rank rank) const {
    if (rank.value >= 0 && rank.value < problem_.procs) return;
    throw Error(
        fmt::format("the schedule names rank {} of {} processes", rank.value, problem_.procs));
  }
  void require_writable(Location at, int count) const {
    if (at.buffer == Buffer::input && count > 0) throw Error("the schedule writes its input");
    require_held(at, count);
  }
  void require_held(Location at, int count) const {
    const bool scratch = at.buffer == Buffer::scratch;
    const auto held =
        scratch ? std::ssize(bound_.slots) : held_[static_cast<std::size_t>(at.buffer)].count;
    if (at.block >= 0 && count >= 0 && at.block + std::int64_t{count} <= held) return;
    const std::string_view unit = scratch ? "slot" : "block";
    throw Error(fmt::format("the schedule names {} {}s of its {} from {} {}, of {}", count, unit,
                            kernels::kBuffers.of(at.buffer), unit, at.block, held));
  }

  void add(kernels::Message message, BoundRound& round) const {
    BoundMessage bound;
    for (const kernels::Comm& comm : message) {
      const auto* const send = std::get_if<kernels::Send>(&comm);
      const auto* const recv = std::get_if<kernels::Recv>(&comm);
      const Location at = send != nullptr ? send->from : recv->into;
      const int count = send != nullptr ? send->count : recv->count;
      if (message.size() > 1 && bound_.takes_any(at, count))
        throw Error("the schedule receives runs in scratch that takes any block");
      if (&comm != &message.front() && at.buffer != bound.buffer)
        throw Error("the schedule has a message of several buffers");
      bound.peer = (send != nullptr ? send->to : recv->source).value;
      bound.buffer = at.buffer;
      add({at.block, count}, bound.runs);
    }
    (kernels::sends(message) ? round.sends : round.recvs).push_back(std::move(bound));
  }
  static void add(BlockRange run, std::vector<BlockRange>& runs) {
    if (run.count == 0) return;
    if (!runs.empty() && runs.back().first + runs.back().count == run.first) {
      runs.back().count += run.count;
    } else {
      runs.push_back(run);
    }
  }

  const kernels::Problem& problem_;
  std::array<BlockRange, 2> held_;  ///< by this rank's input and output
  BoundSchedule bound_{};
};

}  // namespace

BoundSchedule bind_schedule(kernels::Schedule schedule, const kernels::Problem& problem,
                            const Form& form) {
  Binder binder{problem, schedule.blocks};
  binder.check(schedule);
  return std::move(binder).bound(fitted(std::move(schedule), problem, form));
}

}  // namespace breakeven::executor
