// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "core/collective.hpp"

namespace breakeven {

/// An algorithm that an MPI library lists at run time.
struct ListedAlgorithm {
  Collective collective = Collective::allreduce;
  std::string name{};
  int value = 0;  ///< of the control variable that forces it
  friend bool operator==(const ListedAlgorithm&, const ListedAlgorithm&) = default;
};

/// A selection tree that is built into MPICH, the source of its default decisions.
struct DefaultTree {
  std::string name{};  ///< which layer's: "mpir", "ch4", "posix"
  std::string json{};
  friend bool operator==(const DefaultTree&, const DefaultTree&) = default;
};

/// What a machine's library says of its collectives; kept with the measurements, so that a table is
/// written for that very library, wherever it is written.
struct LibraryCapabilities {
  std::vector<ListedAlgorithm> algorithms{};
  std::vector<DefaultTree> default_trees{};
  std::string note{};  ///< why some of them can't be chosen as things are; not kept
  friend bool operator==(const LibraryCapabilities&, const LibraryCapabilities&) = default;
};

}  // namespace breakeven
