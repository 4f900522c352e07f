// SPDX-License-Identifier: BSD-3-Clause
#include "tuner/verify/table_in_force.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>

#include "core/error.hpp"
#include "core/files.hpp"
#include "libraries/openmpi_rules.hpp"
#include "tables/formats/common/head.hpp"
#include "tables/formats/common/shell_script.hpp"

namespace breakeven::verify {

namespace {

namespace fs = std::filesystem;

/// The formats that a table in force has at least.
constexpr std::string_view kOpenMpi = "openmpi_rules";
constexpr std::string_view kOpenMpiJson = "openmpi_json";  // from 6 on
constexpr std::string_view kOpenMpiParams = "openmpi_params";
constexpr std::string_view kMpich = "mpich_json";

constexpr std::array kLoadings{
    Loading{"mpich_json", "MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE"},
    Loading{"mpich_ch4_json", "MPIR_CVAR_CH4_COLL_SELECTION_TUNING_JSON_FILE"},
    Loading{"mpich_cvars", ""},
    Loading{"openmpi_params", ""},
    Loading{"openmpi_rules", "OMPI_MCA_coll_tuned_dynamic_rules_filename",
            "OMPI_MCA_coll_tuned_use_dynamic_rules=1", true},
    Loading{"openmpi_json", "OMPI_MCA_coll_tuned_dynamic_rules_filename",
            "OMPI_MCA_coll_tuned_use_dynamic_rules=1"},
    Loading{"openmpi_han_rules", "OMPI_MCA_coll_han_dynamic_rules_filename",
            "OMPI_MCA_coll_han_use_dynamic_file_rules=1", false, "OMPI_MCA_coll_han_verbose=5"},
};

void require_faultless(const formats::Emitter& emitter, const fs::path& file,
                       std::string_view text) {
  const formats::ReadTable read = emitter.read(text);
  if (read.faults.empty()) return;
  throw UsageError(formats::fault_text(file.string(), read.faults.front()));
}

bool has(const fs::path& folder, std::string_view format) {
  return fs::exists(folder / formats::find_emitter(format).file_name);
}

/// @param required  else a folder may lack the file
void load(TableInForce& table, const fs::path& folder, std::string_view format, bool required) {
  const formats::Emitter& emitter = formats::find_emitter(format);
  const fs::path file = fs::absolute(folder / emitter.file_name);
  if (!fs::exists(file)) {
    if (!required) return;
    throw UsageError(
        fmt::format("'{}' is not there; `breakeven tune --format {} --out {}` makes it",
                    file.string(), format, folder.string()));
  }
  const std::string text = read_file(file);
  require_faultless(emitter, file, text);
  table.files.push_back(&emitter);
  std::ranges::move(environment_of(*find_loading(format), file, text),
                    std::back_inserter(table.environment));
}

}  // namespace

const Loading* find_loading(std::string_view format) {
  const auto found = std::ranges::find(kLoadings, format, &Loading::format);
  return found == kLoadings.end() ? nullptr : &*found;
}

std::vector<std::string> environment_of(const Loading& loading, const fs::path& file,
                                        std::string_view text) {
  if (loading.variable.empty()) return formats::ShellScript{text}.exported();
  std::vector<std::string> environment{fmt::format("{}={}", loading.variable, file.string())};
  if (!loading.also.empty()) environment.emplace_back(loading.also);
  return environment;
}

bool has_table(const fs::path& folder, std::string_view library) {
  if (library == "openmpi") {
    return has(folder, kOpenMpi) || has(folder, kOpenMpiJson) || has(folder, kOpenMpiParams);
  }
  return has(folder, kMpich);
}

TableInForce find_table(const fs::path& folder, std::string_view library, std::string_view version,
                        bool several_nodes) {
  TableInForce table;
  if (library == "openmpi") {
    using namespace libraries::openmpi;
    // Where the version can't be understood, the file that is there decides.
    const Version of = parse_version(version).value_or(
        has(folder, kOpenMpi) ? kFirstKnownVersion : Version{kFirstMajorWithJson});
    const bool parameters = has(folder, kOpenMpiParams);
    load(table, folder, of.major < kFirstMajorWithJson ? kOpenMpi : kOpenMpiJson, !parameters);
    load(table, folder, kOpenMpiParams, false);
    // Settings of coll/han hold for all communicators of a job.
    const bool han_is_first = several_nodes && of.major >= kFirstMajorWithHan;
    if (han_is_first && has_known_han(of)) load(table, folder, "openmpi_han_rules", true);
    if (han_is_first && !has_known_han(of)) {
      table.environment.emplace_back("OMPI_MCA_coll_han_priority=0");
    }
    // As do parameters of nonblocking calls.
    table.beside_default = !han_is_first && !parameters;
    return table;
  }
  if (library == "mpich") {
    load(table, folder, kMpich, true);
    load(table, folder, "mpich_ch4_json", false);
    return table;
  }
  throw UsageError(
      fmt::format("tables of '{}' can't be put in force; known: mpich openmpi", library));
}

}  // namespace breakeven::verify
