// SPDX-License-Identifier: BSD-3-Clause
#include "results/offers.hpp"

#include <SQLiteCpp/SQLiteCpp.h>
#include <SQLiteCpp/VariadicBind.h>

#include "results/statements.hpp"

namespace breakeven {

void insert_offer(SQLite::Database& database, MachineId machine, const LibraryOffer& offer) {
  OwnTransaction transaction(database);
  SQLite::Statement algorithm(
      database,
      "INSERT OR IGNORE INTO library_algorithm (machine_id, collective, name, value) "
      "VALUES (?, ?, ?, ?)");
  for (const ListedAlgorithm& each : offer.algorithms) {
    SQLite::bind(fresh(algorithm), number(machine), std::string(kCollectives.of(each.collective)),
                 each.name, each.value);
    algorithm.exec();
  }
  SQLite::Statement tree(
      database, "INSERT OR IGNORE INTO default_tree (machine_id, name, json) VALUES (?, ?, ?)");
  for (const DefaultTree& each : offer.default_trees) {
    SQLite::bind(fresh(tree), number(machine), each.name, each.json);
    tree.exec();
  }
  transaction.commit();
}

LibraryOffer select_offer(SQLite::Database& database, MachineId machine) {
  LibraryOffer offer;
  SQLite::Statement algorithm(database,
                              "SELECT collective, name, value FROM library_algorithm "
                              "WHERE machine_id = ? ORDER BY collective, value");
  algorithm.bind(1, number(machine));
  while (algorithm.executeStep()) {
    offer.algorithms.push_back(
        {.collective = kCollectives.parse(algorithm.getColumn(0).getString()),
         .name = algorithm.getColumn(1),
         .value = algorithm.getColumn(2)});
  }
  SQLite::Statement tree(database,
                         "SELECT name, json FROM default_tree WHERE machine_id = ? ORDER BY id");
  tree.bind(1, number(machine));
  while (tree.executeStep()) {
    offer.default_trees.push_back({.name = tree.getColumn(0), .json = tree.getColumn(1)});
  }
  return offer;
}

}  // namespace breakeven
