// SPDX-License-Identifier: BSD-3-Clause
#include "harness/worker/library_choice.hpp"

#include <fstream>
#include <string>

#include "core/error.hpp"
#include "libraries/forced/mpich/library_memory.hpp"
#include "libraries/forced/mpich/variables.hpp"

namespace breakeven::worker {

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
  capabilities.default_trees = forced::mpich::default_trees();
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
