// SPDX-License-Identifier: BSD-3-Clause
#include "harness/protocol/offer_json.hpp"

#include <nlohmann/json.hpp>

namespace breakeven {

void to_json(nlohmann::json& object, const LibraryOffer& offer) {
  nlohmann::json algorithms = nlohmann::json::array();
  for (const ListedAlgorithm& each : offer.algorithms) {
    algorithms.push_back({{"collective", kCollectives.of(each.collective)},
                          {"name", each.name},
                          {"value", each.value}});
  }
  nlohmann::json trees = nlohmann::json::array();
  for (const DefaultTree& each : offer.default_trees) {
    trees.push_back({{"name", each.name}, {"json", each.json}});
  }
  object = {{"algorithms", std::move(algorithms)},
            {"default_trees", std::move(trees)},
            {"note", offer.note}};
}

void from_json(const nlohmann::json& object, LibraryOffer& offer) {
  for (const nlohmann::json& each : object.at("algorithms")) {
    offer.algorithms.push_back(
        {.collective = kCollectives.parse(each.at("collective").get<std::string>()),
         .name = each.at("name"),
         .value = each.at("value")});
  }
  for (const nlohmann::json& each : object.at("default_trees")) {
    offer.default_trees.push_back({.name = each.at("name"), .json = each.at("json")});
  }
  offer.note = object.at("note");
}

}  // namespace breakeven
