// SPDX-License-Identifier: BSD-3-Clause
#include "interpose/job.hpp"

#include <fmt/format.h>
#include <mpi.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <string>
#include <thread>
#include <utility>

#include "api/by_table.hpp"
#include "api/comm_calls.hpp"
#include "core/error.hpp"
#include "core/files.hpp"
#include "core/units.hpp"
#include "executor/communicator.hpp"
#include "executor/mpi_error.hpp"
#include "executor/nodes.hpp"
#include "interpose/notify.hpp"
#include "interpose/uses.hpp"
#include "libraries/forced/forced_algorithm.hpp"
#include "tables/formats/own/json.hpp"

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

// A launcher may drop what a process wrote just before it ends the job.
[[noreturn]] void end_job(const char* why) {
  tell(why, "the job ends");
  std::this_thread::sleep_for(std::chrono::milliseconds{200});
  PMPI_Abort(MPI_COMM_WORLD, 2);
  std::abort();
}

std::uint64_t seed_of(std::string_view text) {
  if (const auto seed = number_in<std::uint64_t>(text.substr(kCycle.size()))) return *seed;
  throw UsageError(
      fmt::format("BREAKEVEN_TABLE is '{}'; possible: a table.json, cycle:SEED", text));
}

/// How the MPI library's settings differ from those under which a table was measured; but for those
/// that load the table's own files, that the program's launcher chooses, and other preloads.
std::string changed_settings(const LibrarySettings& of_table, const std::string& file) {
  const std::string folder = std::filesystem::path{file}.parent_path();
  const auto compared = [&](LibrarySettings settings) {
    std::erase_if(settings, [&](const LibrarySetting& each) {
      return each.value.starts_with(folder) || each.name.find("use_dynamic") != std::string::npos ||
             each.name == "mpi_yield_when_idle" || each.name == "LD_PRELOAD";
    });
    return settings;
  };
  return difference(compared(forced::settings_in_program()), compared(of_table));
}

/// The text that all ranks choose by; empty where the library chooses.
/// @throws UsageError where it can't be used here.
std::string usable_table() {
  const std::string request = environment("BREAKEVEN_TABLE");
  if (request.empty()) return "";
  if (request.starts_with(kCycle)) {
    static_cast<void>(seed_of(request));
    return request;
  }
  std::string text = read_file(request);
  const Machine machine = formats::kept_table(text, request).provenance.machine;
  api::require_this_machine(machine);
  const std::string changed = changed_settings(machine.settings, request);
  if (changed.empty()) return text;
  const std::string told =
      fmt::format("{} was measured under other settings of {}: {}", request, machine.name, changed);
  if (environment("BREAKEVEN_STRICT") == "1") throw UsageError(told);
  tell(told.c_str(), "it is used all the same");
  return text;
}

/// @param request  what usable_table() gave
Job job_of(const std::string& request) {
  if (request.empty()) return {};
  if (request.starts_with(kCycle)) return {.cycle = seed_of(request), .from_first_call = true};
  formats::KeptTable kept = formats::kept_table(request, "BREAKEVEN_TABLE");
  return {.table = std::move(kept.table), .from_first_call = !kept.provenance.reproducible.empty()};
}

void give_back(Job& job) {
  api::CommCalls::close_all();
  api::CommCalls::share_channel(nullptr);
  job.world.reset();
}

/// Whether the error may be that there are too many communicators, on all ranks at the same call:
/// wrong arguments, which one rank alone may have, are of other classes.
bool may_be_full(MPI_Comm comm, int error) {
  int error_class = MPI_SUCCESS;
  int same = MPI_UNEQUAL;
  PMPI_Error_class(error, &error_class);
  PMPI_Comm_compare(comm, MPI_COMM_WORLD, &same);
  return same != MPI_UNEQUAL && (error_class == MPI_ERR_OTHER || error_class == MPI_ERR_INTERN);
}

