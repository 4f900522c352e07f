// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// The test's orders to the fake UCX, and its counters.
struct FakeUcp {
  int events = 0;             ///< that each progress of the worker reports
  bool flush_is_over = true;  ///< at once; else a request is returned
  int ends_after = -1;        ///< progresses that the request takes; -1: it never ends
  int flushes = 0;
  int progresses = 0;
};

extern "C" {

/// The one fake of this process.
FakeUcp* fake_ucp();

// Those of UCX's functions that are replaced.
unsigned ucp_worker_progress(void* worker);
void* ucp_disconnect_nb(void* endpoint);

}  // extern "C"
