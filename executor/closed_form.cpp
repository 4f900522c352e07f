// SPDX-License-Identifier: BSD-3-Clause
#include "executor/closed_form.hpp"

#include <algorithm>
#include <array>

#include "core/error.hpp"

namespace breakeven::executor {

namespace {

constexpr std::int64_t kModulus = 127;  // prime, and every value fits a signed byte
constexpr std::int64_t kBits = 8;

/// The sum of `procs` consecutive numbers modulo kModulus that begin with `first` < kModulus.
std::int64_t cyclic_sum(std::int64_t first, std::int64_t procs) {
  const std::int64_t cycles = procs / kModulus;
  const std::int64_t rest = procs % kModulus;
  const std::int64_t wrapped = std::max<std::int64_t>(first + rest - kModulus, 0);
  return cycles * (kModulus * (kModulus - 1) / 2) + rest * first + rest * (rest - 1) / 2 -
         wrapped * kModulus;
}

/// Irregular, so that a product of some ranks tells which: their sum's lowest two bits decide.
constexpr std::int64_t exponent(std::int64_t k) { return k * k % kModulus % 4; }

/// For every n up to 2 * kModulus: the sum of the exponents of all k below n.
constexpr auto kExponentsBelow = [] {
  std::array<std::int64_t, 2 * kModulus + 1> sums{};
  for (std::size_t n = 1; n < sums.size(); ++n) {
    sums[n] = sums[n - 1] + exponent(static_cast<std::int64_t>(n - 1) % kModulus);
  }
  return sums;
}();

std::int64_t cyclic_exponents(std::int64_t first, std::int64_t procs) {
  const auto begin = static_cast<std::size_t>(first);
  const auto rest = static_cast<std::size_t>(procs % kModulus);
  return procs / kModulus * kExponentsBelow[kModulus] + kExponentsBelow[begin + rest] -
         kExponentsBelow[begin];
}

/// The bits of `procs` consecutive ranks from bit `first` on, around the end: those that any rank
/// has, and those that an odd number of ranks has.
constexpr std::int64_t kAllBits = (1 << kBits) - 1;
std::int64_t run_of_bits(std::int64_t first, std::int64_t procs) {
  const std::int64_t run = ((1 << procs % kBits) - 1) << first;
  return (run | run >> kBits) & kAllBits;
}
std::int64_t any_bits(std::int64_t first, std::int64_t procs) {
  return procs < kBits ? run_of_bits(first, procs) : kAllBits;
}
std::int64_t odd_bits(std::int64_t first, std::int64_t procs) {
  return run_of_bits(first, procs) ^ (procs / kBits % 2 == 0 ? 0 : kAllBits);
}

/// Of the ranks with the largest k / 2 the first.
Term largest_half(std::int64_t first, std::int64_t last) {
  const std::int64_t k = std::min(last, kModulus - 1);
  return {.number = k / 2, .rank = static_cast<int>(std::max(first, k - k % 2) - first)};
}

/// Of the ranks with the smallest k / 2 the first: where k begins anew, unless it began there.
Term smallest_half(std::int64_t first, std::int64_t last) {
  if (first / 2 == 0 || last < kModulus) return {.number = first / 2};
  return {.number = 0, .rank = static_cast<int>(kModulus - first)};
}

}  // namespace

Term contribution(Op op, Rank rank, std::int64_t i) {
  const std::int64_t k = (rank.value + i) % kModulus;
  switch (op) {
    case Op::none:
    case Op::sum:
    case Op::max:
    case Op::min: return {.number = k, .rank = rank.value};
    case Op::prod: return {.number = exponent(k)};
    case Op::land:
    case Op::lor:
    case Op::lxor:
    case Op::band:
    case Op::bor:
    case Op::bxor: return {.number = run_of_bits((rank.value + i) % kBits, 1)};
    case Op::maxloc:
    case Op::minloc: return {.number = k / 2, .rank = rank.value};
  }
  throw Error("closed form: not an op");
}

Term combination(Op op, int procs, std::int64_t i) {
  const std::int64_t first = i % kModulus;
  const std::int64_t last = first + procs - 1;  // before it is taken modulo
  switch (op) {
    case Op::none: break;
    case Op::sum: return {.number = cyclic_sum(first, procs)};
    case Op::prod: return {.number = cyclic_exponents(first, procs)};
    case Op::max: return {.number = std::min(last, kModulus - 1)};
    case Op::min: return {.number = last >= kModulus ? 0 : first};
    case Op::land:
    case Op::lor:
    case Op::band:
    case Op::bor: return {.number = any_bits(i % kBits, procs)};
    case Op::lxor:
    case Op::bxor: return {.number = odd_bits(i % kBits, procs)};
    case Op::maxloc: return largest_half(first, last);
    case Op::minloc: return smallest_half(first, last);
  }
  throw Error("closed form: nothing is reduced");
}

Term spoiled(Op op, Term right) {
  switch (op) {
    case Op::land:
    case Op::lor:
    case Op::lxor:
    case Op::band:
    case Op::bor:
    case Op::bxor: return {.number = right.number ^ kAllBits};
    case Op::min:
    case Op::minloc: return {.number = right.number - 1, .rank = right.rank};
    default: return {.number = right.number + 1, .rank = right.rank};
  }
}

}  // namespace breakeven::executor
