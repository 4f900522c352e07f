// SPDX-License-Identifier: BSD-3-Clause
#include "tables/formats/emitter.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "core/error.hpp"
#include "core/unknown.hpp"
#include "tables/formats/common/head.hpp"
#include "tables/formats/mpich/cvars.hpp"
#include "tables/formats/mpich/json.hpp"
#include "tables/formats/openmpi/han_rules.hpp"
#include "tables/formats/openmpi/json.hpp"
#include "tables/formats/openmpi/rules.hpp"
#include "tables/formats/own/cpp_header.hpp"
#include "tables/formats/own/csv.hpp"
#include "tables/formats/own/json.hpp"

namespace breakeven::formats {

namespace {

/// A text that a template can have as its parameter.
template <std::size_t Size>
struct Word {
  // NOLINTNEXTLINE(google-explicit-constructor): that is what lets a literal stand there
  constexpr Word(const char (&text)[Size]) { std::copy_n(text, Size, letters); }
  char letters[Size];
};

/// Whether the text has the word anywhere.
template <Word word>
bool says(std::string_view text) {
  return text.find(word.letters) != std::string_view::npos;
}

}  // namespace

std::span<const Emitter> emitters() {
  static constexpr std::array kEmitters{
      Emitter{.name = "cpp_header",
              .file_name = "breakeven_table.hpp",
              .candidates = tables::Candidates::ours,
              .library = "",
              .emit = cpp_header,
              .read = read_cpp_header,
              .recognises = says<"namespace breakeven_table">},
      Emitter{.name = "openmpi_rules",
              .file_name = "openmpi_rules.conf",
              .candidates = tables::Candidates::library,
              .library = "openmpi",
              .emit = openmpi::emit_rules,
              .read = openmpi::read_rules,
              .recognises = openmpi::is_rules},
      Emitter{.name = "openmpi_han_rules",
              .file_name = "openmpi_han_rules.conf",
              .candidates = tables::Candidates::library,
              .library = "openmpi",
              .emit = openmpi::emit_han_rules,
              .read = openmpi::read_han_rules,
              .recognises = openmpi::is_han_rules},
      Emitter{.name = "openmpi_json",
              .file_name = "openmpi_rules.json",
              .candidates = tables::Candidates::library,
              .library = "openmpi",
              .emit = openmpi::emit_json,
              .read = openmpi::read_json,
              .recognises = says<"\"rule_file_version\"">},
      Emitter{.name = "json",
              .file_name = "table.json",
              .candidates = tables::Candidates::all,
              .library = "",
              .emit = json,
              .read = read_json,
              .recognises = says<"\"breakeven_table\"">},
      Emitter{.name = "json_library",
              .file_name = "library_table.json",
              .candidates = tables::Candidates::library,
              .library = "",
              .emit = json,
              .read = read_json,
              .recognises = says<"\"breakeven_table\"">},
      Emitter{.name = "csv",
              .file_name = "table.csv",
              .candidates = tables::Candidates::all,
              .library = "",
              .emit = csv,
              .read = read_csv,
              .recognises = is_csv},
      Emitter{.name = "mpich_json",
              .file_name = "mpich_coll.json",
              .candidates = tables::Candidates::library,
              .library = "mpich",
              .emit = mpich::emit_json,
              .read = mpich::read_json,
              .recognises = mpich::is_json},
      Emitter{.name = "mpich_ch4_json",
              .file_name = "mpich_ch4_coll.json",
              .candidates = tables::Candidates::library,
              .library = "mpich",
              .emit = mpich::emit_ch4_json,
              .read = mpich::read_ch4_json,
              .recognises = mpich::is_ch4_json},
      Emitter{.name = "mpich_cvars",
              .file_name = "mpich_cvars.sh",
              .candidates = tables::Candidates::library,
              .library = "mpich",
              .emit = mpich::emit_cvars,
              .read = mpich::read_cvars,
              .recognises = mpich::is_cvars},
  };
  return kEmitters;
}

FaultlessFile emit_faultless(const Emitter& emitter, const tables::Table& table,
                             const tables::Provenance& provenance) {
  Emitted emitted = emitter.emit(table, provenance);
  ReadTable read = emitter.read(emitted.text);
  if (read.faults.empty()) return {std::move(emitted), std::move(read)};
  throw Error(fmt::format("{} would be written with a fault, so no file is: {}", emitter.file_name,
                          fault_text(emitter.file_name, read.faults.front())));
}

const Emitter& find_emitter(std::string_view name) {
  const auto rows = emitters();
  const auto found = std::ranges::find(rows, name, &Emitter::name);
  if (found != rows.end()) return *found;
  std::vector<std::string_view> known;
  for (const Emitter& row : rows) known.push_back(row.name);
  throw UsageError(unknown("table format", name, known));
}

}  // namespace breakeven::formats
