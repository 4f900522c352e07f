// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "core/library_capabilities.hpp"

namespace breakeven::worker {

/// The selection trees that the MPI library of this process has in itself, as they lie in its
/// memory: "mpir", "ch4" and "posix" of MPICH; empty for a library that has none.
[[nodiscard]] std::vector<DefaultTree> default_trees();

}  // namespace breakeven::worker
