// SPDX-License-Identifier: BSD-3-Clause
#include "api/this_machine.hpp"

#include <fmt/format.h>

#include "core/error.hpp"
#include "core/processor.hpp"
#include "executor/library_version.hpp"

namespace breakeven::api {

namespace {

void require_same(std::string_view what, std::string_view of_table, std::string_view here) {
  if (of_table == here) return;
  throw UsageError(fmt::format("the table is of {} '{}', and this is '{}'", what, of_table, here));
}

}  // namespace

void require_this_machine(const Machine& of_table) {
  require_same("library", of_table.name, BREAKEVEN_MPI);
  require_same("version", of_table.library_version, executor::library_version_line());
  require_same("processor", of_table.cpu, processor_name().value_or("unknown"));
}

}  // namespace breakeven::api