/// All ranks leave together: where one comes late to MPI_Finalize over tcp, as the writer of a
/// profile would, MPICH before 4.2 may hang there (pmodels/mpich, pull request 6596).
int end_job(MPI_Comm, int, void*, void*) {
  Job& job = *current_job().exchange(nullptr);
  const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - job.begin;
  const MPI_Comm world = job.world == nullptr ? MPI_COMM_WORLD : job.world->get();
  if (!job.profile.empty()) {
    write_profile(job.profile, world, job.layout.nodes, wall.count());
    PMPI_Barrier(world);
  }
  give_back(job);  // also of calls in what the program attached to MPI_COMM_SELF
  return MPI_SUCCESS;
}

/// MPI_Finalize deletes the attributes of MPI_COMM_SELF first.
void end_job_at_finalize() {
  executor::check_mpi(PMPI_Comm_set_attr(MPI_COMM_SELF, api::make_keyval(end_job), nullptr),
                      "MPI_Comm_set_attr");
}

}  // namespace

int make(MPI_Comm comm, const MPI_Comm* made, const std::function<int()>& native) {
  Job* const job = current_job();
  int procs = 0;
  // Threads may call in another order on each rank: some would wait for a plan.
  if (job != nullptr && job->world != nullptr && comm != MPI_COMM_NULL)
    PMPI_Comm_size(comm, &procs);
  if (procs == 0 || procs != job->layout.procs || !job->one_thread) return native();
  MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
  MPI_Errhandler inherited = MPI_ERRHANDLER_NULL;
  PMPI_Comm_get_errhandler(comm, &handler);
  PMPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
  const int error = native();
  PMPI_Comm_set_errhandler(comm, handler);
  if (error == MPI_SUCCESS && *made != MPI_COMM_NULL) {
    PMPI_Comm_get_errhandler(*made, &inherited);  // of its parent: some functions give it another
    if (inherited == MPI_ERRORS_RETURN) PMPI_Comm_set_errhandler(*made, handler);
    PMPI_Errhandler_free(&inherited);
  }
  PMPI_Errhandler_free(&handler);
  if (error == MPI_SUCCESS) return error;
  if (!may_be_full(comm, error)) return PMPI_Comm_call_errhandler(comm, error), error;
  give_back(*job);
  return native();
}

void begin_job(Verdict verdict) noexcept {
  if (verdict == Verdict::ends) PMPI_Abort(MPI_COMM_WORLD, 2);  // the reason is told
  if (verdict != Verdict::takes_part) return;
  int me = 0;
  std::string table;
  MPI_Comm parent = MPI_COMM_NULL;
  PMPI_Comm_get_parent(&parent);
  PMPI_Comm_rank(MPI_COMM_WORLD, &me);
  if (parent != MPI_COMM_NULL) {  // another program's child: that one has the profile
    if (me == 0) notify_spawned();
    return;
  }
  try {
    if (me == 0) table = usable_table();
  } catch (const std::exception& error) {
    if (environment("BREAKEVEN_STRICT") == "1") end_job(error.what());
    tell(error.what(), "the library's own collectives run");
  }
  try {
    auto world = std::make_unique<const executor::Communicator>(
        MPI_COMM_WORLD, executor::Communicator::Without::attributes);
    table = broadcast(table, Rank{0}, *world);
    const std::string profile = broadcast(environment("BREAKEVEN_PROFILE"), Rank{0}, *world);
    if (table.empty() && profile.empty()) return;
    static auto& job = *new Job{job_of(table)};  // MPI_Finalize may run in a destructor
    job.profile = profile;
    job.begin = std::chrono::steady_clock::now();
    job.layout = executor::found_layout(*world);
    if (!profile.empty())
      job.shares_memory =
          executor::memory_mates(*world).count == executor::node_mates(*world).count;
    job.one_thread = forced::one_call_at_a_time(*world);
    job.world = std::move(world);
    api::CommCalls::share_channel(job.world.get());
    end_job_at_finalize();
    current_job() = &job;
  } catch (const std::exception& error) {
    end_job(error.what());
  }
}

}  // namespace breakeven::interpose
