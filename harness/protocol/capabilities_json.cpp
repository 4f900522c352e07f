// SPDX-License-Identifier: BSD-3-Clause
#include "harness/protocol/capabilities_json.hpp"

void nlohmann::adl_serializer<breakeven::LibraryCapabilities>::to_json(
    json& object, const breakeven::LibraryCapabilities& capabilities) {
  json algorithms = json::array();
  for (const breakeven::ListedAlgorithm& each : capabilities.algorithms) {
    algorithms.push_back({{"collective", breakeven::kCollectives.of(each.collective)},
                          {"name", each.name},
                          {"value", each.value}});
  }
  json trees = json::array();
  for (const breakeven::DefaultTree& each : capabilities.default_trees) {
    trees.push_back({{"name", each.name}, {"json", each.json}});
  }
  object = {{"algorithms", std::move(algorithms)},
            {"default_trees", std::move(trees)},
            {"note", capabilities.note}};
}

void nlohmann::adl_serializer<breakeven::LibraryCapabilities>::from_json(
    const json& object, breakeven::LibraryCapabilities& capabilities) {
  for (const json& each : object.at("algorithms")) {
    capabilities.algorithms.push_back(
        {.collective = breakeven::kCollectives.parse(each.at("collective").get<std::string>()),
         .name = each.at("name"),
         .value = each.at("value")});
  }
  for (const json& each : object.at("default_trees")) {
    capabilities.default_trees.push_back({.name = each.at("name"), .json = each.at("json")});
  }
  capabilities.note = object.at("note");
}
