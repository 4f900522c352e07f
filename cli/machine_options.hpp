// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "core/launch.hpp"
#include "harness/launch/job.hpp"
#include "results/store.hpp"
#include "sim/machine_file.hpp"
#include "tuner/agreement.hpp"

namespace CLI {
class App;
}

namespace breakeven::cli {

/// Which measurements a command is about.
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
///         or several; the message lists those there are.
[[nodiscard]] Selection select_machine(const DatabaseOptions& options);

/// All that a database holds of one machine, without samples.
struct Record {
  Machine machine{};
  std::vector<Launch> launches{};
  std::vector<Measurement> measurements{};
};

/// @throws UsageError as select_machine() does.
[[nodiscard]] Record record_of(const DatabaseOptions& options);

/// That of a machine which is the same as another one, else of its name.
/// @throws UsageError as select_machine() does.
[[nodiscard]] Record record_like(const Machine& machine, const std::string& file);

/// Adds --worker, --launcher and --launcher-args.
void add_launcher_options(CLI::App& app, launch::LauncherOptions& options);

/// The library as these options ask for it, ready to start jobs. Says on standard error when it
/// chose another launcher than the library's own.
/// @throws UsageError as find_library does.
[[nodiscard]] launch::Library ready_library(const std::string& machine,
                                            const launch::LauncherOptions& options);

/// What --machine names where only a model without noise will do: a model, whose text is its name
/// then, or a machine file.
/// @throws UsageError saying what is possible.
[[nodiscard]] sim::MachineDescription model_of(const std::string& machine);

/// How well a model, or a machine file, predicts these measurements of a machine. Predictions that
/// the database holds are not computed again.
/// @throws UsageError when there is no such model, or when it can predict none of them.
[[nodiscard]] tuner::Agreements agreements_of(const std::string& model, const Selection& from,
                                              const std::vector<Measurement>& measurements);

}  // namespace breakeven::cli
