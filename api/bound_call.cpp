// SPDX-License-Identifier: BSD-3-Clause
#include "api/bound_call.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <mutex>

#include "core/error.hpp"
#include "executor/mpi_error.hpp"

namespace breakeven::api {

namespace {

using executor::check_mpi;

/// The calls of this process that are under way, by plans or by the library. Never destroyed, as
/// programs may wait in destructors.
struct UnderWay {
  std::mutex mutex;  ///< also held while one of them goes on
  std::vector<BoundCall*> all;
  std::atomic<std::size_t> count{0};

  void add(BoundCall* call) {
    const std::scoped_lock lock{mutex};
    all.push_back(call);
    count = all.size();
  }
  void remove(BoundCall* call) {
    const std::scoped_lock lock{mutex};
    std::erase(all, call);
    count = all.size();
  }
  /// Carries all calls on; whether this one is complete.
  bool step(const BoundCall* one = nullptr) {
    const std::scoped_lock lock{mutex};
    bool is_complete = false;
    for (BoundCall* const each : all) {
      if (each->step() && each == one) is_complete = true;
    }
    return is_complete;
  }
};
UnderWay& under_way() {
  static auto& under_way = *new UnderWay;
  return under_way;
}

}  // namespace

BoundCall::~BoundCall() { end(); }

void BoundCall::run() {
  const executor::MpiCall& call = terms_.call;
  executor::Plan* const plan = terms_.choice.plan();
  if (plan != nullptr) plan->fit(call, terms_.shares);  // other calls use it, too
  if (plan == nullptr || under_way().count.load(std::memory_order_relaxed) == 0) {
    terms_.choice.run(call, [&] { return terms_.library.run(), MPI_SUCCESS; });
    return;
  }
  plan->start(call.input.address, call.output.address, call.op);
  while (!plan->advance()) under_way().step();
}

std::string BoundCall::start() {
  if (under_way_) throw UsageError("the collective is under way: wait for its request");
  const bool by_plan = terms_.choice.plan() != nullptr;
  if (!by_plan && terms_.named && !terms_.choice.variant.is<Native>()) {
    throw UsageError(fmt::format("{} has no nonblocking form", to_text(terms_.choice.variant)));
  }
  if (by_plan) {
    start_plan();
  } else {
    request_ = terms_.library.start();
  }
  under_way().add(this);
  under_way_ = true;
  return to_text(by_plan ? terms_.choice.variant : Native{});
}

void BoundCall::start_plan() {
  const executor::MpiCall& call = terms_.call;
  if (plan_ == nullptr) {
    plan_ =
        terms_.calls->startable_plan(terms_.choice.variant, call, *terms_.layout, terms_.shares);
  }
  plan_->start(call.input.address, call.output.address, call.op);
}

bool BoundCall::advance(bool to_the_end) {
  try {
    while (!under_way().step(this)) {
      if (!to_the_end) return false;
    }
  } catch (...) {
    end();
    throw;
  }
  end();
  return true;
}

bool BoundCall::step() {
  if (plan_ != nullptr) return plan_->advance();
  int done = 0;
  check_mpi(MPI_Test(&request_, &done, MPI_STATUS_IGNORE), "MPI_Test");
  return done != 0;
}

void BoundCall::end() {
  if (!under_way_) return;
  under_way().remove(this);
  under_way_ = false;
}

}  // namespace breakeven::api
