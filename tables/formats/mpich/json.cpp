// SPDX-License-Identifier: BSD-3-Clause
#include "tables/formats/mpich/json.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.hpp"
#include "tables/formats/common/choices.hpp"
#include "tables/formats/mpich/build.hpp"
#include "tables/formats/mpich/head.hpp"
#include "tables/formats/mpich/search.hpp"

namespace breakeven::formats::mpich {

namespace {

constexpr std::string_view kHowToUse =
    R"(Apply, for all processes of a job; each file does half without the other:

  export MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE=$PWD/mpich_coll.json
  export MPIR_CVAR_CH4_COLL_SELECTION_TUNING_JSON_FILE=$PWD/mpich_ch4_coll.json

Undo: unset both. Precedence: MPIR_CVAR_..._INTRA_ALGORITHM, then these files, then the library.
For this version of MPICH alone: another one may end at MPI_Init over names that it doesn't know.
The library reads the file when it starts, on every node. What is marked "by=breakeven" was chosen
from measurements; everything else is the library's own. Other communicators than users', other
numbers of processes than those between the least and the greatest measured, communicators with
one process on each node unless such were measured (or with several), and operations that an
algorithm can't do, keep the library's own answer.
)";

std::string_view name_of(Layer layer) { return layer == Layer::mpir ? "mpir" : "ch4"; }

std::string_view own_tree(const tables::Provenance& provenance, Layer layer) {
  const std::string_view tree = provenance.capabilities.tree_of(name_of(layer));
  if (!tree.empty()) return tree;
  throw UsageError(
      fmt::format("a tree for MPICH is made from its own, and the {} tree of '{}' isn't known: "
                  "measure with a worker that reports it",
                  name_of(layer), provenance.machine.library_version));
}

/// MPICH 4.0 maps the file and reads on until a zero: there is none behind a whole page.
std::string without_whole_pages(std::string text) {
  constexpr std::size_t kSmallestPage = 4096;
  if (text.size() % kSmallestPage == 0) text += '\n';
  return text;
}

Emitted emit(const tables::Table& table, const tables::Provenance& provenance, Layer layer) {
  const Series series = series_of(provenance);
  ParsedTree own = parse_tree(own_tree(provenance, layer));
  if (own.fault) {
    throw UsageError(fmt::format("the {} tree of '{}' can't be read: {}", name_of(layer),
                                 provenance.machine.library_version, own.fault->reason));
  }
  // A tree that is made of one with faults has them too.
  const auto faults = check_tree(own.chain, layer, series, {});
  if (own.chain.empty() || !faults.empty()) {
    throw UsageError(fmt::format("the {} tree of '{}' in the database is damaged: {}",
                                 name_of(layer), provenance.machine.library_version,
                                 own.chain.empty() ? "it is empty" : faults.front().reason));
  }
  BuiltTree built = build_tree(own.chain, layer, series, table, provenance);
  std::string text = "/*\n";
  std::string use{kHowToUse};
  for (const std::string& line : approximate_lines(table, built.approximate)) use += line + '\n';
  for (const std::string& line : head_lines(table, provenance, use, built.degraded)) {
    text += line.empty() ? " *\n" : fmt::format(" * {}\n", line);
  }
  text += fmt::format(" */\n{}\n", to_text(built.tree));
  return {.text = without_whole_pages(std::move(text)),
          .degraded = std::move(built.degraded),
          .approximate = std::move(built.approximate)};
}

ReadTable read(std::string_view text, Layer layer) {
  ParsedTree parsed = parse_tree(text);
  if (parsed.fault) return {.faults = {*parsed.fault}};
  if (const auto fault = unknown_version(text)) return {.faults = {*fault}};
  const std::optional<Series> series = series_in(text);
  ReadTable table{.faults = check_tree(parsed.chain, layer, series, text)};
  if (series == Series::v5_0) merge_places(parsed.chain);
  if (table.faults.empty()) answer_by(std::move(parsed.chain), layer, text, table);
  return table;
}

/// Whether the first leaf's word comes before the other's.
bool first_comes(std::string_view text, std::string_view word, std::string_view other) {
  const std::size_t at = text.find(word);
  return text.find("\"collective=") != std::string_view::npos && at != std::string_view::npos &&
         at < text.find(other);
}

}  // namespace

Emitted emit_json(const tables::Table& table, const tables::Provenance& provenance) {
  return emit(table, provenance, Layer::mpir);
}

Emitted emit_ch4_json(const tables::Table& table, const tables::Provenance& provenance) {
  return emit(table, provenance, Layer::ch4);
}

ReadTable read_json(std::string_view text) { return read(text, Layer::mpir); }

ReadTable read_ch4_json(std::string_view text) { return read(text, Layer::ch4); }

bool is_json(std::string_view text) {
  return first_comes(text, "\"algorithm=MPIR_", "\"composition=");
}

bool is_ch4_json(std::string_view text) {
  return first_comes(text, "\"composition=", "\"algorithm=");
}

}  // namespace breakeven::formats::mpich
