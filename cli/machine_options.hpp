// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <string>
#include <vector>

#include "core/launch.hpp"
#include "harness/launch/job.hpp"
#include "results/store.hpp"
#include "sim/machine_file.hpp"
#include "tuner/tuned_tables.hpp"

namespace CLI {
class App;
}

namespace breakeven::cli {

/// The measurements that a command is about.
struct DatabaseOptions {
  std::string file{};
  std::string machine{};  ///< name, number or text; may be left out when the database holds one
};

/// Adds --db and --machine.
void add_database_options(CLI::App& app, DatabaseOptions& options);

/// A machine in a database that was opened to read.
struct Selection {
  results::Store store;
  results::MachineId id;
  Machine machine;
};

/// "mpich (MPICH Version: 4.0.2 on AMD EPYC, with UCX_TLS=tcp)": of a model its name.
[[nodiscard]] std::string machine_text(const Machine& machine);

/// @throws UsageError when the file can't be read as a database, or when the name fits no machine
///         or several; the message lists the machines in the file.
[[nodiscard]] Selection select_machine(const DatabaseOptions& options);

/// The machine that a word means in one of two files, and its like in the other: the only one
/// there, an equal one, or the one of its name.
/// @throws UsageError as select_machine() does.
[[nodiscard]] std::array<DatabaseOptions, 2> in_both(const std::array<std::string, 2>& files,
                                                     const std::string& word);

/// The results of one machine in a database, without samples.
struct Record {
  results::MachineId id{};
  Machine machine{};
  std::vector<Launch> launches{};
  std::vector<Measurement> measurements{};
};

/// @throws UsageError as select_machine() does.
[[nodiscard]] Record record_of(const DatabaseOptions& options);

/// The record of an equal machine in another file, else of the machine with its name.
/// @throws UsageError as select_machine() does.
[[nodiscard]] Record record_like(const Machine& machine, const std::string& file);

/// Adds --worker, --launcher and --launcher-args.
void add_launcher_options(CLI::App& app, launch::LauncherOptions& options);

/// The library of these options, ready to start jobs. Reports on standard error a launcher other
/// than the library's own.
/// @throws UsageError as find_library does.
[[nodiscard]] launch::Library ready_library(const std::string& machine,
                                            const launch::LauncherOptions& options);

/// The model without noise that --machine names: a model, with its text as its name, or a machine
/// file.
/// @throws UsageError saying what is possible.
[[nodiscard]] sim::MachineDescription model_of(const std::string& machine);

}  // namespace breakeven::cli
