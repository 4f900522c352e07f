// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/units.hpp"
#include "tables/formats/common/emitted.hpp"

namespace breakeven::formats::mpich {

/// Of MPICH, each with a tree of its own.
enum class Layer {
  mpir,  ///< "algorithm=" leaves; a collective that is missing ends the program
  ch4,   ///< "composition=" leaves; one that is missing takes the flat way
};

struct Node;
/// Nodes of which the first whose key holds is taken: an if / else-if chain, in the file's order.
using Chain = std::vector<Node>;

/// A selection tree of MPICH: JSON objects alone, whose keys are questions ("comm_size<=4"), and at
/// the leaves answers ("algorithm=MPIR_Bcast_intra_binomial") with their parameters below them.
struct Node {
  std::string key{};  ///< without blanks, which the library strips
  Chain below{};
  int line = 0;  ///< of the text that it was read from, 1-based

  [[nodiscard]] bool leaf() const;
  /// Lines don't count.
  friend bool operator==(const Node& one, const Node& other) {
    return one.key == other.key && one.below == other.below;
  }
};

struct ParsedTree {
  Chain chain{};  ///< of the outermost object
  std::optional<ReadTable::Fault> fault{};
};

/// Comments as in C are passed over, and a comma behind a last value, as json-c does. Stricter than
/// json-c: what follows the tree, escapes, values below leaves other than null and objects, and a
/// key twice in one object, of which the library would keep the last, are faults.
[[nodiscard]] ParsedTree parse_tree(std::string_view text);

/// Indented JSON without a last line's end; what fits stands on one line.
[[nodiscard]] std::string to_text(const Chain& chain);

/// A node for emission.
[[nodiscard]] Node node(std::string key, Chain below = {});

/// A key that is no leaf: "comm_size", "<=", "4".
struct Question {
  std::string_view of;    ///< empty of a bare "any"
  std::string_view sign;  ///< "=", "<=", "<", or empty
  std::string_view value;

  /// The number of a limit; nothing of other values.
  [[nodiscard]] std::optional<std::int64_t> limit() const { return number_in<std::int64_t>(value); }
};

[[nodiscard]] constexpr Question question_in(std::string_view key) {
  if (key == "any") return {"", "=", key};
  const std::size_t at = std::min(key.find_first_of("<="), key.size());
  const std::size_t length = key.substr(at).starts_with("<=") ? 2 : at < key.size() ? 1 : 0;
  const Question asked{key.substr(0, at), key.substr(at, length), key.substr(at + length)};
  const bool limit =
      asked.sign.starts_with('<') &&
      (asked.of.starts_with("comm_") || asked.of.ends_with("_msg_size") || asked.of == "count");
  // From 4.2 on the end alone counts.
  constexpr std::string_view kAny = "=any";
  if (limit || !key.ends_with(kAny)) return asked;
  return {key.substr(0, key.size() - kAny.size()), "=", kAny.substr(1)};
}

/// Whether the communicator alone answers it, once for all calls.
[[nodiscard]] constexpr bool of_communicator(const Question& asked) {
  return asked.of.starts_with("comm_") || asked.of == "is_node_consecutive";
}

/// Has a tree ask for one place where it asks for any but a parent: MPICH 5.0 answers alike for all
/// of them.
void merge_places(Chain& chain);

}  // namespace breakeven::formats::mpich
