// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "cli/command.hpp"
#include "cli/machine_options.hpp"
#include "cli/options.hpp"
#include "harness/session/outlook.hpp"
#include "harness/session/profile_sweep.hpp"
#include "tuner/readable.hpp"
#include "tuner/verify/table_folder.hpp"

namespace breakeven::cli::tune_command {

namespace {

struct Options {
  DatabaseOptions database;
  std::string folder;
  std::vector<std::string> formats;
  tuner::TableKey key{};
  std::vector<std::string> allowed_unsafe;
  std::string profile;
  std::optional<tuner::SameBits> same_bits;
};

/// The key of the table, with the time of the program.
tuner::TableKey key_of(const Options& options) {
  tuner::TableKey key = options.key;
  key.allowed_unsafe = {options.allowed_unsafe.begin(), options.allowed_unsafe.end()};
  if (!options.profile.empty()) {
    key.program_time = tables::program_time(session::profile_in(options.profile));
  }
  return key;
}

int run(const CLI::App& app, const Options& options) {
  const tuner::TableKey key = key_of(options);
  // Before anything is read: a wrong name is wrong on every machine.
  for (const std::string& format : options.formats)
    static_cast<void>(formats::find_emitter(format));
  const Selection from = select_machine(options.database);
  const std::vector<Measurement> measurements = from.store.measurements(from.id);
  tuner::TunedTables tables{measurements, key, options.same_bits};
  if (!options.same_bits) tables.make_all();
  const tables::Table& table = tables.widest();
  const tables::Provenance provenance = session::provenance_of(
      from.store, from.id, options.database.file,
      command_line(app, {{"--machine", from.machine.name}}), measurements, key.allowed_unsafe);
  std::string notes = options.same_bits ? tables.reproducible_text()
                                        : tuner::between_measured(tables.cross_validated());
  if (!options.profile.empty()) {
    notes += '\n' + tuner::covered_text(options.profile, key.program_time, table);
  }
  std::vector<tuner::TableFile> files;
  if (!options.folder.empty()) files = tuner::table_files(options.formats, tables, provenance);
  const std::string text = tuner::readable_text(tables, files, provenance, notes);
  fmt::print("{}", text);
  if (options.folder.empty()) return 0;
  fmt::print("\n{}", verify::write_tables(options.folder, text, files, !options.formats.empty(),
                                          provenance, table));
  return 0;
}

std::string formats_help() {
  std::string help = "formats to write:";
  for (const formats::Emitter& emitter : formats::emitters())
    help += fmt::format(" {}", emitter.name);
  return help + " [all that suit the machine]";
}

std::function<int()> setup(CLI::App& app) {
  const auto options = std::make_shared<Options>();
  add_database_options(app, options->database);
  app.add_option("--out", options->folder,
                 "folder for the table's files; they replace an older table's [none: only print "
                 "the table]")
      ->type_name("FOLDER");
  app.add_option("--format", options->formats, formats_help())->delimiter(',')->type_name("NAME");
  add_file(
      app, "--profile", options->profile,
      "make the table for one program: a file of `breakeven profile`; the program's time at a size "
      "is nine tenths of its weight [none: equal weight per doubling]");
  add_text(app,
           {"--reproducible",
            "same bits at all sizes, mappings and ranks of a measured p, or across p: one choice "
            "for each collective that reduces; prints the cost",
            "SCOPE", ""},
           [&scope = options->same_bits](const std::string& text) {
             scope = tuner::kSameBits.parse(text);
           })
      ->expected(0, 1)
      ->default_str(std::string{tuner::kSameBits.of(tuner::SameBits::each_procs)})
      ->option_text("[each-procs|across-procs]");
  add(app, "--datatype", options->key.datatype,
      "use the measurements of this datatype; required if several were measured");
  add(app, "--op", options->key.op,
      "use the measurements of this operation; required if several were measured");
  add(app, "--mapping", options->key.mapping,
      "use only measurements with this mapping: seq, rr, ...; tables of MPI libraries cannot tell "
      "mappings apart [all]");
  add(app, "--root", options->key.root,
      "use the measurements of this root; required if several were measured")
      ->group(kRare);
  add(app, "--procs-per-node", options->key.procs_per_node,
      "use only measurements with this number of processes per node [all]")
      ->group(kRare);
  app.add_option("--allow-unsafe", options->allowed_unsafe,
                 "let tables choose these algorithms of the library, which fail for some calls "
                 "that MPI permits: openmpi:reduce/binomial,...")
      ->delimiter(',')
      ->type_name("NAME")
      ->group(kRare);
  return [options, &app] { return run(app, *options); };
}

}  // namespace

}  // namespace breakeven::cli::tune_command

const breakeven::cli::Command breakeven::cli::kTune{
    .name = "tune",
    .summary = "Choose the algorithm of each collective, and write tables",
    .examples = R"(
Examples:
  breakeven tune --db results.db
  breakeven tune --db results.db --machine openmpi --out tables
  breakeven tune --db results.db --profile profile.json --out tables
  breakeven tune --db results.db --reproducible=across-procs --out tables
  breakeven tune --db results.db --machine openmpi --out tables --format openmpi_rules)",
    .setup = tune_command::setup};
