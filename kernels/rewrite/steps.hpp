// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <concepts>

#include "kernels/schedule.hpp"

namespace breakeven::kernels {

/// A message or local step with every place in it moved: `to(place)` says where.
template <std::invocable<Location> To>
[[nodiscard]] Comm moved(const Comm& comm, const To& to) {
  if (const auto* send = std::get_if<Send>(&comm)) {
    return Send{send->to, to(send->from), send->count};
  }
  const auto& recv = std::get<Recv>(comm);
  return Recv{recv.source, to(recv.into), recv.count};
}
template <std::invocable<Location> To>
[[nodiscard]] Local moved(const Local& local, const To& to) {
  if (const auto* copy = std::get_if<Copy>(&local)) {
    return Copy{to(copy->from), to(copy->into), copy->count};
  }
  const auto& reduce = std::get<Reduce>(local);
  return Reduce{to(reduce.a), to(reduce.b), to(reduce.into), reduce.count};
}

/// A message with another partner: `to(rank)` says whom.
template <std::invocable<Rank> To>
[[nodiscard]] Comm readdressed(const Comm& comm, const To& to) {
  if (const auto* send = std::get_if<Send>(&comm)) {
    return Send{to(send->to), send->from, send->count};
  }
  const auto& recv = std::get<Recv>(comm);
  return Recv{to(recv.source), recv.into, recv.count};
}

/// The number of blocks of a message or local step.
template <typename Step>
[[nodiscard]] auto& count_of(Step& step) {
  return std::visit([](auto& kind) -> auto& { return kind.count; }, step);
}

}  // namespace breakeven::kernels
