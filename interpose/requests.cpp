// SPDX-License-Identifier: BSD-3-Clause
#include "interpose/requests.hpp"

#include <algorithm>

#include "api/comm_calls.hpp"

namespace breakeven::interpose {

namespace {

using Moment = CountedRequests::Moment;

double seconds(Moment from, Moment to) { return std::chrono::duration<double>{to - from}.count(); }

bool inactive(MPI_Request request) {
  int flag = 0;
  return PMPI_Request_get_status(request, &flag, MPI_STATUS_IGNORE) == MPI_SUCCESS && flag != 0;
}

}  // namespace

CountedRequests& CountedRequests::all() {
  static auto& all = *new CountedRequests;  // MPI_Finalize may run in a destructor
  return all;
}

void CountedRequests::add(MPI_Request request, CallForm form, tables::Amount& amount, bool root) {
  const std::scoped_lock lock{mutex_};
  counted_.insert_or_assign(api::bits_of(request),
                            Counted{.form = form, .amount = &amount, .root = root});
  number_ = counted_.size();
}

void CountedRequests::started(const std::vector<MPI_Request>& requests, Moment begin) {
  const Moment end = std::chrono::steady_clock::now();
  const double share_s = seconds(begin, end) / static_cast<double>(requests.size());
  const std::scoped_lock lock{mutex_};
  for (const MPI_Request request : requests) {
    const auto found = counted_.find(api::bits_of(request));
    if (found == counted_.end()) continue;
    Counted& its = found->second;
    its.under_way = true;
    its.began = begin;
    its.in_mpi_s = seconds(begin, end);
    std::atomic_ref{its.amount->seconds} += share_s;
    std::atomic_ref{its.amount->start_s} += share_s;
    if (its.root) ++std::atomic_ref{its.amount->calls};
  }
}

void CountedRequests::asked(const std::vector<MPI_Request>& before,
                            const std::vector<MPI_Request>& after, Moment begin) {
  const Moment end = std::chrono::steady_clock::now();
  const auto active = std::ranges::count_if(
      before, [](MPI_Request request) { return request != MPI_REQUEST_NULL; });
  const std::scoped_lock lock{mutex_};
  for (std::size_t i = 0; i < before.size(); ++i) {
    const auto found = counted_.find(api::bits_of(before[i]));
    // Another thread may have got the handle of a request that this call completed.
    if (found == counted_.end() || !found->second.under_way || found->second.began > begin)
      continue;
    Counted& its = found->second;
    its.in_mpi_s += seconds(begin, end);
    std::atomic_ref{its.amount->seconds} += seconds(begin, end) / static_cast<double>(active);
    const bool freed = after[i] != before[i];
    if (!freed && (its.form != CallForm::persistent || !inactive(after[i]))) continue;
    const double under_way_s = seconds(its.began, end);
    std::atomic_ref{its.amount->under_way_s} += under_way_s;
    std::atomic_ref{its.amount->most_overlap_s} += std::max(0.0, under_way_s - its.in_mpi_s);
    its.under_way = false;
    if (freed) counted_.erase(found);
  }
  number_ = counted_.size();
}

void CountedRequests::forget(MPI_Request request) {
  const std::scoped_lock lock{mutex_};
  counted_.erase(api::bits_of(request));
  number_ = counted_.size();
}

}  // namespace breakeven::interpose
