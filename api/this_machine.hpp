// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/launch.hpp"

namespace breakeven::api {

/// @param of_table  what a table was measured on
/// @throws UsageError naming both where that is another MPI library, version or processor.
void require_this_machine(const Machine& of_table);

}  // namespace breakeven::api
