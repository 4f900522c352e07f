// SPDX-License-Identifier: BSD-3-Clause
#include "harness/worker/start/barrier.hpp"
#include "harness/worker/start/methods.hpp"

namespace breakeven {

namespace {

/// Begins where this rank leaves our own barrier: never late, and as far apart as its last round
/// leaves the ranks.
class DisseminationStart : public Start {
 public:
  explicit DisseminationStart(const Communicator& comm) : comm_{comm} {}

  bool wait() override {
    barrier(comm_);
    return true;
  }

 private:
  const Communicator& comm_;
};

}  // namespace

std::unique_ptr<Start> dissemination_start(const Communicator& comm) {
  return std::make_unique<DisseminationStart>(comm);
}

}  // namespace breakeven
