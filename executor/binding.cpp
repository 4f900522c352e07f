// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>
#include <utility>

#include "core/error.hpp"
#include "executor/block_map.hpp"
#include "executor/bound_schedule.hpp"
#include "kernels/rewrite/rewrite.hpp"

namespace breakeven::executor {

namespace {

/// The elements of a step: what its exact sides agree on, and what the others have room for.
std::int64_t elements_of(std::initializer_list<Run> sides) {
  const Run* exact = std::ranges::find(sides, true, &Run::exact);
  if (exact == sides.end()) throw Error("the schedule has a local step of unknown size");
  for (const Run& side : sides) {
    if (side.exact ? side.elements != exact->elements : side.elements < exact->elements) {
      throw Error(
          fmt::format("the schedule has a local step of {} elements on one side, {} on another",
                      exact->elements, side.elements));
    }
  }
  return exact->elements;
}

/// The one place where a run with elements begins.
Place place_of(const Run& run) {
  if (run.pieces.size() != 1) throw Error("the schedule reduces shares that are no neighbours");
  return {run.buffer, run.pieces.front().offset};
}

class Binder {
 public:
  Binder(const kernels::Schedule& schedule, const kernels::CollectiveCall& call,
         const Memory& memory)
      : schedule_{schedule}, call_{call}, memory_{memory}, map_{schedule, call, memory} {}

  [[nodiscard]] BoundSchedule bound() &&;

 private:
  void add(kernels::Message message);
  void add(const kernels::Copy& copy);
  void add(const kernels::Reduce& reduce);

  [[nodiscard]] Run writable(kernels::Location at, int count) const;
  [[nodiscard]] int peer(Rank rank) const;

  const kernels::Schedule& schedule_;
  const kernels::CollectiveCall& call_;
  const Memory& memory_;
  BlockMap map_;
  BoundSchedule bound_;
};

BoundSchedule Binder::bound() && {
  bound_.scratch_elements = map_.scratch_elements();
  for (const kernels::Round& round : schedule_.rounds) {
    bound_.rounds.emplace_back();
    kernels::for_messages(round.comm, [this](kernels::Message message) { add(message); });
    for (const kernels::Local& step : round.local) {
      std::visit([this](const auto& each) { add(each); }, step);
    }
  }
  return std::move(bound_);
}

void Binder::add(kernels::Message message) {
  const bool sent = kernels::sends(message);
  BoundRound& round = bound_.rounds.back();
  BoundMessage& bound = (sent ? round.sends : round.recvs).emplace_back();
  for (const kernels::Comm& comm : message) {
    const auto* const send = std::get_if<kernels::Send>(&comm);
    const auto* const recv = std::get_if<kernels::Recv>(&comm);
    const Run run =
        send != nullptr ? map_.locate(send->from, send->count) : writable(recv->into, recv->count);
    if (!run.exact && sent) throw Error("the schedule sends from scratch that takes any block");
    if (!run.exact && message.size() > 1) {
      throw Error("the schedule receives runs in scratch that takes any block");
    }
    if (&comm != &message.front() && run.buffer != bound.buffer) {
      throw Error("the schedule has a message of several buffers");
    }
    bound.peer = peer(send != nullptr ? send->to : recv->source);
    bound.buffer = run.buffer;
    bound.pieces.insert(bound.pieces.end(), run.pieces.begin(), run.pieces.end());
  }
}

void Binder::add(const kernels::Copy& copy) {
  const Run from = map_.locate(copy.from, copy.count);
  const Run into = writable(copy.into, copy.count);
  const std::int64_t elements = elements_of({from, into});
  for (std::int64_t done = 0; done < elements;) {
    const Piece reading = map_.rest(from, done);
    const Piece writing = map_.rest(into, done);
    const std::int64_t part = std::min({elements - done, reading.elements, writing.elements});
    bound_.rounds.back().local.push_back(
        BoundCopy{{from.buffer, reading.offset}, {into.buffer, writing.offset}, part});
    done += part;
  }
}

void Binder::add(const kernels::Reduce& reduce) {
  if (!reduces(call_.problem.collective)) {
    throw Error("the schedule reduces where nothing is to be reduced");
  }
  const Run a = map_.locate(reduce.a, reduce.count);
  const Run b = map_.locate(reduce.b, reduce.count);
  const Run into = writable(reduce.into, reduce.count);
  const std::int64_t elements = elements_of({a, b, into});
  if (elements == 0) return;
  bound_.rounds.back().local.push_back(
      BoundReduce{place_of(a), place_of(b), place_of(into), elements});
}

Run Binder::writable(kernels::Location at, int count) const {
  if (at.buffer == kernels::Buffer::input && count > 0)
    throw Error("the schedule writes its input");
  return map_.locate(at, count);
}

int Binder::peer(Rank rank) const {
  if (rank.value < 0 || rank.value >= call_.problem.procs) {
    throw Error(
        fmt::format("the schedule names rank {} of {} processes", rank.value, call_.problem.procs));
  }
  return rank.value;
}

/// Whether all ranks know that there is no data, so that no rank waits for a message: the counts of
/// others may be unknown to a rank of an irregular collective.
bool known_empty(const kernels::CollectiveCall& call) {
  return moves_data(call.problem.collective) && call.begins.empty() && call.count == 0;
}

}  // namespace

BoundSchedule bind_schedule(kernels::Schedule schedule, const kernels::CollectiveCall& call,
                            const Memory& memory) {
  if (known_empty(call)) return {};
  const BlockMap map{schedule, call, memory};
  const bool cuts_input = map.cuts_elements(kernels::Buffer::input);
  const bool cuts_output = map.cuts_elements(kernels::Buffer::output);
  if (cuts_input) schedule = kernels::with_input_aside(std::move(schedule), call.problem);
  if (cuts_output) schedule = kernels::with_output_aside(std::move(schedule), call.problem);
  auto fitted = fitted_in_place(Binder{schedule, call, memory}.bound(), memory);
  if (fitted) return *std::move(fitted);
  schedule = memory.output_unwanted ? kernels::with_output_aside(std::move(schedule), call.problem)
                                    : kernels::with_input_aside(std::move(schedule), call.problem);
  return fitted_in_place(Binder{schedule, call, memory}.bound(), memory).value();
}

}  // namespace breakeven::executor
