// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <future>
#include <ranges>
#include <thread>
#include <vector>

namespace breakeven {

/// Calls `of` with each element, on all cores, in any order.
/// @param of  called by several threads at once
/// @throws the exception of the first element whose call fails; later elements may be left out
template <std::ranges::random_access_range Range, typename Function>
void for_each_in_parallel(Range&& range, const Function& of) {
  const auto size = static_cast<std::size_t>(std::ranges::size(range));
  std::atomic<std::size_t> next = 0;
  std::vector<std::exception_ptr> failures(size);
  const auto work = [&] {
    for (std::size_t i = next++; i < size; i = next++) {
      try {
        of(std::ranges::begin(range)[static_cast<std::ptrdiff_t>(i)]);
      } catch (...) {
        failures[i] = std::current_exception();
        next = size;
      }
    }
  };
  const std::size_t threads = std::min<std::size_t>(size, std::thread::hardware_concurrency());
  std::vector<std::future<void>> others;
  for (std::size_t i = 1; i < threads; ++i) others.push_back(std::async(std::launch::async, work));
  work();
  for (std::future<void>& each : others) each.get();
  for (const std::exception_ptr& failure : failures) {
    if (failure) std::rethrow_exception(failure);
  }
}

}  // namespace breakeven
