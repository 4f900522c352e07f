// SPDX-License-Identifier: BSD-3-Clause
#include "harness/worker/read_back.hpp"

#include <fstream>
#include <string>

namespace breakeven {

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
ReadBack read_back(const ReadBackRequest& request) {
  return {.loaded = mapped(request.file), .answers = {}};
}

}  // namespace breakeven
