// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

namespace breakeven::executor {

/// MPI_Get_library_version, whole.
[[nodiscard]] std::string library_version();

/// Its first line, single-spaced: what databases and tables know the library by.
[[nodiscard]] std::string library_version_line();

}  // namespace breakeven::executor
