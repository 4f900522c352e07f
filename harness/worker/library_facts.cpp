// SPDX-License-Identifier: BSD-3-Clause
#include "harness/worker/library_facts.hpp"

#include <mpi.h>

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "executor/mpi_error.hpp"

namespace breakeven {

namespace {

/// Control variables of either library that say which transports are used and what is checked.
constexpr std::array kVariables{
    // Open MPI; the first exists in debug builds alone
    "mpi_ddt_unpack_debug", "mpi_param_check", "mpi_yield_when_idle", "pml", "btl", "mtl",
    // MPICH
    "MPIR_CVAR_ERROR_CHECKING", "MPIR_CVAR_CH4_NETMOD", "MPIR_CVAR_CH4_SHM", "MPIR_CVAR_NOLOCAL",
    "MPIR_CVAR_DEVICE_COLLECTIVES"};

/// MPI's tools interface, open as long as this lives.
class ToolsSession {
 public:
  ToolsSession() {
    int provided = 0;
    open_ = MPI_T_init_thread(MPI_THREAD_SINGLE, &provided) == MPI_SUCCESS;
  }
  ~ToolsSession() {
    if (open_) MPI_T_finalize();
  }
  ToolsSession(const ToolsSession&) = delete;
  ToolsSession& operator=(const ToolsSession&) = delete;
  [[nodiscard]] bool open() const { return open_; }

 private:
  bool open_ = false;
};

/// A variable's value as text; nothing when it is of a type that isn't read here.
std::optional<std::string> value_of(MPI_T_cvar_handle handle, MPI_Datatype type, int count) {
  if (type == MPI_CHAR) {
    std::string text(static_cast<std::size_t>(count) + 1, '\0');
    if (MPI_T_cvar_read(handle, text.data()) != MPI_SUCCESS) return std::nullopt;
    return text.substr(0, text.find('\0'));
  }
  if ((type != MPI_INT && type != MPI_C_BOOL) || count != 1) return std::nullopt;
  int number = 0;  // a truth is one byte, the lowest
  if (MPI_T_cvar_read(handle, &number) != MPI_SUCCESS) return std::nullopt;
  return std::to_string(number);
}

std::optional<std::string> read_variable(const char* name) {
  int index = 0;
  if (MPI_T_cvar_get_index(name, &index) != MPI_SUCCESS) return std::nullopt;
  MPI_Datatype type = MPI_DATATYPE_NULL;
  int name_length = 0;
  int description_length = 0;
  int verbosity = 0;
  int bind = 0;
  int scope = 0;
  MPI_T_enum meanings = MPI_T_ENUM_NULL;
  if (MPI_T_cvar_get_info(index, nullptr, &name_length, &verbosity, &type, &meanings, nullptr,
                          &description_length, &bind, &scope) != MPI_SUCCESS) {
    return std::nullopt;
  }
  MPI_T_cvar_handle handle = MPI_T_CVAR_HANDLE_NULL;
  int count = 0;
  if (MPI_T_cvar_handle_alloc(index, nullptr, &handle, &count) != MPI_SUCCESS) return std::nullopt;
  const std::optional<std::string> value = value_of(handle, type, count);
  MPI_T_cvar_handle_free(&handle);
  return value;
}

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

std::string library_version() {
  std::array<char, MPI_MAX_LIBRARY_VERSION_STRING> text{};
  int length = 0;
  check_mpi(MPI_Get_library_version(text.data(), &length), "MPI_Get_library_version");
  return text.data();  // Open MPI counts the terminating zero in `length`
}

LibraryFacts library_facts() {
  LibraryFacts facts{.version = library_version(), .thread_level = thread_level()};
  const ToolsSession session;
  if (!session.open()) return facts;
  for (const char* name : kVariables) {
    if (const auto value = read_variable(name)) facts.variables[name] = *value;
  }
  return facts;
}

}  // namespace breakeven
