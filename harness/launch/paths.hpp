// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace breakeven::launch {

/// The places of this program's parts. An installation finds them from the program's own place, so
/// that it may be moved; a build has them in the program's folder and in the source tree.
/// @return the folder of workers, their preload libraries and SMPI's helper
[[nodiscard]] std::filesystem::path workers_folder();
/// @return the folder of the libraries that are preloaded into programs
[[nodiscard]] std::filesystem::path libraries_folder();
/// @return the folder of Python scripts
[[nodiscard]] std::filesystem::path scripts_folder();
/// @return the folder of the sources that `breakeven worker build` compiles; it need not exist
[[nodiscard]] std::filesystem::path sources_folder();

/// The variables that preload a library, as "NAME=value". LD_PRELOAD ends names at blanks, so a
/// path with one is found by LD_LIBRARY_PATH, before the user's own entries.
[[nodiscard]] std::vector<std::string> preload(const std::filesystem::path& library);

}  // namespace breakeven::launch
