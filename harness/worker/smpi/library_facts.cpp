// SPDX-License-Identifier: BSD-3-Clause
#include "harness/worker/library_facts.hpp"

#include "harness/worker/library_version.hpp"

namespace breakeven {

/// SMPI has no tools interface, and so no variables to read.
LibraryFacts library_facts() { return {.version = library_version(), .thread_level = "single"}; }

}  // namespace breakeven
