// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "core/element.hpp"
#include "core/op.hpp"
#include "core/units.hpp"

namespace breakeven::executor {

/// Inputs whose result is known in closed form and exact in every datatype.
///
/// All is computed on integers, k = (rank + i) mod 127 first of all, and only then made an element
/// of the datatype by a map that the operation commutes with: the element of the sum of the
/// integers is the sum of their elements. So one closed form serves all datatypes.
///
///  * sum, nothing: k; as a complex number k - 2k i. Sums are exact in float up to 66,000 ranks,
///    integers wrap
///  * prod: an exponent; the element is that power of -1, or of i where it is complex
///  * max, min: k, moved to where a comparison with the wrong sign shows
///  * bor, bxor: bit (rank + i) mod 8; band: all bits but that
///  * lor, lxor, land: the lowest bit of these
///  * maxloc, minloc: k / 2, so that there are ties, and the rank

/// The integers from which an element of an input or a result is made.
struct Term {
  std::int64_t number = 0;
  int rank = 0;  ///< that contributed it, of pairs only
};

/// Of element `i` of rank `rank`'s input.
[[nodiscard]] Term contribution(Op op, Rank rank, std::int64_t i);

/// Of contribution(op, 0, i) op ... op contribution(op, procs - 1, i), in constant time.
/// @throws Error where nothing is reduced.
[[nodiscard]] Term combination(Op op, int procs, std::int64_t i);

/// Of an element that is not that of `right`, and with max and min is the one that would be taken.
[[nodiscard]] Term spoiled(Op op, Term right);

/// The middle of the values of max, min, maxloc and minloc: 0 where there are negative numbers,
/// else the first number that would be negative if it were signed.
template <typename T>
[[nodiscard]] constexpr T middle() {
  if constexpr (std::is_unsigned_v<T>) {
    return static_cast<T>(std::numeric_limits<T>::max() / 2 + 1);
  } else {
    return 0;
  }
}

/// The element of a term.
template <typename T>
struct ElementOf {
  static T make(Op op, Term term) {
    switch (op) {
      case Op::prod: return static_cast<T>(term.number % 2 == 0 ? 1 : -1);
      case Op::band: return static_cast<T>(~term.number);
      case Op::land: return static_cast<T>(~term.number & 1);
      case Op::lor:
      case Op::lxor: return static_cast<T>(term.number & 1);
      case Op::max:
      case Op::min:
      case Op::maxloc:
      case Op::minloc: return static_cast<T>(middle<T>() + static_cast<T>(term.number - 63));
      default: return static_cast<T>(term.number);
    }
  }
};
template <typename T>
struct ElementOf<Complex<T>> {
  static Complex<T> make(Op op, Term term) {
    if (op != Op::prod) {
      return {static_cast<T>(term.number), static_cast<T>(-2 * term.number)};
    }
    constexpr std::array<T, 4> kRealParts{1, 0, -1, 0};  // of the powers of i
    const auto power = static_cast<std::size_t>(term.number % 4);
    return {kRealParts[power], kRealParts[(power + 3) % 4]};
  }
};
template <typename Value, typename Index>
struct ElementOf<Pair<Value, Index>> {
  static Pair<Value, Index> make(Op op, Term term) {
    return {ElementOf<Value>::make(op, term), static_cast<Index>(term.rank)};
  }
};

}  // namespace breakeven::executor
