// SPDX-License-Identifier: BSD-3-Clause
#include "executor/mpi_call.hpp"

#include "executor/element_type.hpp"

namespace breakeven {

std::vector<std::int64_t> share_bytes(const MpiCall& call, int procs, int me) {
  if (!irregular(call.collective)) return {};
  const CallBuffer& all = call.input.counts.empty() ? call.output : call.input;
  std::vector<std::int64_t> shares;
  for (const int count : all.counts) shares.push_back(count * size_of(all.type));
  if (shares.empty()) {
    shares.resize(static_cast<std::size_t>(procs));
    const CallBuffer& own = call.described();
    shares[static_cast<std::size_t>(me)] = own.count * size_of(own.type);
  }
  return shares;
}

}  // namespace breakeven
