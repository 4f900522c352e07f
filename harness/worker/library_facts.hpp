// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>

#include "harness/doctor/facts.hpp"

namespace breakeven {

/// MPI_Get_library_version, whole.
[[nodiscard]] std::string library_version();

/// The value of one of its control variables as text; nothing where it has none of that name.
[[nodiscard]] std::optional<std::string> control_variable(const std::string& name);

/// What the MPI library says of itself, its control variables included.
[[nodiscard]] LibraryFacts library_facts();

}  // namespace breakeven
