// SPDX-License-Identifier: BSD-3-Clause
#include "harness/worker/clock/synchronise.hpp"

#include "core/error.hpp"

namespace breakeven::worker {

namespace {

ClockModel learn(ClockSync method, const LocalClock& local, const executor::Communicator& comm) {
  switch (method) {
    case ClockSync::none: break;
    case ClockSync::skampi: return synchronise_skampi(local, comm);
    case ClockSync::jk: return synchronise_jk(local, comm);
    case ClockSync::hca: return synchronise_hca(local, comm);
    case ClockSync::hca2: return synchronise_hca2(local, comm);
    case ClockSync::hca3: return synchronise_hca3(local, comm);
    case ClockSync::two_level: return synchronise_two_level(local, comm);
  }
  throw Error("no such clock method");
}

}  // namespace

GlobalClock synchronise(ClockSync method, const LocalClock& local,
                        const executor::Communicator& comm) {
  if (method == ClockSync::none) return GlobalClock{local};
  return {local, learn(method, local, comm)};
}

}  // namespace breakeven::worker
