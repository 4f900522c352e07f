// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "core/collective.hpp"
#include "interpose/intercept.hpp"

namespace breakeven::interpose {

/// The nonblocking and persistent collectives of this process in a profile, by their requests. The
/// library performs them; here their time is taken, and no handle is changed.
class CountedRequests {
 public:
  using Moment = std::chrono::steady_clock::time_point;

  [[nodiscard]] static CountedRequests& all();
  /// Whether there is none, to be asked at each call that completes requests.
  [[nodiscard]] static bool none() noexcept { return number_.load(std::memory_order_acquire) == 0; }

  /// @param root  whether this process counts the calls of its communicator
  void add(MPI_Request request, CallForm form, tables::Amount& amount, bool root);
  /// The program started these requests in one call, whose time they share equally.
  void started(const std::vector<MPI_Request>& requests, Moment begin);
  /// The program asked for the completion of requests: those that are active share the time
  /// equally. A request is complete once its handle is another one, or is inactive.
  void asked(const std::vector<MPI_Request>& before, const std::vector<MPI_Request>& after,
             Moment begin);
  void forget(MPI_Request request);

 private:
  struct Counted {
    CallForm form;
    tables::Amount* amount;
    bool root;
    bool under_way = false;
    Moment began{};
    double in_mpi_s = 0;  ///< since it began
  };
  static constinit inline std::atomic<std::size_t> number_{0};
  std::mutex mutex_;
  std::unordered_map<std::intptr_t, Counted> counted_;
};

/// A nonblocking collective, or the making of a persistent one, by the library.
/// @param call_of  makes the executor::MpiCall
template <typename CallOf, typename Native>
int make_request(CallForm form, MPI_Comm comm, const CallOf& call_of, const MPI_Request* request,
                 const Native& native) {
  Choices* const choices = choices_of(comm);
  if (choices == nullptr || !choices->counts()) return native();
  executor::MpiCall call = call_of();
  keep_significant(call, choices->me());
  tables::Amount* const amount = choices->amount_of(call, form);
  if (amount == nullptr) return native();
  const auto begin = std::chrono::steady_clock::now();
  const int status = native();
  if (status != MPI_SUCCESS) return status;
  CountedRequests::all().add(*request, form, *amount, choices->me() == 0);
  if (form == CallForm::nonblocking) CountedRequests::all().started({*request}, begin);
  return status;
}

/// @param request  gives the one of an index
template <typename Request>
[[nodiscard]] std::vector<MPI_Request> requests_of(int count, const Request& request) {
  std::vector<MPI_Request> requests;
  for (int i = 0; i < count; ++i) requests.push_back(request(i));
  return requests;
}

/// MPI_Start and MPI_Startall, by the library.
template <typename Request, typename Native>
int start_requests(int count, const Request& request, const Native& native) {
  if (CountedRequests::none()) return native();
  const auto begin = std::chrono::steady_clock::now();
  const int status = native();
  if (status == MPI_SUCCESS) CountedRequests::all().started(requests_of(count, request), begin);
  return status;
}

/// A function that waits or tests, by the library.
template <typename Request, typename Native>
int complete_requests(int count, const Request& request, const Native& native) {
  if (CountedRequests::none()) return native();
  const std::vector<MPI_Request> before = requests_of(count, request);
  const auto begin = std::chrono::steady_clock::now();
  const int status = native();
  CountedRequests::all().asked(before, requests_of(count, request), begin);
  return status;
}

}  // namespace breakeven::interpose
