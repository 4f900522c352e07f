// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

namespace breakeven {

/// MPI_Get_library_version, whole.
[[nodiscard]] std::string library_version();

}  // namespace breakeven
