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
#include "tables/formats/openmpi/params.hpp"
#include "tables/formats/openmpi/rules.hpp"
#include "tables/formats/own/cpp_header.hpp"
#include "tables/formats/own/csv.hpp"
#include "tables/formats/own/json.hpp"

namespace breakeven::formats {

namespace {

/// A text that a template can have as its parameter.
template <std::size_t Size>
struct Literal {
  // NOLINTNEXTLINE(google-explicit-constructor): that is what lets a literal stand there
  constexpr Literal(const char (&text)[Size]) { std::copy_n(text, Size, letters); }
  char letters[Size];
};

/// Whether the text has the word anywhere.
template <Literal word>
bool says(std::string_view text) {
  return text.find(word.letters) != std::string_view::npos;
}

using tables::Candidates;

constexpr std::array kEmitters{
    Emitter{"cpp_header", "breakeven_table.hpp", Candidates::ours, "", cpp_header, read_cpp_header,
            says<"namespace breakeven_table">},
    Emitter{"openmpi_rules", "openmpi_rules.conf", Candidates::library, "openmpi",
            openmpi::emit_rules, openmpi::read_rules, openmpi::is_rules},
    Emitter{"openmpi_han_rules", "openmpi_han_rules.conf", Candidates::library, "openmpi",
            openmpi::emit_han_rules, openmpi::read_han_rules, openmpi::is_han_rules},
    Emitter{"openmpi_json", "openmpi_rules.json", Candidates::library, "openmpi",
            openmpi::emit_json, openmpi::read_json, says<"\"collectives\"">},
    Emitter{"openmpi_params", "openmpi_params.sh", Candidates::library, "openmpi",
            openmpi::emit_params, openmpi::read_params, says<"OMPI_MCA_coll_libnbc_">},
    Emitter{"json", "table.json", Candidates::all, "", json, read_json,
            says<"\"breakeven_table\"">},
    Emitter{"json_library", "library_table.json", Candidates::library, "", json, read_json,
            says<"\"breakeven_table\"">},
    Emitter{"csv", "table.csv", Candidates::all, "", csv, read_csv, is_csv},
    Emitter{"mpich_json", "mpich_coll.json", Candidates::library, "mpich", mpich::emit_json,
            mpich::read_json, mpich::is_json},
    Emitter{"mpich_ch4_json", "mpich_ch4_coll.json", Candidates::library, "mpich",
            mpich::emit_ch4_json, mpich::read_ch4_json, mpich::is_ch4_json},
    Emitter{"mpich_cvars", "mpich_cvars.sh", Candidates::library, "mpich", mpich::emit_cvars,
            mpich::read_cvars, mpich::is_cvars},
};

}  // namespace

std::span<const Emitter> emitters() { return kEmitters; }

FaultlessFile emit_faultless(const Emitter& emitter, const tables::Table& table,
                             const tables::Provenance& provenance) {
  Emitted emitted = emitter.emit(table, provenance);
  ReadTable read = emitter.read(emitted.text);
  if (read.faults.empty() && read.advice.empty()) return {std::move(emitted), std::move(read)};
  const auto& found = read.faults.empty() ? read.advice : read.faults;
  throw Error(fmt::format("{} would be written with a fault, so no file is: {}", emitter.file_name,
                          fault_text(emitter.file_name, found.front())));
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
