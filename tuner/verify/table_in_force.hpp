// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "tables/formats/emitter.hpp"
#include "tables/provenance.hpp"

namespace breakeven::verify {

/// A format whose files an MPI library loads when a job starts.
struct Loading {
  std::string_view format;
  std::string_view variable;    ///< that names the file; empty: the file's own lines are variables
  std::string_view also = "";   ///< what has to be set besides: "NAME=value"
  bool answers = false;         ///< the library can be asked what it would run
  std::string_view tells = "";  ///< what has the library say what it has read: "NAME=value"
};

/// Null for a format that no library loads, or that nobody here knows how to have loaded.
[[nodiscard]] const Loading* find_loading(std::string_view format);

/// "NAME=value", which has the library load a file of the format.
/// @param text  of the file
[[nodiscard]] std::vector<std::string> environment_of(const Loading& loading,
                                                      const std::filesystem::path& file,
                                                      std::string_view text);

/// A table as an application would have it: files that the MPI library loads.
struct TableInForce {
  std::vector<const formats::Emitter*> files{};  ///< the formats of those in the folder
  std::vector<std::string> environment{};        ///< "NAME=value", which puts them in force
  /// Whether the default can be measured in the same job: there the table holds for communicators,
  /// not for all of the job.
  bool beside_default = false;
};

/// Whether a folder has a table that the library loads: one that decides by mapping has none,
/// because no library can tell mappings apart.
/// @param library  "mpich" or "openmpi"
[[nodiscard]] bool has_table(const std::filesystem::path& folder, std::string_view library);

/// The files of a folder that a library of this name and version loads.
/// @param several_nodes  of the jobs
/// @throws UsageError when the folder has none of them, or when one has faults: FILE:LINE: reason.
[[nodiscard]] TableInForce find_table(const std::filesystem::path& folder, std::string_view library,
                                      std::string_view version, bool several_nodes);

/// Writes a module file in Tcl, which Environment Modules and Lmod read, into
/// modulefiles/breakeven-tables/ of a table's folder: the MPI library then loads the files of that
/// folder, wherever it has been moved. Its name there is "openmpi-4.1.4".
/// @param several_nodes  of the table
/// @return the file's path
/// @throws UsageError when the folder has no table that the machine's library loads
std::filesystem::path write_module_file(const std::filesystem::path& folder,
                                        const tables::Provenance& provenance, bool several_nodes);

}  // namespace breakeven::verify
