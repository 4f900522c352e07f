// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/units.hpp"

namespace breakeven {

namespace detail {

/// "procs" of &Case::procs, as the compiler spells it.
template <auto Member>
consteval std::string_view spelling() {
  constexpr std::string_view kWhole = __PRETTY_FUNCTION__;
  constexpr std::size_t kBegin = kWhole.find("Member = ");
  constexpr std::string_view kPath =
      kWhole.substr(kBegin, kWhole.find_first_of(";]", kBegin) - kBegin);
  constexpr std::string_view kName = kPath.substr(kPath.rfind("::") + 2);
  return kName.substr(0, kName.find(')'));
}

template <typename T>
inline constexpr std::string_view kUnit = "";
template <>
inline constexpr std::string_view kUnit<Seconds> = "_s";
template <>
inline constexpr std::string_view kUnit<Bytes> = "_bytes";
template <typename T>
inline constexpr std::string_view kUnit<std::optional<T>> = kUnit<T>;
template <typename T>
inline constexpr std::string_view kUnit<std::vector<T>> = kUnit<T>;

/// The last member's name, with the unit of its type.
template <auto... Path>
inline constexpr auto kName = [] {
  constexpr auto kMember = std::get<sizeof...(Path) - 1>(std::tuple{Path...});
  constexpr std::string_view kText = spelling<kMember>();
  constexpr std::string_view kSuffix = []<typename Object, typename Value>(Value Object::*) {
    return kUnit<Value>;
  }(kMember);
  std::array<char, kText.size() + kSuffix.size()> name{};
  std::ranges::copy(kSuffix, std::ranges::copy(kText, name.begin()).out);
  return name;
}();

}  // namespace detail

/// A member of a type as it leaves the program; `Path` leads to it through members of members.
template <auto... Path>
struct Field {
  std::string_view name{detail::kName<Path...>.data(), detail::kName<Path...>.size()};
  double least = std::numeric_limits<double>::lowest();  ///< of a number that is read
  double most = std::numeric_limits<double>::max();

  static constexpr const auto& get(const auto& object) { return (object.*....*Path); }
  static constexpr void set(auto& object, auto&& value) {
    (object.*....*Path) = std::forward<decltype(value)>(value);
  }
};

/// Members under their own names, with the units of their types: "min_time_s".
template <auto... Members>
inline constexpr auto kPlainFields = std::tuple{Field<Members>{}...};

/// A type that leaves the program lists its fields once for all formats, in the order in which they
/// are written: `constexpr auto fields(std::type_identity<Case>)` next to it returns their tuple.
template <typename T>
concept HasFields = requires { fields(std::type_identity<T>{}); };

constexpr void for_each_field(const auto& fields, auto&& visit) {
  std::apply([&](const auto&... field) { (visit(field), ...); }, fields);
}

/// The type of a field's value.
template <typename T, typename FieldOfT>
using ValueOf = std::decay_t<decltype(FieldOfT::get(std::declval<const T&>()))>;

}  // namespace breakeven
