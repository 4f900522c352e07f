// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <compare>
#include <string>
#include <string_view>
#include <tuple>
#include <variant>

#include "core/fields.hpp"

namespace breakeven {

/// The text of `Native`.
inline constexpr std::string_view kNative = "native";

/// The MPI library's default.
struct Native {};

/// The MPI library's default in a job whose environment applies a table.
struct Tuned {};

/// An algorithm of this project, or a pattern that models are fitted to.
struct Ours {
  std::string name{};    ///< as the catalogue has it
  std::string params{};  ///< "key=value,key=value" in key order; empty without parameters
};

/// An algorithm of an MPI library: "openmpi:chain:fanout=2".
struct LibraryOwn {
  std::string library{};
  std::string name{};
  std::string params{};  ///< as those of `Ours`
};

/// A mock-up: the library's calls that do the work of another call.
struct Composed {
  std::string terms{};  ///< "reduce+bcast" of "native:reduce+bcast"
};

/// A visitor of functions, one for each kind.
template <typename... Each>
struct Overloaded : Each... {
  using Each::operator()...;
};

/// The performer of a collective. Empty in a `Case` that is only a problem.
///
/// Only the functions of this file read and write its text. Variants are ordered as their texts.
struct Variant : std::variant<std::monostate, Native, Tuned, Ours, LibraryOwn, Composed> {
  using variant::variant;

  /// Of the two texts that databases, tables and JSON have: "openmpi:chain" and "fanout=2".
  /// @throws UsageError when native or a mock-up has parameters.
  [[nodiscard]] static Variant of(std::string_view algorithm, std::string_view params = {});
  /// Of one text: "openmpi:chain:fanout=2", as to_text() writes it.
  /// @throws UsageError as of() does.
  [[nodiscard]] static Variant parse(std::string_view text);

  /// "native", "ring", "openmpi:chain", "native:reduce+bcast"; empty of an empty variant.
  [[nodiscard]] std::string algorithm() const;
  [[nodiscard]] std::string_view params() const { return std::get<2>(texts()); }
  /// The same algorithm with other parameters.
  [[nodiscard]] Variant with_params(std::string_view params) const {
    return of(algorithm(), params);
  }

  template <typename Kind>
  [[nodiscard]] bool is() const {
    return std::holds_alternative<Kind>(*this);
  }
  /// Null where it is of another kind.
  [[nodiscard]] const Ours* ours() const { return std::get_if<Ours>(this); }
  [[nodiscard]] const LibraryOwn* library() const { return std::get_if<LibraryOwn>(this); }
  [[nodiscard]] const Composed* mock_up() const { return std::get_if<Composed>(this); }

  friend std::strong_ordering operator<=>(const Variant& a, const Variant& b) {
    return a.texts() <=> b.texts();
  }
  friend bool operator==(const Variant& a, const Variant& b) { return a.texts() == b.texts(); }

 private:
  /// The parts of the text: `algorithm` before and behind its first colon, and the parameters.
  using Texts = std::tuple<std::string_view, std::string_view, std::string_view>;
  [[nodiscard]] Texts texts() const;
};

/// "ring:reorder_ranks=seq": algorithm and parameters.
[[nodiscard]] std::string to_text(const Variant& variant);

/// A variant leaves the program as two fields, in this order.
template <auto... Path>
struct AlgorithmField : Field<Path...> {
  constexpr AlgorithmField() : Field<Path...>{.name = "algorithm"} {}
  static std::string get(const auto& object) { return Field<Path...>::get(object).algorithm(); }
  static void set(auto& object, const std::string& text) {
    Field<Path...>::set(object, Variant::of(text));
  }
};
template <auto... Path>
struct ParamsField : Field<Path...> {
  constexpr ParamsField() : Field<Path...>{.name = "params"} {}
  static std::string get(const auto& object) {
    return std::string{Field<Path...>::get(object).params()};
  }
  static void set(auto& object, const std::string& text) {
    Field<Path...>::set(object, Field<Path...>::get(object).with_params(text));
  }
};

}  // namespace breakeven
