// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/sequence.hpp"

#include <functional>

#include "core/error.hpp"

namespace breakeven {

namespace {

using Relocate = std::function<Location(Location)>;

Comm moved(const Comm& comm, const Relocate& to) {
  if (const auto* send = std::get_if<Send>(&comm)) {
    return Send{send->to, to(send->from), send->count};
  }
  const auto& recv = std::get<Recv>(comm);
  return Recv{recv.source, to(recv.into), recv.count};
}

Local moved(const Local& local, const Relocate& to) {
  if (const auto* copy = std::get_if<Copy>(&local)) {
    return Copy{to(copy->from), to(copy->into), copy->count};
  }
  const auto& reduce = std::get<Reduce>(local);
  return Reduce{to(reduce.a), to(reduce.b), to(reduce.into), reduce.count};
}

bool in_place(const Local& local) {
  const auto* copy = std::get_if<Copy>(&local);
  return copy != nullptr && copy->from == copy->into;
}

void append(Schedule& whole, const Schedule& part, const Relocate& to) {
  for (const Round& round : part.rounds) {
    Round& added = whole.rounds.emplace_back();
    for (const Comm& comm : round.comm) added.comm.push_back(moved(comm, to));
    for (const Local& local : round.local) {
      if (const Local step = moved(local, to); !in_place(step)) added.local.push_back(step);
    }
    if (added.comm.empty() && added.local.empty()) whole.rounds.pop_back();
  }
  whole.scratch.insert(whole.scratch.end(), part.scratch.begin(), part.scratch.end());
}

}  // namespace

Schedule sequence(const Part& first, const Part& second) {
  const int blocks = first.schedule.blocks;
  if (second.schedule.blocks != blocks) throw Error("sequence: the parts differ in their blocks");
  Schedule whole{.blocks = blocks, .scratch = {}, .rounds = {}};

  const int result = output_blocks(first.problem, blocks).first;
  append(whole, first.schedule,
         [=](Location at) { return at.buffer == Buffer::output ? output(result + at.block) : at; });
  const int own = input_blocks(second.problem, blocks).first;
  const int slots = scratch_slots(first.schedule);
  append(whole, second.schedule, [=](Location at) {
    switch (at.buffer) {
      case Buffer::input: return output(own + at.block);
      case Buffer::scratch: return scratch(slots + at.block);
      case Buffer::output: break;
    }
    return at;
  });
  return whole;
}

}  // namespace breakeven
