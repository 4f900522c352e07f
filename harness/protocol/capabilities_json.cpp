// SPDX-License-Identifier: BSD-3-Clause
#include "harness/protocol/capabilities_json.hpp"

#include <nlohmann/json.hpp>

namespace breakeven::protocol {

void to_json(nlohmann::json& object, const LibraryCapabilities& capabilities) {
  nlohmann::json algorithms = nlohmann::json::array();
  for (const ListedAlgorithm& each : capabilities.algorithms) {
    algorithms.push_back({{"collective", kCollectives.of(each.collective)},
                          {"name", each.name},
                          {"value", each.value}});
  }
  nlohmann::json trees = nlohmann::json::array();
  for (const DefaultTree& each : capabilities.default_trees) {
    trees.push_back({{"name", each.name}, {"json", each.json}});
  }
  object = {{"algorithms", std::move(algorithms)},
            {"default_trees", std::move(trees)},
            {"note", capabilities.note}};
}

void from_json(const nlohmann::json& object, LibraryCapabilities& capabilities) {
  for (const nlohmann::json& each : object.at("algorithms")) {
    capabilities.algorithms.push_back(
        {.collective = kCollectives.parse(each.at("collective").get<std::string>()),
         .name = each.at("name"),
         .value = each.at("value")});
  }
  for (const nlohmann::json& each : object.at("default_trees")) {
    capabilities.default_trees.push_back({.name = each.at("name"), .json = each.at("json")});
  }
  capabilities.note = object.at("note");
}

}  // namespace breakeven::protocol
