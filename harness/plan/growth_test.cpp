// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <cstdlib>
#include <new>

#include "harness/plan/sweep.hpp"
#include "libraries/library_algorithm.hpp"

// The cost of planning is counted in allocated bytes, most of them for schedules: unlike a time,
// they are the same in each run.

namespace {
std::size_t allocated_bytes = 0;
}  // namespace

// NOLINTBEGIN(cppcoreguidelines-no-malloc, cppcoreguidelines-owning-memory)
void* operator new(std::size_t size) {
  allocated_bytes += size;
  void* const memory = std::malloc(size > 0 ? size : 1);
  if (memory == nullptr) throw std::bad_alloc{};
  return memory;
}
// std::stable_sort asks for its buffer by this form; a sanitizer's would not be freed by ours.
void* operator new(std::size_t size, const std::nothrow_t& /*unused*/) noexcept {
  allocated_bytes += size;
  return std::malloc(size > 0 ? size : 1);
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t /*size*/) noexcept { std::free(memory); }
// NOLINTEND(cppcoreguidelines-no-malloc, cppcoreguidelines-owning-memory)

namespace breakeven::plan {
namespace {

double bytes_to_plan(int procs, int procs_per_node, const Mapping& mapping) {
  Sweep sweep;
  sweep.procs = {procs};
  sweep.nodes = procs / procs_per_node;
  sweep.mapping = mapping;
  sweep.messages = {{8}, {1 << 10}, {1 << 20}};
  const std::size_t before = allocated_bytes;
  EXPECT_FALSE(make_plan(sweep, MachineKind::library, libraries::known_capabilities(sweep.machine))
                   .launches.empty());
  return static_cast<double>(allocated_bytes - before);
}

TEST(Planning, GrowsNoFasterThanPLogP) {
  for (const Mapping& mapping : {Mapping::seq, Mapping::rr}) {
    const double bytes = bytes_to_plan(1 << 10, 64, mapping);
    EXPECT_LE(bytes_to_plan(1 << 12, 64, mapping), 4 * 1.2 * bytes) << to_text(mapping);
  }
}

}  // namespace
}  // namespace breakeven::plan
