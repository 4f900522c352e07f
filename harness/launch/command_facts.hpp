// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace breakeven::launch {

/// What can be told of a user's command before it starts. What a script or another program starts
/// in turn can't be told, and is not here.
struct CommandFacts {
  std::string missing{};   ///< why its program can't be run on this node; empty: it can, or the
                           ///< word that names it is not known
  std::string launcher{};  ///< its word for mpiexec, of a library that is known; empty: none
  std::string launches{};  ///< whose programs that starts: "mpich", "openmpi"
  /// The first MPI program among its words, of each part between colons, and the library to which
  /// it is linked: directly, or by other libraries.
  std::vector<std::pair<std::string, std::string>> programs{};
};

/// Asks ldd and the launcher's --version.
[[nodiscard]] CommandFacts facts_of(const std::vector<std::string>& command);

}  // namespace breakeven::launch
