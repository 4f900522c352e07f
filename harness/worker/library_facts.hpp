// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "harness/protocol/facts.hpp"

namespace breakeven {

/// What the MPI library says of itself, its control variables included.
[[nodiscard]] LibraryFacts library_facts();

}  // namespace breakeven
