// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <array>
#include <filesystem>
#include <memory>
#include <optional>

#include "cli/command.hpp"
#include "cli/machine_options.hpp"
#include "cli/options.hpp"
#include "core/error.hpp"
#include "core/files.hpp"
#include "guidelines/baseline.hpp"
#include "harness/session/outlook.hpp"
#include "sim/machine.hpp"
#include "tables/formats/common/head.hpp"
#include "tables/formats/own/cpp_header.hpp"
#include "tables/formats/own/json.hpp"
#include "tuner/comparison.hpp"
#include "tuner/make_table.hpp"

namespace breakeven::cli::compare_command {

namespace {

constexpr const char* kOfDatabases =
    "--datatype, --op and --root are of two databases: a table says its own";

struct Options {
  std::vector<std::string> files;
  std::string machine;
  tuner::TableKey key{};
  std::string format = "text";
};

/// A table of our own; nothing where the file is a database.
/// @throws UsageError when it is neither
std::optional<formats::KeptTable> table_in(const std::string& file) {
  if (std::filesystem::is_directory(file)) {
    throw UsageError(
        fmt::format("'{}' is a folder; of its tables can be compared: {}/table.json, "
                    "library_table.json, a C++ header",
                    file, file));
  }
  const std::string extension = std::filesystem::path{file}.extension();
  if (extension != ".json" && extension != ".hpp") return std::nullopt;
  const std::string text = read_file(file);
  formats::ReadKept read =
      extension == ".json" ? formats::read_kept_table(text) : formats::read_kept_header(text);
  return formats::without_faults(std::move(read), file);
}

using Kept = std::array<std::optional<formats::KeptTable>, 2>;

/// The records of the files' machines, as far as they have one.
std::array<Record, 2> records_in(const Options& options, const Kept& tables) {
  if (!tables[0] && !tables[1]) {
    const auto [first, second] = in_both({options.files[0], options.files[1]}, options.machine);
    return {record_of(first), record_of(second)};
  }
  std::array<Record, 2> records;
  for (const std::size_t i : {0U, 1U}) {
    records[i] = tables[i] ? Record{.machine = tables[i]->provenance.machine}
                           : record_of({.file = options.files[i], .machine = options.machine});
  }
  return records;
}

/// The differences of the second machine from the first, and its drift.
std::vector<std::string> remarks_on(const std::array<Record, 2>& records) {
  const auto& [first, second] = records;
  std::vector<std::string> remarks =
      guidelines::differences(second.machine, second.launches, first.machine, first.launches);
  for (std::string& each : remarks) each.insert(0, "B differs from A: ");
  for (const auto& [layout, drift] : guidelines::drifts_since(second.launches, first.launches)) {
    if (drift.factors().empty()) continue;
    remarks.push_back(
        fmt::format("calibration at p = {} takes in B, against A: {}", layout.procs, drift.text()));
  }
  return remarks;
}

/// @param other  the table of a database has its kind of data and candidates; none: the key's
tuner::Side side_of(const std::string& file, const Record& record,
                    const std::optional<formats::KeptTable>& kept,
                    const std::optional<formats::KeptTable>& other, tuner::TableKey key) {
  if (kept) return {.name = file, .table = kept->table};
  const tables::Table* const like = other ? &other->table : nullptr;
  if (like != nullptr) key = {.datatype = like->datatype, .root = like->root};
  if (like != nullptr && like->op != Op::none) key.op = like->op;
  const std::vector<Measurement> measurements = tuner::select(record.measurements, key);
  return {.name = fmt::format("{} ({})", file, record.machine.name),
          .table = tuner::make_table(
              measurements,
              {.candidates = like != nullptr ? like->candidates : tables::Candidates::all}),
          .data = tuner::decide(measurements)};
}

/// Compares a model with the measurements of a database.
int compare_model(const Options& options, const std::string& model, const std::string& database) {
  const Selection from = select_machine({.file = database, .machine = options.machine});
  const tuner::Agreements found =
      session::agreements_of(model, from.store, from.id, from.store.measurements(from.id));
  fmt::print("{}", options.format == "json"
                       ? tuner::agreement_json(found, from.machine, model) + "\n"
                       : tuner::agreement_text(found));
  return 0;
}

int run(const Options& options) {
  const bool says_data = options.key.datatype || options.key.op || options.key.root;
  for (const std::size_t model : {0U, 1U}) {
    if (!sim::is_model(options.files[model])) continue;
    if (says_data) throw UsageError(kOfDatabases);
    return compare_model(options, options.files[model], options.files[1 - model]);
  }
  const Kept tables{table_in(options.files[0]), table_in(options.files[1])};
  if (says_data && (tables[0] || tables[1])) throw UsageError(kOfDatabases);
  const std::array<Record, 2> records = records_in(options, tables);
  const auto side = [&](std::size_t i) {
    return side_of(options.files[i], records[i], tables[i], tables[1 - i], options.key);
  };
  const tuner::Side first = side(0);
  const tuner::Side second = side(1);
  tuner::Comparison comparison = tuner::compare(first, second);
  comparison.remarks = remarks_on(records);
  fmt::print("{}", options.format == "json" ? tuner::comparison_json(comparison, first, second)
                                            : tuner::comparison_text(comparison, first, second));
  return comparison.worse() || comparison.each_slower_by_the_other() ? 1 : 0;
}

std::function<int()> setup(CLI::App& app) {
  const auto options = std::make_shared<Options>();
  app.add_option("TABLE", options->files,
                 "two to compare, each a database (a table is made of it), a table.json, "
                 "library_table.json or C++ header; or a model or machine file, and a database")
      ->required()
      ->expected(2);
  app.add_option("--machine", options->machine,
                 "machine to use, by name or number; required if a database holds several: the "
                 "other file's only one, or the one of that name there")
      ->type_name("MACHINE");
  add(app, "--datatype", options->key.datatype,
      "use the measurements of this datatype; required if several were measured");
  add(app, "--op", options->key.op,
      "use the measurements of this operation; required if several were measured");
  add(app, "--root", options->key.root,
      "use the measurements of this root; required if several were measured")
      ->group(kRare);
  add_choice(app, "--format", options->format, {"text", "json"}, "form of the comparison");
  return [options] { return run(*options); };
}

}  // namespace

}  // namespace breakeven::cli::compare_command

