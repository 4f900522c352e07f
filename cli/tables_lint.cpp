// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <optional>

#include "cli/tables.hpp"
#include "core/error.hpp"
#include "core/files.hpp"
#include "harness/launch/job.hpp"
#include "harness/session/read_back.hpp"
#include "tables/formats/common/head.hpp"
#include "tables/formats/own/json.hpp"

namespace breakeven::cli {

namespace {

constexpr Seconds kPatience{60};  // for a job to start

// Limits of the cost of a table for each process: a delay that users don't notice, and 64 processes
// on a node leave it its memory.
constexpr Seconds kSlowStart{0.05};
constexpr Bytes kLargeStart{10'000'000};

/// The version of a library that a table is for, and its date, as its head says; empty: not said.
struct Origin {
  std::string library{};
  std::string made{};
};

Origin origin_of(std::string_view text) {
  const formats::ReadKept whole = formats::read_kept_table(text);
  if (whole.faults.empty()) {
    const tables::Provenance& provenance = whole.kept.provenance;
    return {.library = provenance.machine.library_version, .made = provenance.date};
  }
  return {.library = formats::head_value(text, "library").value_or(""),
          .made = formats::head_value(text, "made").value_or("")};
}

/// The library here with its version, or why it is missing.
struct Installed {
  std::optional<launch::Library> library{};
  std::string version{};
  std::string missing{};
};

Installed find_installed(const formats::Emitter& format, const LintOptions& options) {
  const std::string name{options.machine.empty() ? format.library : options.machine};
  if (name != format.library) {
    throw UsageError(fmt::format("{} tables are for {}, not for '{}'", format.name,
                                 format.library.empty() ? "no library" : format.library, name));
  }
  try {
    Installed found{.library = ready_library(name, options.launcher)};
    found.version = launch::probe(*found.library, {}, kPatience).job_info.library_version;
    return found;
  } catch (const UsageError& error) {
    if (!options.machine.empty()) throw;
    return {.missing = error.what()};
  }
}

/// The library's own reading of a file that its reader here finds right.
struct Verdict {
  std::string fault{};
  std::string text{};  ///< without a fault
  std::string warning{};
};

Verdict ask_library(const formats::Emitter& format, const std::string& file, std::string_view text,
                    const LintOptions& options) {
  if (!session::can_read_back(format)) return {};
  const Installed here = find_installed(format, options);
  if (!here.library)
    return {.text = fmt::format("; not loaded, MPI_Init not measured: {}", here.missing)};
  const std::string version = origin_of(text).library;
  if (version.empty() && options.machine.empty()) {
    return {.text = "; not loaded: the file names no version, --machine loads it"};
  }
  if (!version.empty() && version != here.version) {
    std::string fault =
        fmt::format("it is for {}, and the library here is {}", version, here.version);
    if (options.machine.empty()) return {.text = fmt::format("; not loaded: {}", fault)};
    return {.fault = std::move(fault)};
  }
  std::string fault = session::read_back(format, file, text, *here.library);
  if (!fault.empty()) return {.fault = std::move(fault)};
  const session::StartUp cost = session::start_up(format, file, text, *here.library);
  Verdict verdict{.text = fmt::format("; MPI_Init {:+.0f} ms, {:+.1f} MB per process; loaded by {}",
                                      1e3 * cost.time.value, 1e-6 * double(cost.memory.value),
                                      here.version)};
  if (cost.time > kSlowStart || cost.memory > kLargeStart) {
    verdict.warning = fmt::format(
        "warning: every process that loads it starts later by more than {:.0f} ms, or holds more "
        "than {:.0f} MB: a table with fewer p and sizes costs less",
        1e3 * kSlowStart.value, 1e-6 * double(kLargeStart.value));
  }
  return verdict;
}

/// Prints the faults of a file, or that it is right; and advice.
/// @return whether it is right
bool lint(const std::string& file, const LintOptions& options) {
  const std::string text = read_file(file);
  const formats::Emitter* const format = format_of(file, text);
  if (format == nullptr) {
    fmt::print("{}: it looks like no form of table that is known here\n", file);
    return false;
  }
  const formats::ReadTable read = format->read(text);
  for (const formats::ReadTable::Fault& fault : read.faults) {
    fmt::print("{}\n", formats::fault_text(file, fault));
  }
  print_advice(file, read);
  if (!read.faults.empty()) return false;
  const Verdict verdict = ask_library(*format, file, text, options);
  if (!verdict.fault.empty()) {
    fmt::print("{}: {}\n", file, verdict.fault);
    return false;
  }
  std::string origin;
  if (const auto [library, made] = origin_of(text); !library.empty()) {
    origin = fmt::format(" for {}, made {}", library, made);
  }
  fmt::print("{}: right; {}{}{}\n", file, format->name, origin, verdict.text);
  if (!verdict.warning.empty()) fmt::print("{}: {}\n", file, verdict.warning);
  return true;
}

}  // namespace

int lint_tables(const LintOptions& options) {
  bool right = true;
  for (const std::string& path : options.files) {
    for (const std::string& file : files_at(path)) right &= lint(file, options);
  }
  return right ? 0 : 2;
}

}  // namespace breakeven::cli
