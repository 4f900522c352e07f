// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "harness/protocol/facts.hpp"

namespace breakeven {

/// MPI_Get_library_version, whole.
[[nodiscard]] std::string library_version();

/// What the MPI library says of itself, its control variables included.
[[nodiscard]] LibraryFacts library_facts();

}  // namespace breakeven
