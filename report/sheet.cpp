// SPDX-License-Identifier: BSD-3-Clause
#include "report/sheet.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace breakeven::report {

namespace {

Row row_of(const tuner::Decision& decision) {
  const Case& problem = decision.problem;
  return {.oversubscribed = decision.oversubscribed,
          .procs = problem.procs,
          .nodes = problem.nodes,
          .procs_per_node = problem.procs_per_node,
          .mapping = problem.mapping,
          .comms_per_node = problem.comms_per_node};
}

/// The sizes that at least half of the rows have; all where there are none.
std::set<Bytes> common_sizes(std::span<const tuner::Decision* const> decisions) {
  std::set<Row> rows;
  std::map<Bytes, std::size_t> often;
  for (const tuner::Decision* each : decisions) {
    rows.insert(row_of(*each));
    ++often[each->problem.message];
  }
  const auto rare = [&](const auto& each) { return 2 * each.second < rows.size(); };
  if (!std::ranges::all_of(often, rare)) std::erase_if(often, rare);
  std::set<Bytes> common;
  for (const auto& [size, count] : often) common.insert(size);
  return common;
}

Sheet sheet_of(std::span<const tuner::Decision* const> decisions) {
  const std::set<Bytes> sizes = common_sizes(decisions);
  std::set<Row> rows;
  for (const tuner::Decision* each : decisions) {
    if (sizes.contains(each->problem.message)) rows.insert(row_of(*each));
  }
  Sheet sheet{.kind = decisions.front()->problem,
              .rows = {rows.begin(), rows.end()},
              .sizes = {sizes.begin(), sizes.end()}};
  sheet.kind.comms_per_node = 1;  // rows have it
  sheet.cells.resize(rows.size() * sizes.size());
  for (const tuner::Decision* each : decisions) {
    const auto size = std::ranges::lower_bound(sheet.sizes, each->problem.message);
    const auto row = std::ranges::lower_bound(sheet.rows, row_of(*each));
    if (!sizes.contains(each->problem.message)) {
      sheet.left_out.insert(each->problem.message);
      continue;
    }
    sheet.cells[static_cast<std::size_t>(row - sheet.rows.begin()) * sheet.sizes.size() +
                static_cast<std::size_t>(size - sheet.sizes.begin())] = each;
  }
  return sheet;
}

}  // namespace

std::vector<Sheet> sheets_of(std::span<const tuner::Decision> decisions, Panels panels) {
  using Kind = std::tuple<std::string_view, Datatype, Op, Rank, CallForm, Mapping>;
  std::map<Kind, std::vector<const tuner::Decision*>> kinds;
  for (const tuner::Decision& each : decisions) {
    const Case& problem = each.problem;
    kinds[{kCollectives.of(problem.collective), problem.datatype, problem.op, problem.root,
           problem.form, panels == Panels::for_each_mapping ? problem.mapping : Mapping{}}]
        .push_back(&each);
  }
  std::vector<Sheet> sheets;
  for (const auto& [kind, of_kind] : kinds) sheets.push_back(sheet_of(of_kind));
  return sheets;
}

bool has_gaps(const Sheet& sheet) { return std::ranges::count(sheet.cells, nullptr) > 0; }

std::string data_text(const Case& kind) {
  std::vector<std::string> texts = particulars(kind);
  if (kind.op != Op::none) texts.emplace(texts.begin(), kOps.of(kind.op));
  if (moves_data(kind.collective)) texts.emplace(texts.begin(), kDatatypes.of(kind.datatype));
  return fmt::format("{}", fmt::join(texts, ", "));
}

std::string row_text(const Sheet& sheet, std::size_t row) {
  const Row& here = sheet.rows[row];
  const auto alike = std::ranges::count(sheet.rows, here.procs, &Row::procs);
  const std::string_view mark = here.oversubscribed ? "*" : "";
  if (alike == 1 && here.comms_per_node == 1) return fmt::format("{}{}", here.procs, mark);
  const auto mapped = std::ranges::count(sheet.rows, here.mapping, &Row::mapping);
  const bool several = mapped < static_cast<std::ptrdiff_t>(sheet.rows.size());
  const std::string at_once =
      here.comms_per_node == 1 ? "" : fmt::format("*{}", here.comms_per_node);
  return fmt::format("{} ({}×{}{}{}{}){}", here.procs, here.nodes, here.procs_per_node, at_once,
                     several ? " " : "", several ? to_text(here.mapping) : "", mark);
}

std::string choice_of(const tuner::Decision& decision) {
  return to_text(decision.choice().times.what.variant);
}

}  // namespace breakeven::report
