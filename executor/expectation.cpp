// SPDX-License-Identifier: BSD-3-Clause
#include "executor/expectation.hpp"

#include <fmt/format.h>

#include "core/error.hpp"
#include "executor/closed_form.hpp"

namespace breakeven {

namespace {

/// What element `i` of the rank's output must be.
Term expected(const CollectiveCall& call, std::int64_t i) {
  const Problem& problem = call.problem;
  switch (problem.collective) {
    case Collective::allreduce:
    case Collective::reduce: return combination(call.op, problem.procs, i);
    case Collective::reduce_scatter_block:
      return combination(call.op, problem.procs, problem.me.value * call.count + i);
    case Collective::allgather:
      return contribution(call.op, Rank{static_cast<int>(i / call.count)}, i % call.count);
    case Collective::bcast: return contribution(call.op, problem.root, i);
    case Collective::scatter:
      return contribution(call.op, problem.root, problem.me.value * call.count + i);
  }
  throw Error("expectation: not a collective");
}

/// Calls `visit` with the buffer's elements in the type that the datatype stands for.
template <typename Byte, typename Visit>
auto with_elements(Datatype datatype, std::span<Byte> bytes, Visit visit) {
  return with_element(element_of(datatype), [&]<typename T>(std::type_identity<T>) {
    using Kept = std::conditional_t<std::is_const_v<Byte>, const T, T>;
    return visit(std::span<Kept>{reinterpret_cast<Kept*>(bytes.data()), bytes.size() / sizeof(T)});
  });
}

/// Makes element i of the buffer that of term(i).
template <typename TermOf>
void fill(const CollectiveCall& call, std::span<std::byte> buffer, TermOf term) {
  with_elements(call.datatype, buffer, [&]<typename T>(std::span<T> elements) {
    std::int64_t i = 0;
    for (T& element : elements) element = ElementOf<T>::make(call.op, term(i++));
  });
}

template <typename T>
bool same(const CollectiveCall& call, const T& a, const T& b) {
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

std::string place(const CollectiveCall& call, std::int64_t i) {
  if (call.problem.collective != Collective::allgather) return fmt::format("element {}", i);
  return fmt::format("element {} of block {}", i % call.count, i / call.count);
}

}  // namespace

void fill_input(const CollectiveCall& call, std::span<std::byte> input) {
  fill(call, input, [&](std::int64_t i) { return contribution(call.op, call.problem.me, i); });
}

void poison(const CollectiveCall& call, std::span<std::byte> output) {
  fill(call, output, [&](std::int64_t i) { return spoiled(call.op, expected(call, i)); });
}

std::optional<std::string> check_output(const CollectiveCall& call,
                                        std::span<const std::byte> output) {
  using Complaint = std::optional<std::string>;
  return with_elements(call.datatype, output, [&]<typename T>(std::span<T> elements) -> Complaint {
    std::int64_t i = 0;
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

}  // namespace breakeven
