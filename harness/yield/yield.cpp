// SPDX-License-Identifier: BSD-3-Clause

// LD_PRELOAD for MPICH over UCX (ch4:ucx, as Debian 12 packages it) where there are more ranks than
// cores. It takes the place of two functions of libucp:
//
// * MPICH spins in ucp_worker_progress and never gives its core away, so that a waiting rank keeps
//   its partner from running: every hand-over costs scheduler ticks, 70 ms for a collective of four
//   ranks on two cores. Here a rank without work sleeps.
// * MPICH before 4.2 may hang in MPI_Finalize over tcp: a rank whose disconnects are done waits in
//   PMI's barrier and no longer serves the disconnects of others (pmodels/mpich, pull request
//   6596). Here the first disconnect flushes all messages under way, for a bounded time, and all
//   disconnects report success at once; the process ends right after.
//
// The effect on results: a waiting rank notices a message up to a sleep (some 100 us with the
// kernel's timer slack) late. Such a run shows that a program works and how algorithms compare on
// long messages, not the speed of the machine; its launch is marked oversubscribed.

#include <dlfcn.h>

#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <thread>

namespace {

using namespace std::chrono_literals;

constexpr auto kSleep = 50us;  // shorter ones cost more in timer interrupts than they save
constexpr auto kLongestFlush = 500ms;

using Progress = unsigned (*)(void* worker);
using Flush = void* (*)(void* worker, unsigned flags, void (*done)(void* request, int status));

/// UCX's own function of this name.
template <typename Function>
Function next(const char* name) {
  void* const found = dlsym(RTLD_NEXT, name);
  if (found == nullptr) {
    std::cerr << "libbreakeven_yield.so: this process has no " << name
              << "; preload it only for MPICH over UCX\n";
    std::abort();
  }
  return reinterpret_cast<Function>(found);
}

void* last_worker = nullptr;  // MPICH has one per process unless built with several interfaces

unsigned progress_or_sleep(void* worker) {
  static const auto progress = next<Progress>("ucp_worker_progress");
  const unsigned events = progress(worker);
  if (events == 0) std::this_thread::sleep_for(kSleep);
  return events;
}

/// UCX returns null when done, a small negative number as an error, else a request under way.
bool under_way(const void* request) {
  constexpr std::uintptr_t errors = 100;
  return request != nullptr && reinterpret_cast<std::uintptr_t>(request) < ~errors;
}

bool flushed = false;

void flush(void* worker) {
  const auto done = [](void*, int) { flushed = true; };
  const void* const request = next<Flush>("ucp_worker_flush_nb")(worker, 0, done);
  const auto end = std::chrono::steady_clock::now() + kLongestFlush;
  while (under_way(request) && !flushed && std::chrono::steady_clock::now() < end) {
    progress_or_sleep(worker);
  }
}

}  // namespace

extern "C" {

unsigned ucp_worker_progress(void* worker) {
  last_worker = worker;
  return progress_or_sleep(worker);
}

void* ucp_disconnect_nb(void*) {
  static bool first = true;  // one flush is for all peers
  if (first && last_worker != nullptr) flush(last_worker);
  first = false;
  return nullptr;  // UCS_OK: completed at once
}

}  // extern "C"
