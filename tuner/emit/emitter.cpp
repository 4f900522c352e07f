// SPDX-License-Identifier: BSD-3-Clause
#include "tuner/emit/emitter.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/error.hpp"
#include "tuner/emit/cpp_header.hpp"
#include "tuner/emit/csv.hpp"
#include "tuner/emit/intel_mpi.hpp"
#include "tuner/emit/json.hpp"
#include "tuner/emit/mpich_cvars.hpp"
#include "tuner/emit/mpich_json.hpp"
#include "tuner/emit/openmpi_json.hpp"
#include "tuner/emit/openmpi_rules.hpp"
#include "tuner/emit/ucc.hpp"

namespace breakeven {

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
              .candidates = Candidates::ours,
              .library = "",
              .emit = cpp_header,
              .read = read_cpp_header,
              .recognises = says<"namespace breakeven_table">},
      Emitter{.name = "openmpi_rules",
              .file_name = "openmpi_rules.conf",
              .candidates = Candidates::library,
              .library = "openmpi",
              .emit = openmpi_rules,
              .read = read_openmpi_rules,
              .recognises = is_openmpi_rules},
      Emitter{.name = "openmpi_json",
              .file_name = "openmpi_rules.json",
              .candidates = Candidates::library,
              .library = "openmpi",
              .emit = openmpi_json,
              .read = read_openmpi_json,
              .recognises = says<"\"rule_file_version\"">},
      Emitter{.name = "intel_mpi",
              .file_name = "intel_mpi.sh",
              .candidates = Candidates::all,
              .library = "",
              .emit = intel_mpi,
              .read = read_intel_mpi,
              .recognises = says<"I_MPI_ADJUST_">},
      Emitter{.name = "ucc",
              .file_name = "ucc_tune.sh",
              .candidates = Candidates::all,
              .library = "",
              .emit = ucc,
              .read = read_ucc,
              .recognises = says<"UCC_TL_">},
      Emitter{.name = "json",
              .file_name = "table.json",
              .candidates = Candidates::all,
              .library = "",
              .emit = json,
              .read = read_json,
              .recognises = says<"\"breakeven_table\"">},
      Emitter{.name = "json_library",
              .file_name = "library_table.json",
              .candidates = Candidates::library,
              .library = "",
              .emit = json,
              .read = read_json,
              .recognises = says<"\"breakeven_table\"">},
      Emitter{.name = "csv",
              .file_name = "table.csv",
              .candidates = Candidates::all,
              .library = "",
              .emit = csv,
              .read = read_csv,
              .recognises = says<"collective,mapping,procs,">},
      Emitter{.name = "mpich_json",
              .file_name = "mpich_coll.json",
              .candidates = Candidates::library,
              .library = "mpich",
              .emit = mpich_json,
              .read = read_mpich_json,
              .recognises = is_mpich_json},
      Emitter{.name = "mpich_ch4_json",
              .file_name = "mpich_ch4_coll.json",
              .candidates = Candidates::library,
              .library = "mpich",
              .emit = mpich_ch4_json,
              .read = read_mpich_ch4_json,
              .recognises = is_mpich_ch4_json},
      Emitter{.name = "mpich_cvars",
              .file_name = "mpich_cvars.sh",
              .candidates = Candidates::library,
              .library = "mpich",
              .emit = mpich_cvars,
              .read = read_mpich_cvars,
              .recognises = is_mpich_cvars},
  };
  return kEmitters;
}

const Emitter& find_emitter(std::string_view name) {
  const auto rows = emitters();
  const auto found = std::ranges::find(rows, name, &Emitter::name);
  if (found != rows.end()) return *found;
  std::string known;
  for (const Emitter& row : rows) known += fmt::format(" {}", row.name);
  throw UsageError(fmt::format("no table format '{}'; known:{}", name, known));
}

}  // namespace breakeven
