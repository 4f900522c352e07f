// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "tables/formats/mpich/selection_tree.hpp"

namespace breakeven::formats::mpich {

/// A communicator's place: MPICH makes two others of one that is a parent.
enum class Hierarchy {
  flat,        ///< alone, or each process alone on its node
  parent,      ///< several processes on some node
  node,        ///< those of one node, within a parent
  node_roots,  ///< one of each node, within a parent
};

/// "node_roots", as "comm_hierarchy=" asks for it.
[[nodiscard]] std::string_view name_of(Hierarchy hierarchy);

/// Inclusive.
struct Limits {
  std::int64_t least = 0;
  std::int64_t most = INT64_MAX;
};

/// The properties of every call that reaches a place in a tree, by the questions on the way.
class Known {
 public:
  /// The answer of all these calls; nothing where it isn't the same.
  /// @param at_call  whether it or a question before it is about the call: there "comm_size<8" lets
  ///                 8 pass as well
  [[nodiscard]] std::optional<bool> answer(const Question& asked, bool at_call) const;
  /// Takes an answer in.
  void add(const Question& asked, bool holds, bool at_call);

  /// Whether an equality, "is_commutative=yes", or "count<pow2" holds for all of them.
  [[nodiscard]] bool holds(std::string_view key) const;
  /// Whether it holds for none.
  [[nodiscard]] bool fails(std::string_view key) const;
  /// Of "comm_size", "total_msg_size", ...
  [[nodiscard]] Limits of(std::string_view number) const;

 private:
  std::map<std::string, Limits, std::less<>> limits_{};
  std::set<std::string, std::less<>> held_{};
  std::set<std::string, std::less<>> failed_{};
};

}  // namespace breakeven::formats::mpich
