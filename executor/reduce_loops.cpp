// SPDX-License-Identifier: BSD-3-Clause
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "executor/reduce_kernel.hpp"

// Compiled once for each instruction set, with BREAKEVEN_ISA naming its namespace. The linker keeps
// one of several equal inline functions, whichever object it is from: one that was compiled here
// for AVX-512 could end up running on a CPU without it. So all is in the unnamed namespace, nothing
// of the standard library is called, and executor/no_weak_code.cmake checks the object files.

namespace breakeven::executor::BREAKEVEN_ISA {

namespace {

struct Sum {
  template <typename T>
  static T of(const T& a, const T& b) {
    return static_cast<T>(a + b);
  }
  template <typename T>
  static Complex<T> of(const Complex<T>& a, const Complex<T>& b) {
    return {a.re + b.re, a.im + b.im};
  }
};
struct Prod {
  template <typename T>
  static T of(const T& a, const T& b) {
    if constexpr (std::is_integral_v<T>) {
      return static_cast<T>(1U * a * b);  // 16-bit numbers would become int, which overflows
    } else {
      return a * b;
    }
  }
  template <typename T>
  static Complex<T> of(const Complex<T>& a, const Complex<T>& b) {
    return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
  }
};
struct Max {
  template <typename T>
  static T of(const T& a, const T& b) {
    return a < b ? b : a;
  }
};
struct Min {
  template <typename T>
  static T of(const T& a, const T& b) {
    return b < a ? b : a;
  }
};
// Without && and ||, whose jumps keep GCC 12 from vector instructions.
struct Land {
  template <typename T>
  static T of(const T& a, const T& b) {
    return static_cast<T>((a != 0) & (b != 0));
  }
};
struct Lor {
  template <typename T>
  static T of(const T& a, const T& b) {
    return static_cast<T>((a | b) != 0);
  }
};
struct Lxor {
  template <typename T>
  static T of(const T& a, const T& b) {
    return static_cast<T>((a != 0) != (b != 0));
  }
};
struct Band {
  template <typename T>
  static T of(const T& a, const T& b) {
    return static_cast<T>(a & b);
  }
};
struct Bor {
  template <typename T>
  static T of(const T& a, const T& b) {
    return static_cast<T>(a | b);
  }
};
struct Bxor {
  template <typename T>
  static T of(const T& a, const T& b) {
    return static_cast<T>(a ^ b);
  }
};
template <typename T>
T chosen(bool second, const T& a, const T& b) {
  return {second ? b.value : a.value, second ? b.index : a.index};
}
struct Maxloc {
  template <typename T>
  static T of(const T& a, const T& b) {
    return chosen((a.value < b.value) | ((a.value == b.value) & (b.index < a.index)), a, b);
  }
};
struct Minloc {
  template <typename T>
  static T of(const T& a, const T& b) {
    return chosen((b.value < a.value) | ((a.value == b.value) & (b.index < a.index)), a, b);
  }
};

template <typename T>
void store(T& place, const T& result) {
  place = result;
}
template <typename Value, typename Index>
void store(Pair<Value, Index>& place, const Pair<Value, Index>& result) {
  place.value = result.value;  // one by one, for what is between them is not ours
  place.index = result.index;
}

template <typename T, typename Operator>
void combine(const std::byte* a, const std::byte* b, std::byte* into, std::size_t count) {
  const T* left = reinterpret_cast<const T*>(a);
  const T* right = reinterpret_cast<const T*>(b);
  T* result = reinterpret_cast<T*>(into);
  // No element depends on another, in place neither: no test for overlap, one loop for all cases.
#ifdef __clang__
#pragma clang loop vectorize(assume_safety)
#else
#pragma GCC ivdep
#endif
  for (std::size_t i = 0; i < count; ++i) store(result[i], Operator::of(left[i], right[i]));
}

template <typename T>
ReduceKernel loop_on(Op op, std::type_identity<T>) {
  switch (op) {
    case Op::sum: return combine<T, Sum>;
    case Op::prod: return combine<T, Prod>;
    case Op::max: return combine<T, Max>;
    case Op::min: return combine<T, Min>;
    default: return nullptr;
  }
}
template <std::integral T>
ReduceKernel loop_on(Op op, std::type_identity<T>) {
  using Unsigned = std::make_unsigned_t<T>;  // for what does not care about the sign
  switch (op) {
    case Op::sum: return combine<Unsigned, Sum>;
    case Op::prod: return combine<Unsigned, Prod>;
    case Op::max: return combine<T, Max>;
    case Op::min: return combine<T, Min>;
    case Op::land: return combine<Unsigned, Land>;
    case Op::lor: return combine<Unsigned, Lor>;
    case Op::lxor: return combine<Unsigned, Lxor>;
    case Op::band: return combine<Unsigned, Band>;
    case Op::bor: return combine<Unsigned, Bor>;
    case Op::bxor: return combine<Unsigned, Bxor>;
    default: return nullptr;
  }
}
template <typename T>
ReduceKernel loop_on(Op op, std::type_identity<Complex<T>>) {
  switch (op) {
    case Op::sum: return combine<Complex<T>, Sum>;
    case Op::prod: return combine<Complex<T>, Prod>;
    default: return nullptr;
  }
}
template <typename Value, typename Index>
ReduceKernel loop_on(Op op, std::type_identity<Pair<Value, Index>>) {
  switch (op) {
    case Op::maxloc: return combine<Pair<Value, Index>, Maxloc>;
    case Op::minloc: return combine<Pair<Value, Index>, Minloc>;
    default: return nullptr;
  }
}

}  // namespace

ReduceKernel reduce_loop(Op op, Element element) {
  return with_element(element, [op](auto type) { return loop_on(op, type); });
}

}  // namespace breakeven::executor::BREAKEVEN_ISA
