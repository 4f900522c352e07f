// SPDX-License-Identifier: BSD-3-Clause
/// How the MPI library was built and is set.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <sstream>

#include "harness/doctor/catalogue.hpp"
#include "harness/doctor/checks/common.hpp"

namespace breakeven::doctor::checks {

namespace {

/// One thing about a library that costs time.
struct Flaw {
  Severity severity;
  std::string_view what;
  std::string_view fix;
  bool (*found)(const protocol::LibraryFacts& library);
};

bool says(const protocol::LibraryFacts& library, std::string_view words) {
  return library.version.find(words) != std::string::npos;
}

bool is_set(const protocol::LibraryFacts& library, const std::string& variable) {
  const auto found = library.variables.find(variable);
  return found != library.variables.end() && found->second != "0";
}

/// MPICH is configured with all checks unless told otherwise, and shows its configure line.
bool mpich_checks(const protocol::LibraryFacts& library) {
  constexpr std::array<std::string_view, 4> kOff{"--enable-fast=all", "--enable-error-checking=no",
                                                 "--enable-error-checking=none",
                                                 "--disable-error-checking"};
  const bool off = std::ranges::any_of(kOff, [&](auto option) { return says(library, option); });
  return says(library, "MPICH configure:") && !off;
}

constexpr std::array kFlaws{
    Flaw{.severity = Severity::warning,
         .what = "Open MPI was built with --enable-debug",
         .fix = "build Open MPI without --enable-debug",
         // Registered in debug builds alone.
         .found =
             [](const protocol::LibraryFacts& it) {
               return it.variables.contains("mpi_ddt_unpack_debug");
             }},
    Flaw{.severity = Severity::warning,
         .what = "MPICH was configured for debugging (--enable-g)",
         .fix = "configure MPICH without --enable-g",
         .found =
             [](const protocol::LibraryFacts& it) {
               return says(it, "--enable-g=") && !says(it, "--enable-g=none");
             }},
    Flaw{.severity = Severity::warning,
         .what = "the library shares no memory between ranks of one node: everything goes through "
                 "the network's transport",
         .fix = "an MPI library with a transport by shared memory, or settings that leave it on",
         .found = [](const protocol::LibraryFacts& it) { return !it.shares_memory; }},
    Flaw{.severity = Severity::warning,
         .what = "the device ch3:sock sends through TCP even within a node",
         .fix = "an MPICH with --with-device=ch4:ucx or ch4:ofi",
         .found = [](const protocol::LibraryFacts& it) { return says(it, "ch3:sock"); }},
    Flaw{.severity = Severity::note,
         .what = "MPICH checks arguments and asserts in every call (no --enable-fast=all)",
         .fix = "configure MPICH with --enable-fast=all",
         .found = mpich_checks},
    Flaw{.severity = Severity::note,
         .what = "Open MPI checks arguments in every call (mpi_param_check)",
         .fix = "--mca mpi_param_check 0",
         .found = [](const protocol::LibraryFacts& it) { return is_set(it, "mpi_param_check"); }},
    Flaw{.severity = Severity::note,
         .what = "MPI_THREAD_MULTIPLE is provided though not asked for: calls take locks",
         .fix = "look for a setting of the default thread level",
         .found = [](const protocol::LibraryFacts& it) { return it.thread_level == "multiple"; }}};

/// "MPICH Version: 4.0.2; MPICH Device: ch4:ucx": the lines of the version that are short.
std::string summary(const protocol::LibraryFacts& library) {
  constexpr std::size_t kLong = 120;  // a configure line
  std::istringstream lines{library.version};
  std::string text;
  for (std::string line; std::getline(lines, line);) {
    std::ranges::replace(line, '\t', ' ');
    if (!line.empty() && line.size() < kLong) text += (text.empty() ? "" : "; ") + line;
  }
  text += "; thread level " + library.thread_level;
  for (const auto& [name, value] : library.variables) {
    text += fmt::format("; {} = {}", name, value.empty() ? "(the library's choice)" : value);
  }
  return text;
}

}  // namespace

std::optional<Diagnosis> library(const protocol::NodeFacts& node) {
  if (!node.library) return std::nullopt;
  Diagnosis verdict{.seen = summary(*node.library)};
  const auto add = [](std::string& text, std::string_view words) {
    text.append(text.empty() ? "" : "; ").append(words);
  };
  std::string flaws;
  for (const Flaw& flaw : kFlaws) {
    if (!flaw.found(*node.library)) continue;
    verdict.severity = std::max(verdict.severity, flaw.severity);
    add(flaws, flaw.what);
    add(verdict.fix, flaw.fix);
  }
  if (flaws.empty()) return verdict;
  verdict.seen = fmt::format("{} ({})", flaws, verdict.seen);
  verdict.effect =
      "every call costs more, small messages most; what is measured holds for this "
      "build of the library";
  return verdict;
}

// Settings for all programs alike belong to the library that users know here; a setting for this
// job, or one that forces a collective's algorithm, is easily forgotten.
std::optional<Diagnosis> settings(const protocol::NodeFacts& node) {
  if (!node.library) return std::nullopt;
  if (node.library->settings.empty()) return Diagnosis{.seen = "none"};
  const bool known = std::ranges::all_of(node.library->settings, [](const LibrarySetting& each) {
    return each.origin.starts_with("/etc/") && !each.name.starts_with("coll");
  });
  return Diagnosis{.severity = known ? Severity::note : Severity::warning,
                   .seen = to_text(node.library->settings),
                   .effect =
                       "native is what the library does under these settings; results under "
                       "other settings are kept apart",
                   .fix = "sweep --clean-environment unsets those of the environment"};
}

}  // namespace breakeven::doctor::checks
