// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <string_view>

namespace breakeven::formats::mpich {

/// A key that is no leaf: "comm_size", "<=", "4".
struct Question {
  std::string_view of;    ///< empty of a bare "any"
  std::string_view sign;  ///< "=", "<=", "<", or empty
  std::string_view value;
};

[[nodiscard]] constexpr Question question_in(std::string_view key) {
  if (key == "any") return {"", "=", key};
  const std::size_t at = std::min(key.find_first_of("<="), key.size());
  const std::size_t length = key.substr(at).starts_with("<=") ? 2 : at < key.size() ? 1 : 0;
  return {key.substr(0, at), key.substr(at, length), key.substr(at + length)};
}

/// Whether the communicator alone answers it, once for all calls.
[[nodiscard]] constexpr bool of_communicator(const Question& asked) {
  return asked.of.starts_with("comm_") || asked.of == "is_node_consecutive";
}

}  // namespace breakeven::formats::mpich
