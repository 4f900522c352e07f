// SPDX-License-Identifier: BSD-3-Clause
#include "executor/expectation.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.hpp"

namespace breakeven {

namespace {

constexpr std::int64_t kModulus = 251;  // prime, and every value fits a byte
constexpr std::int64_t kBits = 8;

/// The sum of `procs` consecutive numbers modulo kModulus that begin with `first` < kModulus.
std::int64_t cyclic_sum(std::int64_t first, std::int64_t procs) {
  const std::int64_t cycles = procs / kModulus;
  const std::int64_t rest = procs % kModulus;
  const std::int64_t wrapped = std::max<std::int64_t>(first + rest - kModulus, 0);
  return cycles * (kModulus * (kModulus - 1) / 2) + rest * first + rest * (rest - 1) / 2 -
         wrapped * kModulus;
}

/// `procs` consecutive bits of kBits that begin with bit `first`, around the end.
std::int64_t cyclic_bits(std::int64_t first, std::int64_t procs) {
  constexpr std::int64_t all = (1 << kBits) - 1;
  if (procs >= kBits) return all;
  const std::int64_t run = ((1 << procs) - 1) << first;
  return (run | run >> kBits) & all;
}

/// Where an element of the whole vector comes from, in collectives that collect it.
struct Origin {
  int rank;
  std::int64_t element;
};

Origin origin(const CollectiveCall& call, std::int64_t element) {
  if (call.begins.empty()) return {static_cast<int>(element / call.count), element % call.count};
  const auto after = std::ranges::upper_bound(call.begins, element);
  return {static_cast<int>(after - call.begins.begin()) - 1, element - *(after - 1)};
}

/// What element `i` of the rank's output must be.
std::int64_t expected(const CollectiveCall& call, std::int64_t i) {
  const Problem& problem = call.problem;
  const int procs = problem.procs;
  const std::int64_t whole = block_begin(call, procs, output_blocks(problem, procs).first) + i;
  if (reduces(problem.collective)) return combination(call.op, procs, whole);
  if (!collects(problem.collective)) return contribution(call.op, problem.root, whole);
  const auto [rank, element] = origin(call, whole);
  return contribution(call.op, {rank}, element);
}

template <typename T>
std::span<T> elements(std::span<std::byte> bytes) {
  return {reinterpret_cast<T*>(bytes.data()), bytes.size() / sizeof(T)};
}

template <typename T>
std::span<const T> elements(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const T*>(bytes.data()), bytes.size() / sizeof(T)};
}

/// Calls `visit` with a value of the C type that `datatype` stands for.
template <typename Visit>
auto with_type(Datatype datatype, Visit visit) {
  switch (datatype) {
    case Datatype::byte: return visit(static_cast<unsigned char>(0));
    case Datatype::int_: return visit(0);
    case Datatype::long_: return visit(0L);
    case Datatype::float_: return visit(0.0F);
    case Datatype::double_: return visit(0.0);
  }
  throw Error("expectation: not a datatype");
}

std::string place(const CollectiveCall& call, std::int64_t i) {
  if (!collects(call.problem.collective)) return fmt::format("element {}", i);
  const auto [rank, element] = origin(call, i);
  return fmt::format("element {} of block {}", element, rank);
}

}  // namespace

std::int64_t contribution(Op op, Rank rank, std::int64_t i) {
  if (op == Op::bor) return 1 << ((rank.value + i) % kBits);
  return (rank.value + i) % kModulus;
}

std::int64_t combination(Op op, int procs, std::int64_t i) {
  const std::int64_t first = i % kModulus;
  const std::int64_t last = first + procs - 1;
  switch (op) {
    case Op::sum: return cyclic_sum(first, procs);
    case Op::max: return std::min(last, kModulus - 1);
    case Op::min: return last >= kModulus ? 0 : first;
    case Op::bor: return cyclic_bits(i % kBits, procs);
    case Op::none: break;
  }
  throw Error("expectation: nothing is reduced");
}

void fill_input(const CollectiveCall& call, std::span<std::byte> input) {
  with_type(call.datatype, [&]<typename T>(T) {
    std::int64_t i = 0;
    for (T& element : elements<T>(input)) {
      element = static_cast<T>(contribution(call.op, call.problem.me, i++));
    }
  });
}

void poison(const CollectiveCall& call, std::span<std::byte> output) {
  // Neither a sum's, a maximum's nor a moved byte is 255; no run of bits around the end is
  // 10100101.
  std::ranges::fill(output, call.op == Op::bor ? std::byte{0xA5} : std::byte{0xFF});
}

std::optional<std::string> check_output(const CollectiveCall& call,
                                        std::span<const std::byte> output) {
  return with_type(call.datatype, [&]<typename T>(T) -> std::optional<std::string> {
    std::int64_t i = 0;
    for (const T element : elements<T>(output)) {
      const T right = static_cast<T>(expected(call, i));
      if (element != right) {
        return fmt::format("{}: {} instead of {}", place(call, i), element, right);
      }
      ++i;
    }
    return std::nullopt;
  });
}

}  // namespace breakeven
