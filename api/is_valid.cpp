// SPDX-License-Identifier: BSD-3-Clause
#include "api/is_valid.hpp"

#include <algorithm>
#include <cstddef>

#include "executor/element_type.hpp"

namespace breakeven::api {

namespace {

using executor::CallBuffer;
using executor::MpiCall;

bool negative(std::int64_t count) { return count < 0; }

bool holds_data(const CallBuffer& buffer) {
  return buffer.present() &&
         (buffer.count > 0 ||
          std::ranges::any_of(buffer.counts, [](auto count) { return count > 0; }));
}

bool is_valid(const CallBuffer& buffer) {
  if (!buffer.present()) return true;
  if (negative(buffer.count) || std::ranges::any_of(buffer.counts, negative)) return false;
  if (buffer.address == MPI_IN_PLACE) return false;
  // A derived datatype may hold addresses itself, from MPI_BOTTOM on.
  return buffer.address != nullptr || !holds_data(buffer) || !executor::predefined(buffer.type);
}

/// Of the buffer with a share for each process.
bool has_all_shares(const CallBuffer& buffer, const MpiCall& call, int procs) {
  const auto each = static_cast<std::size_t>(procs);
  if (!irregular(call.collective)) return true;
  if (buffer.counts.size() != each) return false;
  return call.collective == Collective::reduce_scatter || buffer.displacements.size() == each;
}

}  // namespace

bool is_valid(const MpiCall& call, int procs, int me) {
  if (rooted(call.collective) && (call.root < 0 || call.root >= procs)) return false;
  if (reduces(call.collective) && call.op == MPI_OP_NULL) return false;
  if (!is_valid(call.input) || !is_valid(call.output)) return false;
  if (!moves_data(call.collective)) return true;
  if (call.collective == Collective::bcast) return call.output.present();
  // What every rank has, unless it lies in what the root has, or, without a root, every rank too.
  const bool spreads = regular(call.collective) == Collective::scatter;
  const CallBuffer& each = spreads ? call.output : call.input;
  const CallBuffer& all = spreads ? call.input : call.output;
  if (rooted(call.collective) && me != call.root) return each.present();
  if (!all.present() || !has_all_shares(all, call, procs)) return false;
  if (call.in_place) return true;
  if (!each.present()) return false;
  // Datatypes of the program's own may name other bytes from one address on.
  const bool plain = reduces(call.collective) ||
                     (executor::predefined(each.type) && executor::predefined(all.type));
  const bool one_place = each.address == all.address && holds_data(each) && holds_data(all);
  return !plain || !one_place;
}

}  // namespace breakeven::api
