// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "core/launch.hpp"
#include "results/store.hpp"

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

}  // namespace breakeven::cli
