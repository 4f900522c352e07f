// SPDX-License-Identifier: BSD-3-Clause
#include "harness/worker/clock/synchronise.hpp"

#include "core/error.hpp"
#include "harness/worker/clock/methods.hpp"

namespace breakeven {

namespace {

ClockModel learn(ClockMethod method, const LocalClock& local, const Communicator& comm) {
  switch (method) {
    case ClockMethod::none: break;
    case ClockMethod::skampi: return synchronise_skampi(local, comm);
    case ClockMethod::jk: return synchronise_jk(local, comm);
    case ClockMethod::hca: return synchronise_hca(local, comm);
    case ClockMethod::hca2: return synchronise_hca2(local, comm);
    case ClockMethod::hca3: return synchronise_hca3(local, comm);
    case ClockMethod::two_level: return synchronise_two_level(local, comm);
  }
  throw Error("no such clock method");
}

}  // namespace

GlobalClock synchronise(ClockMethod method, const LocalClock& local, const Communicator& comm) {
  if (method == ClockMethod::none) return GlobalClock{local};
  return {local, learn(method, local, comm)};
}

}  // namespace breakeven
