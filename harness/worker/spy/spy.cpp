// SPDX-License-Identifier: BSD-3-Clause
#include "harness/worker/spy/spy.hpp"

#include <dlfcn.h>

namespace breakeven::worker::spy {

namespace {

// Preloaded or linked: either way among the symbols of the process.
template <typename Function>
Function* find(const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_DEFAULT, name));
}
const auto kCount = find<long(const char*)>("breakeven_spy_count");
const auto kArgument = find<long(const char*, int)>("breakeven_spy_argument");
const auto kReset = find<void()>("breakeven_spy_reset");
const auto kCall = find<const char*(long, int*)>("breakeven_spy_call");

}  // namespace

bool is_here() { return kCount != nullptr && kReset != nullptr; }

long count(const char* function) { return kCount(function); }

void reset() { kReset(); }

long argument(const char* function, int number) { return kArgument(function, number); }

std::vector<Call> calls() {
  std::vector<Call> found;
  int communicator = 0;
  while (const char* function = kCall(static_cast<long>(found.size()), &communicator)) {
    found.push_back({function, communicator});
  }
  return found;
}

}  // namespace breakeven::worker::spy
