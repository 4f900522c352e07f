// SPDX-License-Identifier: BSD-3-Clause
#include "interpose/job.hpp"

#include <fmt/format.h>
#include <mpi.h>

#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <memory>
#include <string>

#include "core/error.hpp"
#include "core/files.hpp"
#include "core/processor.hpp"
#include "executor/comm_plans.hpp"
#include "executor/library_version.hpp"
#include "executor/mpi_error.hpp"
#include "executor/nodes.hpp"
#include "interpose/uses.hpp"
#include "tuner/formats/common/head.hpp"
#include "tuner/formats/own/json.hpp"

namespace breakeven::interpose {

namespace {

constexpr std::string_view kCycle = "cycle:";

std::string environment(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? "" : value;
}

void tell(const char* what, const char* then) {
  std::fprintf(stderr, "breakeven: %s; %s\n", what, then);
}

std::uint64_t seed_of(std::string_view text) {
  std::uint64_t seed = 0;
  const std::string_view digits = text.substr(kCycle.size());
  const auto [end, error] = std::from_chars(digits.begin(), digits.end(), seed);
  if (error == std::errc{} && end == digits.end()) return seed;
  throw UsageError(
      fmt::format("BREAKEVEN_TABLE is '{}'; possible: a table.json, cycle:SEED", text));
}

/// @throws UsageError naming both where the table is of something else.
void require_same(std::string_view what, std::string_view of_table, std::string_view here) {
  if (of_table == here) return;
  throw UsageError(fmt::format("the table is of {} '{}', and this is '{}'", what, of_table, here));
}

/// @param name  for messages
Job job_of(std::string_view text, std::string_view name) {
  if (text.starts_with(kCycle)) return {.cycle = seed_of(text)};
  formats::ReadKept read = formats::read_kept_table(text);
  if (!read.faults.empty()) throw UsageError(formats::fault_text(name, read.faults.front()));
  return {.table = std::move(read.kept.table)};
}

/// The text that all ranks choose by; empty where the library chooses.
/// @throws UsageError where it can't be used here.
std::string usable_table() {
  const std::string request = environment("BREAKEVEN_TABLE");
  if (request.empty()) return "";
  std::string text = request.starts_with(kCycle) ? request : read_file(request);
  if (job_of(text, request).table) {
    const Machine machine = formats::read_kept_table(text).kept.provenance.machine;
    require_same("library", machine.name, BREAKEVEN_MPI);
    require_same("version", machine.library_version, executor::library_version_line());
    require_same("processor", machine.cpu, processor_name().value_or("unknown"));
  }
  return text;
}

/// Rank 0's text on all ranks.
std::string shared(std::string text) {
  auto length = static_cast<std::int64_t>(text.size());
  executor::check_mpi(PMPI_Bcast(&length, 1, MPI_INT64_T, 0, MPI_COMM_WORLD), "MPI_Bcast");
  text.resize(static_cast<std::size_t>(length));
  if (length > 0) {
    executor::check_mpi(
        PMPI_Bcast(text.data(), static_cast<int>(length), MPI_CHAR, 0, MPI_COMM_WORLD),
        "MPI_Bcast");
  }
  return text;
}

std::vector<int> nodes_of_world() {
  const executor::Communicator world{MPI_COMM_WORLD};
  const int mine = executor::node_mates(world).first;
  std::vector<int> nodes(static_cast<std::size_t>(world.procs()));
  executor::check_mpi(PMPI_Allgather(&mine, 1, MPI_INT, nodes.data(), 1, MPI_INT, world.get()),
                      "MPI_Allgather");
  return nodes;
}

int end_job(MPI_Comm, int, void*, void*) {
  executor::delete_all_plans();  // of calls in what the program attached to MPI_COMM_SELF
  const Job& job = *current_job().exchange(nullptr);
  const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - job.begin;
  if (!job.profile.empty()) write_profile(job.profile, wall.count());
  return MPI_SUCCESS;
}

/// MPI_Finalize deletes the attributes of MPI_COMM_SELF first.
void end_job_at_finalize() {
  int keyval = MPI_KEYVAL_INVALID;
  executor::check_mpi(PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, end_job, &keyval, nullptr),
                      "MPI_Comm_create_keyval");
  executor::check_mpi(PMPI_Comm_set_attr(MPI_COMM_SELF, keyval, nullptr), "MPI_Comm_set_attr");
}

}  // namespace

void begin_job() noexcept {
  int me = 0;
  std::string table;
  MPI_Comm parent = MPI_COMM_NULL;
  PMPI_Comm_get_parent(&parent);
  if (parent != MPI_COMM_NULL) return;  // another program's child: that one has the profile
  PMPI_Comm_rank(MPI_COMM_WORLD, &me);
  try {
    if (me == 0) table = usable_table();
  } catch (const std::exception& error) {
    const bool strict = environment("BREAKEVEN_STRICT") == "1";
    tell(error.what(), strict ? "the job ends" : "the library's own collectives run");
    if (strict) PMPI_Abort(MPI_COMM_WORLD, 2);
  }
  try {
    table = shared(std::move(table));
    const std::string profile = shared(environment("BREAKEVEN_PROFILE"));
    if (table.empty() && profile.empty()) return;
    static auto& job = *new Job;  // MPI_Finalize may run in a destructor
    if (!table.empty()) job = job_of(table, "BREAKEVEN_TABLE");
    job.profile = profile;
    job.begin = std::chrono::steady_clock::now();
    job.nodes = nodes_of_world();
    end_job_at_finalize();
    current_job() = &job;
  } catch (const std::exception& error) {
    tell(error.what(), "the job ends");
    PMPI_Abort(MPI_COMM_WORLD, 2);
  }
}

}  // namespace breakeven::interpose
