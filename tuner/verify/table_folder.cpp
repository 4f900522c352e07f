// SPDX-License-Identifier: BSD-3-Clause
#include "tuner/verify/table_folder.hpp"

#include <fmt/format.h>

#include <map>
#include <optional>

#include "core/error.hpp"
#include "core/file_set.hpp"
#include "core/files.hpp"
#include "tables/formats/emitter.hpp"
#include "tables/formats/own/cpp_header.hpp"
#include "tables/formats/own/csv.hpp"
#include "tables/formats/own/json.hpp"
#include "tuner/readable.hpp"
#include "tuner/verify/table_in_force.hpp"

namespace breakeven::verify {

namespace {

namespace fs = std::filesystem;

/// A table of a folder, for one kind of reader, with its choices taken back.
struct Rewritten {
  formats::KeptTable kept{};
  bool changed = false;
};
using Tables = std::map<tables::Candidates, Rewritten>;

bool same_choices(const tables::Table& one, const tables::Table& other) {
  return std::ranges::equal(one.rules, other.rules, {}, &tables::Rule::what, &tables::Rule::what);
}

Rewritten without(formats::KeptTable kept, std::span<const TakenBack> choices,
                  const std::string& trial) {
  Rewritten rewritten{.kept = std::move(kept)};
  std::vector<TakenBack> met;
  for (const TakenBack& each : choices) {
    tables::Table next = with_default(rewritten.kept.table, each);
    if (same_choices(next, rewritten.kept.table)) continue;
    rewritten.kept.table = std::move(next);
    met.push_back(each);
  }
  for (const std::string& line : lines_of(met)) {
    rewritten.kept.provenance.verified.push_back(fmt::format("{}: {}", trial, line));
  }
  rewritten.changed = !met.empty();
  return rewritten;
}

/// The table of a folder for one kind of reader, from the file that has all of it.
std::optional<formats::KeptTable> kept_in(const fs::path& folder, tables::Candidates candidates) {
  const auto read = [&](std::string_view format,
                        auto&& reader) -> std::optional<formats::KeptTable> {
    const fs::path file = folder / formats::find_emitter(format).file_name;
    if (!fs::exists(file)) return std::nullopt;
    return formats::without_faults(reader(read_file(file)), file.string());
  };
  switch (candidates) {
    case tables::Candidates::ours: return read("cpp_header", formats::read_kept_header);
    case tables::Candidates::library: return read("json_library", formats::read_kept_table);
    case tables::Candidates::all: break;
  }
  auto all = read("json", formats::read_kept_table);
  return all ? all : read("csv", formats::read_kept_csv);
}

const tables::Table* table_of(const Tables& tables, tables::Candidates candidates) {
  const auto found = tables.find(candidates);
  return found == tables.end() ? nullptr : &found->second.kept.table;
}

/// The texts for people are written anew from the same tables.
std::string readable_of(const Tables& tables, const std::set<std::string>& files,
                        const fs::path& next, std::string_view before) {
  tuner::ReadableTables shown{.library = table_of(tables, tables::Candidates::library),
                              .all = table_of(tables, tables::Candidates::all),
                              .header = table_of(tables, tables::Candidates::ours)};
  for (const formats::Emitter& each : formats::emitters()) {
    if (!each.library.empty() && files.contains(std::string{each.file_name})) {
      shown.library_files.push_back(each.file_name);
      shown.library_answers.push_back(each.read(read_file(next / each.file_name)));
    }
  }
  tables::Provenance provenance =
      tables.at(shown.all != nullptr ? tables::Candidates::all : tables::Candidates::library)
          .kept.provenance;
  provenance.verified.clear();
  for (const auto& [candidates, each] : tables) {
    for (const std::string& line : each.kept.provenance.verified) {
      if (std::ranges::find(provenance.verified, line) == provenance.verified.end()) {
        provenance.verified.push_back(line);
      }
    }
  }
  return tuner::readable(shown, provenance, tuner::notes_in(before));
}

/// Replaces the files of a folder whose tables changed, and its texts for people, all at once.
void rewrite_tables(const fs::path& folder, const std::set<std::string>& files,
                    const Tables& tables) {
  FileSet set{folder};
  for (const std::string& name : files_of_set(folder)) {
    if (!files.contains(name)) set.keep(name);
  }
  for (const formats::Emitter& each : formats::emitters()) {
    const std::string name{each.file_name};
    if (!files.contains(name)) continue;
    const auto table = tables.find(each.candidates);
    if (table == tables.end() || !table->second.changed) {
      set.keep(name);
      continue;
    }
    const auto& [kept, changed] = table->second;
    write_file(set.next() / name, formats::emit_faultless(each, kept.table, kept.provenance).text);
  }
  const fs::path readable = folder / tuner::kReadableName;
  const bool shown =
      tables.contains(tables::Candidates::all) || tables.contains(tables::Candidates::library);
  if (shown && fs::exists(readable)) {
    fs::remove(set.next() / tuner::kReadableName);
    write_file(set.next() / tuner::kReadableName,
               readable_of(tables, files, set.next(), read_file(readable)));
  }
  set.commit({});
}

/// Adds a module file to files that an MPI library loads.
/// @param folder  where they will be
/// @return the result, a line
std::string write_module(const fs::path& files, const fs::path& folder,
                         const tables::Provenance& provenance, const tables::Table& table) {
  const Machine& machine = provenance.machine;
  if (machine.kind != MachineKind::library || !has_table(files, machine.name)) return "";
  try {
    const fs::path module = write_module_file(files, provenance, table.on_several_nodes());
    return fmt::format("wrote {}\n", (folder / module.lexically_relative(files)).string());
  } catch (const UsageError& error) {
    return fmt::format("skipped the module file: {}\n", error.what());
  }
}

}  // namespace

std::set<std::string> table_files_in(const fs::path& folder) {
  std::set<std::string> files;
  for (const formats::Emitter& each : formats::emitters()) {
    const fs::path file = folder / each.file_name;
    if (!fs::is_regular_file(file)) continue;
    const std::string text = read_file(file);
    // Of a table that keeps the default everywhere, the head may be all there is.
    const bool headed = text.find("A table of Breakeven") != std::string::npos;
    if (headed || each.recognises(text)) files.emplace(each.file_name);
  }
  return files;
}

std::string write_tables(const fs::path& folder, const std::string& readable,
                         std::span<const tuner::TableFile> files, bool asked,
                         const tables::Provenance& provenance, const tables::Table& table) {
  FileSet set{folder};
  write_file(set.next() / tuner::kReadableName, readable);
  std::string lines = fmt::format("wrote {}\n", (folder / tuner::kReadableName).string());
  std::set<std::string> gone = table_files_in(folder);
  for (const auto& [emitter, emitted, reason] : files) {
    const std::string name{emitter->file_name};
    if (emitted) {
      write_file(set.next() / name, emitted->text);
      gone.erase(name);
      lines += fmt::format("wrote {}\n", (folder / name).string());
      for (const std::string& line : emitted->degraded) lines += fmt::format("  {}\n", line);
    } else if (!asked) {
      lines += fmt::format("skipped {}: {}\n", emitter->name, reason);
    }
  }
  lines += write_module(set.next(), folder, provenance, table);
  set.commit(gone);
  for (const std::string& name : gone) {
    lines += fmt::format("removed {}, of the table before\n", (folder / name).string());
  }
  return lines;
}

void write_without(const fs::path& file, std::span<const TakenBack> choices,
                   const std::string& trial) {
  const fs::path folder = file.has_parent_path() ? file.parent_path() : ".";
  const std::set<std::string> files = table_files_in(folder);
  if (files.size() < 2 || !files.contains(file.filename())) {
    const Rewritten alone =
        without(formats::without_faults(formats::read_kept_header(read_file(file)), file.string()),
                choices, trial);
    return write_file(file, formats::emit_faultless(formats::find_emitter("cpp_header"),
                                                    alone.kept.table, alone.kept.provenance)
                                .text);
  }
  Tables tables;
  for (const auto& [candidates, name] : tables::kCandidates.entries) {
    if (auto kept = kept_in(folder, candidates)) {
      tables.emplace(candidates, without(*std::move(kept), choices, trial));
    }
  }
  rewrite_tables(folder, files, tables);
}

}  // namespace breakeven::verify
