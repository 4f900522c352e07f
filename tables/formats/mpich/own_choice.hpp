// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <map>
#include <optional>
#include <string>

#include "core/case.hpp"
#include "core/launch.hpp"
#include "core/library_capabilities.hpp"
#include "tables/formats/mpich/names.hpp"
#include "tables/formats/mpich/search.hpp"
#include "tables/formats/mpich/selection_tree.hpp"

namespace breakeven::formats::mpich {

/// The choice of MPICH itself, derived from its variables and its trees: those that are built into
/// it, or those of the files that are in force.
class OwnChoice {
 public:
  /// Of other libraries and versions no choice is known, nor where other variables of MPICH are set
  /// than those that choose an algorithm.
  OwnChoice(const Machine& machine, const LibraryCapabilities& capabilities);

  /// The algorithm, or the composition of several calls on parts of the communicator, that native
  /// is for a problem with separate buffers and an operation of MPI's own.
  /// @return nothing where it is not known: see the constructor; of calls that are not blocking
  [[nodiscard]] std::optional<LibraryOwn> choose(const Case& problem) const;

 private:
  /// Of the collective's variable with this end; empty: it is not set.
  [[nodiscard]] std::string_view value_of(Collective collective, std::string_view end) const;
  [[nodiscard]] bool device_is_off(Collective collective) const;
  /// The algorithm that a variable chooses, where it runs.
  [[nodiscard]] std::optional<LibraryOwn> forced(const Case& problem) const;
  /// The device's own form; nothing where it is the flat one.
  [[nodiscard]] std::optional<LibraryOwn> composition(const Case& problem, const Call& call) const;

  std::optional<Series> series_{};
  bool shares_memory_ = true;
  std::map<std::string, std::string, std::less<>> variables_{};
  Chain device_{};
  Chain mpir_{};
};

}  // namespace breakeven::formats::mpich
