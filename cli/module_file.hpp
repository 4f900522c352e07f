// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <span>

#include "tables/provenance.hpp"

namespace breakeven::cli {

/// Writes a module file in Tcl, which Environment Modules and Lmod read, into
/// modulefiles/breakeven-tables/ of a table's folder: the MPI library then loads the files of that
/// folder, wherever it has been moved. "openmpi-4.1.4" is its name there.
/// @param several_nodes  of the table
/// @return the file's path
/// @throws UsageError when the folder has no table that the machine's library loads
std::filesystem::path write_module_file(const std::filesystem::path& folder,
                                        const tables::Provenance& provenance, bool several_nodes);

}  // namespace breakeven::cli
