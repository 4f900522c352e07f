// SPDX-License-Identifier: BSD-3-Clause
#include "harness/worker/library_choice.hpp"

#include <algorithm>
#include <fstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/error.hpp"
#include "libraries/forced/mpich/library_memory.hpp"
#include "libraries/forced/mpich/variables.hpp"

namespace breakeven::worker {

namespace {

constexpr std::string_view kBeginning = R"({"collective=)";

/// The layer whose leaves a tree has; empty for an unknown one.
std::string_view layer_of(std::string_view json) {
  const auto has = [&](std::string_view text) { return json.find(text) != std::string_view::npos; };
  if (!json.ends_with("}}")) return "";  // the beginning itself, as this file has it
  if (has("\"composition=")) return "ch4";
  if (has("\"algorithm=MPIDI_POSIX_")) return "posix";
  return has("\"algorithm=MPIR_") ? "mpir" : "";
}

void collect(std::string_view bytes, std::vector<DefaultTree>& trees) {
  for (std::size_t at = bytes.find(kBeginning); at != std::string_view::npos;
       at = bytes.find(kBeginning, at + 1)) {
    const std::string_view json = bytes.substr(at, bytes.find('\0', at) - at);
    const std::string_view layer = layer_of(json);
    const bool new_one = std::ranges::find(trees, layer, &DefaultTree::name) == trees.end();
    if (!layer.empty() && new_one) trees.push_back({std::string{layer}, std::string{json}});
  }
}

/// The selection trees that the MPI library of this process has in itself: "mpir", "ch4" and
/// "posix" of MPICH; empty for a library that has none.
std::vector<DefaultTree> default_trees() {
  std::vector<DefaultTree> trees;
  for (const std::string_view part : forced::mpich::library_memory()) collect(part, trees);
  return trees;
}

}  // namespace

LibraryCapabilities library_capabilities() {
  LibraryCapabilities capabilities;
  for (const auto& collective : kCollectives.entries) {
    for (const CallForm form : {CallForm::blocking, CallForm::nonblocking}) {
      int value = 0;
      for (const std::string& name : forced::mpich::algorithm_choices(collective.value, form)) {
        if (!name.empty() && !name.ends_with(forced::mpich::kAuto)) {
          capabilities.of(form).push_back(
              {.collective = collective.value, .name = name, .value = value});
        }
        ++value;
      }
    }
    int value = 1;
    for (const std::string& name : forced::mpich::composition_choices(collective.value)) {
      capabilities.algorithms.push_back(
          {.collective = collective.value, .name = name, .value = value++});
    }
  }
  capabilities.default_trees = default_trees();
  return capabilities;
}

namespace {

/// Whether this process has a file in its memory.
/// @param file  without symbolic links
bool mapped(const std::string& file) {
  std::ifstream maps{"/proc/self/maps"};
  for (std::string line; std::getline(maps, line);) {
    if (line.ends_with(" " + file)) return true;
  }
  return false;
}

}  // namespace

/// MPICH loads its files in MPI_Init, or ends there; it never gives their memory back. It has no
/// look-up that could be asked, and what MPI_T tells of its variables that are texts is never their
/// value: the default alone.
/// @see MPIR_Csel_create_from_file in src/mpi/coll/src/csel.c and MPIR_T_CVAR_REGISTER_impl in
///      src/mpi_t/mpit.c at v4.0.2 and v4.2.1
protocol::ReadBack read_back(const protocol::ReadBackRequest& request) {
  return {.loaded = mapped(request.file), .answers = {}};
}

std::unique_ptr<executor::Communicator> duplicate_without_table(MPI_Comm /*comm*/) {
  throw UsageError(
      "MPICH reads a table when a job begins, for all of it: measure the default in another job");
}

}  // namespace breakeven::worker
