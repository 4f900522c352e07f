// SPDX-License-Identifier: BSD-3-Clause
#include "harness/worker/library_facts.hpp"

#include <mpi.h>

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "executor/mpi_error.hpp"
#include "harness/worker/control_variable.hpp"

namespace breakeven {

namespace {

/// Control variables of either library that say which transports are used and what is checked.
constexpr std::array kVariables{
    // Open MPI; the first exists in debug builds alone
    "mpi_ddt_unpack_debug", "mpi_param_check", "mpi_yield_when_idle", "pml", "btl", "mtl",
    // MPICH
    "MPIR_CVAR_ERROR_CHECKING", "MPIR_CVAR_CH4_NETMOD", "MPIR_CVAR_CH4_SHM", "MPIR_CVAR_NOLOCAL",
    "MPIR_CVAR_DEVICE_COLLECTIVES"};

std::string thread_level() {
  int level = 0;
  check_mpi(MPI_Query_thread(&level), "MPI_Query_thread");
  switch (level) {
    case MPI_THREAD_SINGLE: return "single";
    case MPI_THREAD_FUNNELED: return "funneled";
    case MPI_THREAD_SERIALIZED: return "serialized";
    default: return "multiple";
  }
}

}  // namespace

LibraryFacts library_facts() {
  LibraryFacts facts{.version = library_version(), .thread_level = thread_level()};
  for (const char* name : kVariables) {
    const auto variable = ControlVariable::find(name);
    if (!variable) continue;
    if (const auto value = variable->text()) facts.variables[name] = *value;
  }
  return facts;
}

}  // namespace breakeven
