// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "core/collective.hpp"
#include "core/fields.hpp"

namespace breakeven {

/// An algorithm that an MPI library lists at run time.
struct ListedAlgorithm {
  Collective collective = Collective::allreduce;
  std::string name{};
  int value = 0;  ///< of the control variable that forces it
  friend bool operator==(const ListedAlgorithm&, const ListedAlgorithm&) = default;
};

constexpr auto fields(std::type_identity<ListedAlgorithm>) {
  return kPlainFields<&ListedAlgorithm::collective, &ListedAlgorithm::name,
                      &ListedAlgorithm::value>;
}

/// A selection tree that is built into MPICH, the source of its default decisions.
struct DefaultTree {
  std::string name{};  ///< which layer's: "mpir", "ch4", "posix"
  std::string json{};
  friend bool operator==(const DefaultTree&, const DefaultTree&) = default;
};

constexpr auto fields(std::type_identity<DefaultTree>) {
  return kPlainFields<&DefaultTree::name, &DefaultTree::json>;
}

/// The collective algorithms and decisions that a machine's library reports; kept with the
/// measurements, so that a table is written for that very library, wherever it is written.
struct LibraryCapabilities {
  std::vector<ListedAlgorithm> algorithms{};   ///< of blocking collectives
  std::vector<ListedAlgorithm> nonblocking{};  ///< and of persistent ones
  std::vector<DefaultTree> default_trees{};
  bool shares_memory = true;  ///< between ranks of one node; else each process is a node to it
  std::string note{};         ///< why some of them can't be chosen at present; not kept
  friend bool operator==(const LibraryCapabilities&, const LibraryCapabilities&) = default;

  /// The JSON of a layer's tree; empty where it is not known.
  [[nodiscard]] std::string_view tree_of(std::string_view layer) const {
    const auto found = std::ranges::find(default_trees, layer, &DefaultTree::name);
    return found == default_trees.end() ? std::string_view{} : found->json;
  }
  [[nodiscard]] std::vector<ListedAlgorithm>& of(CallForm form) {
    return form == CallForm::blocking ? algorithms : nonblocking;
  }
  [[nodiscard]] const std::vector<ListedAlgorithm>& of(CallForm form) const {
    return form == CallForm::blocking ? algorithms : nonblocking;
  }
};
constexpr auto fields(std::type_identity<LibraryCapabilities>) {
  return kPlainFields<&LibraryCapabilities::algorithms, &LibraryCapabilities::nonblocking,
                      &LibraryCapabilities::default_trees, &LibraryCapabilities::shares_memory,
                      &LibraryCapabilities::note>;
}

}  // namespace breakeven
