// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "core/files.hpp"
#include "tables/formats/emitter.hpp"
#include "tuner/verify/table_in_force.hpp"

namespace breakeven::verify {

namespace {

namespace fs = std::filesystem;

/// "4.1.4" of "Open MPI v4.1.4, package: ..."
std::string version_number(std::string_view version) {
  constexpr std::string_view kDigits = "0123456789";
  const std::size_t begin = version.find_first_of(kDigits);
  if (begin == std::string_view::npos) return "unknown";
  std::string_view number = version.substr(begin);
  number = number.substr(0, number.find_first_not_of("0123456789."));
  return std::string{number.substr(0, number.find_last_of(kDigits) + 1)};
}

/// Text that means nothing else to Tcl within braces.
std::string plain(std::string text) {
  std::erase_if(text, [](char each) { return each == '{' || each == '}' || each == '\\'; });
  return text;
}

/// "setenv NAME value"; a file of the table's folder is named by its place there.
std::string setenv_line(std::string_view variable, const fs::path& folder) {
  const std::size_t equals = variable.find('=');
  const std::string name{variable.substr(0, equals)};
  const fs::path value{variable.substr(equals + 1)};
  if (value.parent_path() != folder) return fmt::format("setenv {} {{{}}}\n", name, value.native());
  return fmt::format("setenv {} [file join $tables {}]\n", name, value.filename().native());
}

}  // namespace

fs::path write_module_file(const fs::path& folder, const tables::Provenance& provenance,
                           bool several_nodes) {
  const Machine& machine = provenance.machine;
  const TableInForce table =
      find_table(folder, machine.name, machine.library_version, several_nodes);
  const std::string what =
      plain(fmt::format("what Breakeven measured for {} on {}, {}", machine.library_version,
                        machine.cpu, provenance.date));
  std::string text = fmt::format(
      "#%Module\n"
      "# Written by `{}`.\n"
      "module-whatis {{Tables of collective algorithms: {}}}\n"
      "proc ModulesHelp {{}} {{\n"
      "  puts stderr {{{} chooses its collective algorithms by {}.}}\n"
      "}}\n"
      "conflict breakeven-tables\n"
      "# The folder of the table's files, above modulefiles/breakeven-tables/.\n"
      "set tables [file dirname [file dirname [file dirname "
      "[file normalize $ModulesCurrentModulefile]]]]\n",
      provenance.command, what, machine.name, what);
  for (const std::string& variable : table.environment) {
    text += setenv_line(variable, fs::absolute(folder / "any").parent_path());
  }
  const std::string_view for_programs = formats::find_emitter("json").file_name;
  if (fs::exists(folder / for_programs)) {
    text += fmt::format(
        "# For programs that preload Breakeven's algorithms.\n"
        "setenv BREAKEVEN_TABLE [file join $tables {}]\n",
        for_programs);
  }
  const fs::path modules = folder / "modulefiles" / "breakeven-tables";
  fs::create_directories(modules);
  const fs::path file =
      modules / fmt::format("{}-{}", machine.name, version_number(machine.library_version));
  write_file(file, text);
  return file;
}

}  // namespace breakeven::verify
