// SPDX-License-Identifier: BSD-3-Clause
#include <ranges>

#include "kernels/rewrite/rewrite.hpp"

namespace breakeven::kernels {

namespace {

Location mirrored(Location at) {
  switch (at.buffer) {
    case Buffer::input: return output(at.block);
    case Buffer::output: return input(at.block);
    case Buffer::scratch: break;
  }
  return at;
}

Comm reversed(const Comm& comm) {
  if (const auto* send = std::get_if<Send>(&comm)) {
    return Recv{send->to, mirrored(send->from), send->count, send->more};
  }
  const auto& recv = std::get<Recv>(comm);
  return Send{recv.source, mirrored(recv.into), recv.count, recv.more};
}

}  // namespace

Schedule reversed(const Schedule& schedule) {
  Schedule back{.blocks = schedule.blocks, .scratch = schedule.scratch, .rounds = {}};
  for (const Round& round : schedule.rounds | std::views::reverse) {
    for (const Local& local : round.local | std::views::reverse) {
      const auto& [from, into, count] = std::get<Copy>(local);
      back.local(Copy{mirrored(into), mirrored(from), count});
    }
    if (round.comm.empty()) continue;
    Round& turned = back.rounds.emplace_back();
    for (const Comm& comm : round.comm) turned.comm.push_back(reversed(comm));
  }
  return back;
}

}  // namespace breakeven::kernels
