// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>

#include "cli/tables.hpp"
#include "core/error.hpp"
#include "core/files.hpp"
#include "libraries/library_algorithm.hpp"
#include "tables/formats/common/head.hpp"

namespace breakeven::cli {

namespace {

/// @throws UsageError when no call can be like that
Case problem_of(const AskOptions& options) {
  Case problem{.collective = kCollectives.parse(options.collective),
               .procs = options.procs,
               .nodes = options.nodes,
               .mapping = Mapping::parse(options.mapping),
               .datatype = kDatatypes.parse(options.datatype)};
  if (options.procs < 1) throw UsageError(fmt::format("--procs {}: no such call", options.procs));
  if (options.nodes < 1 || options.nodes > options.procs) {
    throw UsageError(
        fmt::format("{} processes don't lie on {} nodes", options.procs, options.nodes));
  }
  problem.procs_per_node = (problem.procs + problem.nodes - 1) / problem.nodes;
  if (!options.bytes.empty()) {
    problem.message = parse_bytes(options.bytes);
  } else if (moves_data(problem.collective)) {
    throw UsageError(fmt::format("--bytes is required for {}", options.collective));
  }
  return problem;
}

/// @throws UsageError naming the file where it has faults, or says nothing of the collective
formats::ReadTable read(const std::string& file, Collective collective) {
  if (std::filesystem::is_directory(file)) {
    throw UsageError(fmt::format("'{}' is a folder; ask one of its tables: {}", file,
                                 fmt::join(files_at(file), " ")));
  }
  const std::string text = read_file(file);
  const formats::Emitter* const format = format_of(file, text);
  if (format == nullptr) {
    throw UsageError(fmt::format("{}: it looks like no form of table that is known here", file));
  }
  formats::ReadTable table = format->read(text);
  if (!table.faults.empty()) throw UsageError(formats::fault_text(file, table.faults.front()));
  if (table.collectives.contains(collective)) return table;
  std::vector<std::string_view> known;
  for (const Collective each : table.collectives) known.push_back(kCollectives.of(each));
  throw UsageError(fmt::format("{}: no rule for {}, which is left to the library; it has: {}", file,
                               kCollectives.of(collective), fmt::join(known, " ")));
}

}  // namespace

int ask_table(const AskOptions& options) {
  const Case problem = problem_of(options);
  const formats::Answer answer = read(options.file, problem.collective).answer(problem);
  const Case choice = with_variant(problem, Variant::parse(answer.variant));
  const bool native = answer.variant == kNative;
  fmt::print("{}{}\n", native ? "native: the library decides" : algorithm_text(choice),
             answer.number == 0 ? "" : fmt::format(", number {}", answer.number));
  fmt::print("{}\n", formats::fault_text(options.file, {answer.line, answer.rule}));
  for (const std::string& note : answer.notes) fmt::print("  {}\n", note);
  if (const auto harms = libraries::unguarded(choice); !harms.empty()) {
    fmt::print("  {}\n", libraries::harm_of(harms));
  }
  return 0;
}

}  // namespace breakeven::cli
