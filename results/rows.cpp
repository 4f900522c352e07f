// SPDX-License-Identifier: BSD-3-Clause
#include "results/rows.hpp"

#include <SQLiteCpp/SQLiteCpp.h>
#include <SQLiteCpp/VariadicBind.h>

#include <string>

namespace breakeven::results {

namespace {

template <typename Enum, std::size_t Size>
std::string name(const Names<Enum, Size>& names, Enum value) {
  return std::string(names.of(value));
}

}  // namespace

void bind_case(SQLite::Statement& statement, const Case& what) {
  SQLite::bind(statement, name(kCollectives, what.collective), what.algorithm, what.params,
               what.procs, what.nodes, what.procs_per_node, to_text(what.mapping),
               what.message.value, name(kDatatypes, what.datatype), name(kOps, what.op),
               what.root.value, name(kCounts, what.counts));
}

Case read_case(const SQLite::Statement& row) {
  const auto number = [&](int column) { return row.getColumn(column).getInt(); };
  const auto text = [&](int column) { return row.getColumn(column).getString(); };
  return {.collective = kCollectives.parse(text(0)),
          .algorithm = text(1),
          .params = text(2),
          .procs = number(3),
          .nodes = number(4),
          .procs_per_node = number(5),
          .mapping = Mapping::parse(text(6)),
          .message = {row.getColumn(7).getInt64()},
          .datatype = kDatatypes.parse(text(8)),
          .op = kOps.parse(text(9)),
          .root = {number(10)},
          .counts = kCounts.parse(text(11))};
}

}  // namespace breakeven::results
