// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <compare>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace breakeven::kernels {

/// An algorithm's parameters: "stages=a4,a6" or "n=2,segments=8".
///
/// A comma before another "key=" ends a value, any other comma belongs to it; a value that holds
/// "=" itself stands in parentheses, as in "inner=(recursive_multiplying:stages=a4,a6)".
class Params {
 public:
  struct Entry {
    std::string key;
    std::string value;
    friend auto operator<=>(const Entry&, const Entry&) = default;
  };

  /// @throws UsageError when a value has no key, a key no value, or a key comes twice.
  [[nodiscard]] static Params parse(std::string_view text);
  /// The one way to write them: in key order, as `parse` reads them.
  [[nodiscard]] std::string text() const;

  [[nodiscard]] bool empty() const { return entries_.empty(); }
  [[nodiscard]] std::span<const Entry> entries() const { return entries_; }
  /// The value, without its parentheses.
  [[nodiscard]] std::optional<std::string_view> find(std::string_view key) const;
  /// @throws UsageError when the value is no whole number of at least `least`.
  [[nodiscard]] std::optional<int> find_number(std::string_view key, int least) const;
  /// Takes an entry out and returns its value.
  std::optional<std::string> take(std::string_view key);

  friend auto operator<=>(const Params&, const Params&) = default;

 private:
  std::vector<Entry> entries_;  // in key order
};

/// The whole number that `text` is.
/// @throws UsageError naming `what` when it is none, or less than `least`.
[[nodiscard]] int parse_number(std::string_view text, std::string_view what, int least);

/// The pieces between commas outside parentheses; none of an empty text.
[[nodiscard]] std::vector<std::string_view> split_list(std::string_view text);

}  // namespace breakeven::kernels
