// SPDX-License-Identifier: BSD-3-Clause

// Replaces libucp: behind libbreakeven_yield.so in the loader's order, as in MPICH's ranks.
#include "harness/yield/fake_ucp.hpp"

namespace {

using Done = void (*)(void* request, int status);

FakeUcp fake;
Done when_done = nullptr;

}  // namespace

extern "C" {

FakeUcp* fake_ucp() { return &fake; }

unsigned ucp_worker_progress(void* /*worker*/) {
  ++fake.progresses;
  if (when_done != nullptr && fake.ends_after >= 0 && fake.progresses >= fake.ends_after) {
    when_done(&fake, 0);
  }
  return static_cast<unsigned>(fake.events);
}

void* ucp_worker_flush_nb(void* /*worker*/, unsigned /*flags*/, Done done) {
  ++fake.flushes;
  if (fake.flush_is_over) return nullptr;
  when_done = done;
  return &fake;
}

}  // extern "C"
