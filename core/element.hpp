// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <cstdlib>
#include <type_traits>

namespace breakeven {

/// A complex number as C and Fortran lay it out.
template <typename T>
struct Complex {
  T re{};
  T im{};
  friend bool operator==(const Complex&, const Complex&) = default;
};

/// An operand of minloc and maxloc: a value and its origin. There may be padding after either
/// member, so that two equal pairs may differ as bytes.
template <typename Value, typename Index>
struct Pair {
  Value value{};
  Index index{};
  friend bool operator==(const Pair&, const Pair&) = default;
};

/// The representation and arithmetic of a datatype's elements. Many datatypes share one.
enum class Element : std::uint8_t {
  i8,
  i16,
  i32,
  i64,
  u8,
  u16,
  u32,
  u64,
  f32,
  f64,
  long_double,
  complex_f32,
  complex_f64,
  complex_long_double,
  pair_i16_int,
  pair_i32_int,
  pair_i64_int,
  pair_f32_int,
  pair_f64_int,
  pair_long_double_int,
  pair_f32_f32,
  pair_f64_f64,
};

/// Calls `visit` with the std::type_identity of the C++ type that `element` stands for.
template <typename Visit>
constexpr auto with_element(Element element, Visit visit) {
  using std::type_identity;
  switch (element) {
    case Element::i8: return visit(type_identity<std::int8_t>{});
    case Element::i16: return visit(type_identity<std::int16_t>{});
    case Element::i32: return visit(type_identity<std::int32_t>{});
    case Element::i64: return visit(type_identity<std::int64_t>{});
    case Element::u8: return visit(type_identity<std::uint8_t>{});
    case Element::u16: return visit(type_identity<std::uint16_t>{});
    case Element::u32: return visit(type_identity<std::uint32_t>{});
    case Element::u64: return visit(type_identity<std::uint64_t>{});
    case Element::f32: return visit(type_identity<float>{});
    case Element::f64: return visit(type_identity<double>{});
    case Element::long_double: return visit(type_identity<long double>{});
    case Element::complex_f32: return visit(type_identity<Complex<float>>{});
    case Element::complex_f64: return visit(type_identity<Complex<double>>{});
    case Element::complex_long_double: return visit(type_identity<Complex<long double>>{});
    case Element::pair_i16_int: return visit(type_identity<Pair<std::int16_t, int>>{});
    case Element::pair_i32_int: return visit(type_identity<Pair<std::int32_t, int>>{});
    case Element::pair_i64_int: return visit(type_identity<Pair<std::int64_t, int>>{});
    case Element::pair_f32_int: return visit(type_identity<Pair<float, int>>{});
    case Element::pair_f64_int: return visit(type_identity<Pair<double, int>>{});
    case Element::pair_long_double_int: return visit(type_identity<Pair<long double, int>>{});
    case Element::pair_f32_f32: return visit(type_identity<Pair<float, float>>{});
    case Element::pair_f64_f64: return visit(type_identity<Pair<double, double>>{});
  }
  std::abort();  // no exception: files for one instruction set must not make one (reduce_loops.cpp)
}

/// The element that a C type is: of integers only size and sign matter. Does not compile for a type
/// that no element stands for.
template <typename T>
consteval Element element_of() {
  for (std::uint8_t i = 0;; ++i) {
    const auto candidate = static_cast<Element>(i);
    const bool same = with_element(candidate, []<typename Other>(std::type_identity<Other>) {
      if constexpr (std::is_integral_v<T> && std::is_integral_v<Other>) {
        return sizeof(T) == sizeof(Other) && std::is_signed_v<T> == std::is_signed_v<Other>;
      } else {
        return std::is_same_v<T, Other>;
      }
    });
    if (same) return candidate;
  }
}

}  // namespace breakeven
