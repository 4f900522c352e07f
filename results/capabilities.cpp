// SPDX-License-Identifier: BSD-3-Clause
#include "results/capabilities.hpp"

#include <SQLiteCpp/SQLiteCpp.h>
#include <SQLiteCpp/VariadicBind.h>

#include "results/statements.hpp"

namespace breakeven::results {

void insert_capabilities(SQLite::Database& database, MachineId machine,
                         const LibraryCapabilities& capabilities) {
  OwnTransaction transaction(database);
  SQLite::Statement algorithm(
      database,
      "INSERT OR IGNORE INTO library_algorithm (machine_id, collective, name, value) "
      "VALUES (?, ?, ?, ?)");
  for (const ListedAlgorithm& each : capabilities.algorithms) {
    SQLite::bind(fresh(algorithm), number(machine), std::string(kCollectives.of(each.collective)),
                 each.name, each.value);
    algorithm.exec();
  }
  SQLite::Statement tree(
      database, "INSERT OR IGNORE INTO default_tree (machine_id, name, json) VALUES (?, ?, ?)");
  for (const DefaultTree& each : capabilities.default_trees) {
    SQLite::bind(fresh(tree), number(machine), each.name, each.json);
    tree.exec();
  }
  transaction.commit();
}

LibraryCapabilities select_capabilities(SQLite::Database& database, MachineId machine) {
  LibraryCapabilities capabilities;
  SQLite::Statement algorithm(database,
                              "SELECT collective, name, value FROM library_algorithm "
                              "WHERE machine_id = ? ORDER BY collective, value");
  algorithm.bind(1, number(machine));
  while (algorithm.executeStep()) {
    capabilities.algorithms.push_back(
        {.collective = kCollectives.parse(algorithm.getColumn(0).getString()),
         .name = algorithm.getColumn(1),
         .value = algorithm.getColumn(2)});
  }
  SQLite::Statement tree(database,
                         "SELECT name, json FROM default_tree WHERE machine_id = ? ORDER BY id");
  tree.bind(1, number(machine));
  while (tree.executeStep()) {
    capabilities.default_trees.push_back({.name = tree.getColumn(0), .json = tree.getColumn(1)});
  }
  return capabilities;
}

}  // namespace breakeven::results
