// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string_view>

namespace breakeven::worker {

/// Where dlsym finds what a component of Open MPI exports: in a file of its own, which was opened
/// with local symbols, so that it has to be named; or in the MPI library, whose symbols are
/// everybody's. @param name  "mca_coll_tuned"
[[nodiscard]] void* component_object(std::string_view name);

}  // namespace breakeven::worker