const breakeven::cli::Command breakeven::cli::kCompare{
    .name = "compare",
    .summary = "Compare two tables or databases, or a model with measurements",
    .examples = R"(
Times of one side are never compared with those of the other, because the machine may have drifted;
both sides' choices are compared by the data of one side at a time. The output says how the machines
differ, and how arithmetic, memory and ping-pong changed.
Where one file is a table, a table of the same kind is made of the other, a database. A table fits
the data that it was made of: by these it loses less, and by the other's data more, than elsewhere.
Exit status: 1 where one side's choices are slower by the data of each side, with an interval of
95 % over all cells, and by more than 3 % by the other side's data. Also 1 where each side's choices
are slower by the other side's data, by more than 3 %: neither's decisions
hold for the other. Else 0.
A model and a database: how well do predictions match? The columns are the quantiles of 10, 50 and
90 % of measured / predicted - 1; the correlation of logarithms, and of ranks within a problem; the
number of problems in which the candidate with the least predicted time is within 3 % of the fastest,
and its regret; both once more, after a correction of the predictions by measurements at other p
("corr.").
Examples:
  breakeven compare monday.db tuesday.db
  breakeven compare tables/table.json after_update.db     # do the table's decisions still hold?
  breakeven compare cluster.toml results.db
  breakeven compare loggp:L=2e-6,o=1e-6,g=1e-6,G=1e-9 results.db --format json
  breakeven compare old/library_table.json new/library_table.json --format json)",
    .setup = compare_command::setup};
