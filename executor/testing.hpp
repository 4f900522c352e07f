// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <type_traits>

#include "core/element.hpp"
#include "core/op.hpp"
#include "executor/bound_schedule.hpp"

namespace breakeven::executor::testing {

inline kernels::Location in(int block) { return kernels::input(block); }
inline kernels::Location out(int block) { return kernels::output(block); }
inline kernels::Location aside(int slot) { return kernels::scratch(slot); }

/// With rank 1.
inline BoundMessage message(kernels::Location at, int count) {
  return {1, at.buffer, {{at.block, count}}};
}

/// a op b by definition, one element at a time: what every kernel and closed form must agree with.
/// @throws std::logic_error where the operation has no meaning on the type.
template <typename T>
struct Reference {
  static T of(Op op, T a, T b) {
    switch (op) {
      case Op::max: return std::max(a, b);
      case Op::min: return std::min(a, b);
      default: break;
    }
    if constexpr (std::is_integral_v<T>) {
      return of_integers(op, a, b);
    } else {
      if (op == Op::sum) return a + b;
      if (op == Op::prod) return a * b;
      throw std::logic_error("reference: no such operation on real numbers");
    }
  }

 private:
  static T of_integers(Op op, T a, T b) {
    // Modulo 2^64 first: what is left of it in a narrower type is the same as modulo its range.
    const auto x = static_cast<std::uint64_t>(a);
    const auto y = static_cast<std::uint64_t>(b);
    switch (op) {
      case Op::sum: return static_cast<T>(x + y);
      case Op::prod: return static_cast<T>(x * y);
      case Op::land: return a != 0 && b != 0 ? 1 : 0;
      case Op::lor: return a != 0 || b != 0 ? 1 : 0;
      case Op::lxor: return (a == 0) == (b == 0) ? 0 : 1;
      case Op::band: return static_cast<T>(x & y);
      case Op::bor: return static_cast<T>(x | y);
      case Op::bxor: return static_cast<T>(x ^ y);
      default: throw std::logic_error("reference: no such operation on integers");
    }
  }
};

template <typename T>
struct Reference<Complex<T>> {
  static Complex<T> of(Op op, Complex<T> a, Complex<T> b) {
    if (op == Op::sum) return {a.re + b.re, a.im + b.im};
    if (op == Op::prod) return {a.re * b.re - a.im * b.im, a.im * b.re + a.re * b.im};
    throw std::logic_error("reference: no such operation on complex numbers");
  }
};

template <typename Value, typename Index>
struct Reference<Pair<Value, Index>> {
  using T = Pair<Value, Index>;
  static T of(Op op, T a, T b) {
    if (a.value == b.value) return {a.value, std::min(a.index, b.index)};
    if (op == Op::maxloc) return a.value > b.value ? a : b;
    if (op == Op::minloc) return a.value < b.value ? a : b;
    throw std::logic_error("reference: no such operation on pairs");
  }
};

/// An operand for tests, different for each seed: integers of all sizes, signs and often 0; real
/// numbers whose sums and products are exact; pairs with few different values, so that many tie.
template <typename T>
struct Operand {
  static T of(std::uint64_t seed) {
    const std::uint64_t noise = (seed + 1) * 0x9E3779B97F4A7C15U;
    if constexpr (std::is_integral_v<T>) {
      return static_cast<T>(noise % 5 == 0 ? 0 : noise >> 7);
    } else {
      return static_cast<T>(static_cast<std::int64_t>(noise >> 40) % 2001 - 1000) / 8;
    }
  }
};
template <typename T>
struct Operand<Complex<T>> {
  static Complex<T> of(std::uint64_t seed) {
    return {Operand<T>::of(seed), Operand<T>::of(seed + 1000)};
  }
};
template <typename Value, typename Index>
struct Operand<Pair<Value, Index>> {
  static Pair<Value, Index> of(std::uint64_t seed) {
    const auto noise = static_cast<std::int64_t>((seed + 1) * 0x9E3779B97F4A7C15U >> 40);
    return {static_cast<Value>(noise % 5 - 2), static_cast<Index>(noise % 1999 - 999)};
  }
};

}  // namespace breakeven::executor::testing
