// SPDX-License-Identifier: BSD-3-Clause
#include "harness/worker/workspace.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "core/error.hpp"
#include "executor/expectation.hpp"
#include "executor/reduce_kernel.hpp"
#include "kernels/problem.hpp"

namespace breakeven::worker {

namespace {

void require_root(const Case& what) {
  if (rooted(what.collective)) {
    if (what.root >= Rank{0} && what.root < Rank{what.procs}) return;
    throw UsageError(
        fmt::format("root {} is not one of the ranks 0 to {}", what.root.value, what.procs - 1));
  }
  if (what.root == Rank{}) return;
  throw UsageError(
      fmt::format("{} has no root, asked: {}", kCollectives.of(what.collective), what.root.value));
}

void require_op(const Case& what) {
  if (reduces(what.collective)) {
    static_cast<void>(executor::reduce_kernel(what.op, what.datatype));  // throws the message
  } else if (what.op != Op::none) {
    throw UsageError(fmt::format("{} reduces nothing, asked: {}", kCollectives.of(what.collective),
                                 kOps.of(what.op)));
  }
}

void require_counts(const Case& what) {
  if (what.counts == Counts::equal || irregular(what.collective)) return;
  throw UsageError(fmt::format("{} has equal counts, asked: {}", kCollectives.of(what.collective),
                               kCounts.of(what.counts)));
}

/// MPI's count argument; where counts differ, their mean.
std::int64_t count_of(const Case& what) {
  const Bytes element = extent(what.datatype);
  if (what.message.value < 0 || what.message.value % element.value != 0) {
    throw UsageError(fmt::format("a message of {} bytes is no whole number of {}, {} bytes each",
                                 what.message.value, kDatatypes.of(what.datatype), element.value));
  }
  const std::int64_t count = what.message.value / element.value;
  if (count > std::numeric_limits<int>::max()) {
    throw UsageError(
        fmt::format("a message of {} elements is more than MPI's int can count", count));
  }
  return count;
}

kernels::CollectiveCall call_of(const Case& what, int procs, Rank me) {
  if (what.procs != procs) {
    throw UsageError(fmt::format("the case is for p = {}, this launch has {}", what.procs, procs));
  }
  require_root(what);
  require_op(what);
  require_counts(what);
  return {.problem = kernels::problem_of(what, me),
          .count = count_of(what),
          .begins = kernels::begins_of(what, me),
          .datatype = what.datatype,
          .op = what.op};
}

std::size_t bytes(const kernels::CollectiveCall& call, std::int64_t elements) {
  return static_cast<std::size_t>(elements * extent(call.datatype).value);
}

constexpr std::size_t kPart = std::size_t{1} << 25;  // bytes: whole elements of any datatype

std::span<std::byte> part_of(std::span<std::byte> buffer, std::size_t begin) {
  const std::size_t left = buffer.size() - std::min(begin, buffer.size());
  return buffer.last(left).first(std::min(left, kPart));
}

/// MPI leaves rank 0's output of exscan undefined, but MPICH needs room for it; SMPI needs an
/// address even for a block without elements, where others have some.
std::int64_t output_room(const kernels::CollectiveCall& call) {
  if (call.problem.collective == Collective::exscan) return call.count;
  return std::max<std::int64_t>(call.begins.empty() ? 0 : 1, kernels::output_elements(call));
}

}  // namespace

Workspace::Workspace(const Case& what, int procs, Rank me)
    : call_(call_of(what, procs, me)),
      output_(bytes(call_, output_room(call_))),
      input_(one_buffer() ? 0 : bytes(call_, kernels::input_elements(call_))) {}

std::span<const std::byte> Workspace::input() const {
  const Buffer& buffer = one_buffer() ? output_ : input_;
  return buffer.first(bytes(call_, kernels::input_elements(call_)));
}

std::span<std::byte> Workspace::writable_input() {
  return (one_buffer() ? output_ : input_).first(input().size());
}

std::size_t Workspace::output_bytes() const {
  return bytes(call_, kernels::output_elements(call_));
}

void Workspace::in_parts(const Sign& sign, const std::function<void(std::size_t)>& work) const {
  const int procs = call_.problem.procs;
  const std::size_t longest = bytes(call_, kernels::block_begin(call_, procs, procs));
  for (std::size_t begin = 0; begin == 0 || begin < longest; begin += kPart) {
    if (begin > 0) sign();
    work(begin);
  }
}

void Workspace::prepare(const Sign& sign) {
  in_parts(sign, [&](std::size_t begin) {
    const auto first = static_cast<std::int64_t>(begin) / extent(call_.datatype).value;
    executor::poison(call_, part_of(output(), begin), first);
    executor::fill_input(call_, part_of(writable_input(), begin), first);
  });
}

void Workspace::touch_input() {
  constexpr std::size_t kCacheLine = 64;
  const std::span<std::byte> input = writable_input();
  for (std::size_t i = 0; i < input.size(); i += kCacheLine) {
    volatile std::byte& element = input[i];
    element = element;
  }
}

std::span<std::byte> Workspace::output() { return output_.first(output_bytes()); }

std::optional<std::string> Workspace::complaint(const Sign& sign) const {
  std::optional<std::string> found;
  in_parts(sign, [&](std::size_t begin) {
    if (found) return;
    found = executor::check_output(call_, part_of(output_.first(output_bytes()), begin),
                                   static_cast<std::int64_t>(begin) / extent(call_.datatype).value);
  });
  return found;
}

}  // namespace breakeven::worker
