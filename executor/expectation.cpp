// SPDX-License-Identifier: BSD-3-Clause
#include "executor/expectation.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.hpp"
#include "executor/closed_form.hpp"

namespace breakeven::executor {

namespace {

/// An element of a vector that has a block for each process.
struct Origin {
  int rank;
  std::int64_t element;
};

Origin origin(const kernels::CollectiveCall& call, std::int64_t element) {
  if (call.begins.empty()) return {static_cast<int>(element / call.count), element % call.count};
  const auto after = std::ranges::upper_bound(call.begins, element);
  return {static_cast<int>(after - call.begins.begin()) - 1, element - *(after - 1)};
}

/// Element `i` of the block that `from` has for `to`, in a personalised exchange. Blocks for
/// different processes differ, and so do the blocks that two processes have for each other.
Term contribution_for(const kernels::CollectiveCall& call, Rank from, Rank to, std::int64_t i) {
  constexpr std::int64_t kBetweenBlocks = 13;
  return contribution(call.op, from, i + kBetweenBlocks * to.value);
}

/// Element `i` of the rank's input.
Term given(const kernels::CollectiveCall& call, std::int64_t i) {
  const kernels::Problem& problem = call.problem;
  if (!personalised(problem.collective)) return contribution(call.op, problem.me, i);
  const auto [rank, element] = origin(call, i);
  return contribution_for(call, problem.me, {rank}, element);
}

/// Element `i` of the rank's right output.
Term expected(const kernels::CollectiveCall& call, std::int64_t i) {
  const kernels::Problem& problem = call.problem;
  const int procs = problem.procs;
  const std::int64_t whole =
      kernels::block_begin(call, procs, kernels::output_blocks(problem, procs).first) + i;
  if (problem.collective == Collective::scan) {
    return combination(call.op, problem.me.value + 1, whole);
  }
  if (problem.collective == Collective::exscan) {
    return combination(call.op, problem.me.value, whole);
  }
  if (reduces(problem.collective)) return combination(call.op, procs, whole);
  if (personalised(problem.collective)) {
    const auto [rank, element] = origin(call, i);
    return contribution_for(call, {rank}, problem.me, element);
  }
  if (!collects(problem.collective)) return contribution(call.op, problem.root, whole);
  const auto [rank, element] = origin(call, whole);
  return contribution(call.op, {rank}, element);
}

/// Calls `visit` with the buffer's elements in the type that the datatype stands for.
template <typename Byte, typename Visit>
auto with_elements(Datatype datatype, std::span<Byte> bytes, Visit visit) {
  return with_element(element_of(datatype), [&]<typename T>(std::type_identity<T>) {
    using Kept = std::conditional_t<std::is_const_v<Byte>, const T, T>;
    return visit(std::span<Kept>{reinterpret_cast<Kept*>(bytes.data()), bytes.size() / sizeof(T)});
  });
}

/// Makes element i of the buffer that of term(first + i).
template <typename TermOf>
void fill(const kernels::CollectiveCall& call, std::span<std::byte> buffer, std::int64_t first,
          TermOf term) {
  with_elements(call.datatype, buffer, [&]<typename T>(std::span<T> elements) {
    std::int64_t i = first;
    for (T& element : elements) element = ElementOf<T>::make(call.op, term(i++));
  });
}

template <typename T>
bool same(const kernels::CollectiveCall& call, const T& a, const T& b) {
  if constexpr (std::is_integral_v<T>) {
    const bool truth = type_class(call.datatype) == TypeClass::logical && call.op != Op::none;
    if (truth) return (a != 0) == (b != 0);
  }
  return a == b;
}

template <typename T>
std::string text(const T& value) {
  return fmt::format("{}", value);
}
template <typename T>
std::string text(const Complex<T>& value) {
  return fmt::format("({}, {})", value.re, value.im);
}
template <typename Value, typename Index>
std::string text(const Pair<Value, Index>& value) {
  return fmt::format("{} at {}", value.value, value.index);
}

std::string place(const kernels::CollectiveCall& call, std::int64_t i) {
  const Collective collective = call.problem.collective;
  if (!collects(collective) && !personalised(collective)) return fmt::format("element {}", i);
  const auto [rank, element] = origin(call, i);
  return fmt::format("element {} of block {}", element, rank);
}

}  // namespace

void fill_input(const kernels::CollectiveCall& call, std::span<std::byte> input,
                std::int64_t first) {
  fill(call, input, first, [&](std::int64_t i) { return given(call, i); });
}

void poison(const kernels::CollectiveCall& call, std::span<std::byte> output, std::int64_t first) {
  fill(call, output, first, [&](std::int64_t i) { return spoiled(call.op, expected(call, i)); });
}

std::optional<std::string> check_output(const kernels::CollectiveCall& call,
                                        std::span<const std::byte> output, std::int64_t first) {
  using Complaint = std::optional<std::string>;
  return with_elements(call.datatype, output, [&]<typename T>(std::span<T> elements) -> Complaint {
    std::int64_t i = first;
    for (const auto& element : elements) {
      const auto right = ElementOf<std::remove_const_t<T>>::make(call.op, expected(call, i));
      if (!same(call, element, right)) {
        return fmt::format("{}: {} instead of {}", place(call, i), text(element), text(right));
      }
      ++i;
    }
    return std::nullopt;
  });
}

}  // namespace breakeven::executor
