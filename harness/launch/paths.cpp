// SPDX-License-Identifier: BSD-3-Clause
#include "harness/launch/paths.hpp"

#include <cstdlib>

#include "core/files.hpp"
#include "harness/launch/install_paths.hpp"

namespace breakeven::launch {

namespace {

namespace fs = std::filesystem;

/// The value of a variable that is a list, with a new first entry.
std::string before(const char* variable, const std::string& entry) {
  const char* const others = std::getenv(variable);
  return others == nullptr || *others == '\0' ? entry : entry + ':' + others;
}

/// @param otherwise  the folder of a build
fs::path installed(std::string_view folder, const fs::path& otherwise) {
  const fs::path found = (programs_folder() / folder).lexically_normal();
  return fs::exists(found) ? found : otherwise;
}

}  // namespace

fs::path workers_folder() { return installed(kInstalledWorkers, programs_folder()); }

// The folder of libraries may exist for others: that of workers is ours alone.
fs::path libraries_folder() {
  const fs::path programs = programs_folder();
  if (workers_folder() == programs) return programs;
  return (programs / kInstalledLibraries).lexically_normal();
}

fs::path scripts_folder() { return installed(kInstalledData, kSource) / "scripts"; }

fs::path sources_folder() {
  const fs::path data = installed(kInstalledData, {});
  return data.empty() ? fs::path{kSource} : data / "src";
}

std::vector<std::string> preload(const fs::path& library) {
  if (library.native().find(' ') == std::string::npos) {
    return {"LD_PRELOAD=" + before("LD_PRELOAD", library.native())};
  }
  return {"LD_PRELOAD=" + before("LD_PRELOAD", library.filename().native()),
          "LD_LIBRARY_PATH=" + before("LD_LIBRARY_PATH", library.parent_path().native())};
}

}  // namespace breakeven::launch
