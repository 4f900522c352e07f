// SPDX-License-Identifier: BSD-3-Clause
#include "tuner/tuned_tables.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <ranges>
#include <set>

#include "core/error.hpp"
#include "core/parallel.hpp"
#include "libraries/library_algorithm.hpp"
#include "tuner/readable.hpp"

namespace breakeven::tuner {

namespace {

std::vector<const formats::Emitter*> chosen_emitters(std::span<const std::string> formats,
                                                     const Machine& machine) {
  for (const std::string& format : formats) static_cast<void>(formats::find_emitter(format));
  std::vector<const formats::Emitter*> chosen;
  for (const formats::Emitter& emitter : formats::emitters()) {
    const bool suits = emitter.library.empty() || emitter.library == machine.name;
    // `verify` writes all others anew from the files in JSON.
    const bool needed = formats.empty() || emitter.emit == formats::find_emitter("json").emit;
    const bool asked = std::ranges::find(formats, emitter.name) != formats.end();
    if (asked || (suits && needed)) chosen.push_back(&emitter);
  }
  return chosen;
}

/// @throws UsageError when there can be no such table of these measurements
formats::FaultlessFile emit(const formats::Emitter& emitter, TunedTables& tables,
                            tables::Provenance provenance) {
  if (emitter.candidates == tables::Candidates::library && !tables.of_library()) {
    throw UsageError(
        fmt::format("{} is a table of the library's own algorithms, and none was measured: sweep "
                    "with --algorithms native,library",
                    emitter.name));
  }
  if (emitter.candidates != tables::Candidates::library && !tables.of_programs()) {
    throw UsageError(
        fmt::format("{} is a table for blocking calls, and none was measured", emitter.name));
  }
  const TunedTables::Made& made = tables.of(emitter.candidates);
  provenance.reproducible = fmt::format("{}", fmt::join(made.reproducible, "; "));
  return formats::emit_faultless(emitter, made.table, provenance);
}

}  // namespace

TunedTables::TunedTables(std::span<const Measurement> measurements, TableKey key,
                         std::optional<SameBits> same_bits)
    : measurements_{measurements},
      key_{std::move(key)},
      same_bits_{same_bits},
      of_library_{std::ranges::any_of(
          measurements,
          [](const Measurement& each) { return each.what.variant.is<LibraryOwn>(); })},
      of_programs_{!of_library_ || std::ranges::any_of(measurements, [](const Measurement& each) {
        return each.what.form == CallForm::blocking;
      })} {}

const TunedTables::Made& TunedTables::of(tables::Candidates candidates) {
  const auto known = made_.find(candidates);
  return known != made_.end() ? known->second
                              : made_.emplace(candidates, make(candidates)).first->second;
}

TunedTables::Made TunedTables::make(tables::Candidates candidates) const {
  TableKey key = key_;
  key.candidates = candidates;
  Made made;
  if (same_bits_) {
    const Reproducible constrained = reproducible(measurements_, key, *same_bits_);
    key.fixed = fixed_by(constrained.choices);
    made = {make_table(constrained.measurements, key), lines_of(constrained.choices, *same_bits_)};
  } else {
    const std::vector<Measurement> selected = select(measurements_, key);
    made.decisions = decide(selected, key);
    made.table = make_table(selected, made.decisions, candidates);
  }
  return made;
}

void TunedTables::make_all() {
  std::vector<tables::Candidates> kinds;
  if (of_programs_) kinds = {tables::Candidates::all, tables::Candidates::ours};
  if (of_library_) kinds.push_back(tables::Candidates::library);
  std::vector<Made> made(kinds.size());
  for_each_in_parallel(std::views::iota(std::size_t{0}, kinds.size()),
                       [&](std::size_t i) { made[i] = make(kinds[i]); });
  for (std::size_t i = 0; i < kinds.size(); ++i) made_.emplace(kinds[i], std::move(made[i]));
}

const tables::Table& TunedTables::widest() {
  return of(of_programs_ ? tables::Candidates::all : tables::Candidates::library).table;
}

std::vector<CrossValidation> TunedTables::cross_validated() const {
  std::vector<CrossValidation> all;
  for (const auto kind : {tables::Candidates::ours, tables::Candidates::library}) {
    const auto made = made_.find(kind);
    if (made == made_.end()) continue;
    std::ranges::move(cross_validate(made->second.decisions, made->second.table),
                      std::back_inserter(all));
  }
  return all;
}

std::string TunedTables::reproducible_text() {
  std::string text =
      "\nReproducible\n  each collective that reduces has one choice for all sizes and p; slowdown "
      "against the choices without this constraint:\n";
  const auto add = [&](std::string_view whose, tables::Candidates candidates) {
    for (const std::string& line : of(candidates).reproducible) {
      text += fmt::format("    {}: {}\n", whose, line);
    }
  };
  add("Breakeven's", tables::Candidates::ours);
  if (of_library_) add("the library's", tables::Candidates::library);
  return text;
}

std::vector<std::string> unsafe_lines(std::span<const Measurement> measurements,
                                      const libraries::AlgorithmNames& allowed) {
  std::map<std::string, std::string> harms;
  for (const Measurement& each : measurements) {
    const auto left = libraries::unguarded(each.what);
    if (!left.empty())
      harms.try_emplace(libraries::algorithm_name(each.what), libraries::harm_of(left));
  }
  for (const std::string& name : allowed) {
    if (harms.contains(name)) continue;
    throw UsageError(fmt::format(
        "--allow-unsafe: '{}' is no unsafe algorithm that was measured; those are: {}", name,
        harms.empty() ? "none" : fmt::to_string(fmt::join(std::views::keys(harms), ", "))));
  }
  std::vector<std::string> lines;
  for (const auto& [name, harm] : harms) {
    if (!allowed.contains(name)) lines.push_back(fmt::format("{}: {}", name, harm));
  }
  return lines;
}

std::vector<TableFile> table_files(std::span<const std::string> formats, TunedTables& tables,
                                   const tables::Provenance& provenance) {
  std::vector<TableFile> files;
  for (const formats::Emitter* emitter : chosen_emitters(formats, provenance.machine)) {
    TableFile file{.emitter = emitter};
    try {
      file.emitted = emit(*emitter, tables, provenance);
    } catch (const UsageError& error) {
      if (std::ranges::find(formats, emitter->name) != formats.end()) throw;
      file.reason = error.what();
    }
    files.push_back(std::move(file));
  }
  return files;
}

std::string covered_text(const std::string& file, const ProgramTime& time,
                         const tables::Table& table) {
  const Seconds all = total(time);
  double covered_s = 0;
  std::set<std::string> called;
  for (const auto& [calls, seconds] : time) {
    const auto answers = [&](const tables::Rule& rule) {
      return rule.what.collective == calls.collective && rule.what.form == calls.form &&
             layout_of(rule.what) == calls.layout;
    };
    if (std::ranges::any_of(table.rules, answers)) covered_s += seconds.value;
    called.insert(
        fmt::format("{} at {}", call_name(calls.collective, calls.form), to_text(calls.layout)));
  }
  if (covered_s == 0) {
    throw UsageError(
        fmt::format("{}: nothing that the program calls was measured; it calls: {}", file,
                    called.empty() ? "none" : fmt::format("{}", fmt::join(called, ", "))));
  }
  return fmt::format(
      "Weighted by {}: of the {} that the program spends in collectives, {:.0f} % are at the "
      "collectives and layouts of this table\n",
      file, to_text(all), 100 * covered_s / all.value);
}

std::vector<formats::ReadTable> library_answers(std::span<const TableFile> files) {
  std::vector<formats::ReadTable> answers;
  for (const TableFile& each : files) {
    if (!each.emitted || each.emitter->library.empty()) continue;
    answers.push_back(each.emitted->read);
  }
  return answers;
}

std::string readable_text(TunedTables& tables, std::span<const TableFile> files,
                          const tables::Provenance& provenance, std::string_view notes) {
  ReadableTables shown{
      .library_answers = library_answers(files),
      .all = tables.of_programs() ? &tables.of(tables::Candidates::all).table : nullptr};
  if (tables.of_library()) shown.library = &tables.of(tables::Candidates::library).table;
  for (const TableFile& each : files) {
    if (!each.emitted) continue;
    if (!each.emitter->library.empty()) shown.library_files.push_back(each.emitter->file_name);
    if (each.emitter->candidates == tables::Candidates::ours) {
      shown.header = &tables.of(tables::Candidates::ours).table;
    }
  }
  return readable(shown, provenance, notes);
}

}  // namespace breakeven::tuner
