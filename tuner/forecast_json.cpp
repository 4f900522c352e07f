// SPDX-License-Identifier: BSD-3-Clause
#include "core/json.hpp"
#include "tuner/forecast.hpp"

namespace breakeven::tuner {

namespace {

Json interval_json(const std::optional<ForecastInterval>& interval) {
  if (!interval) return nullptr;
  return {interval->low, interval->high};
}

Json time_json(const Forecast& forecast, const ForecastCell& cell) {
  Json json{{"algorithm", forecast.variant.algorithm->name},
            {"params", forecast.variant.params.text()},
            {"time_s", forecast.prediction.time.value},
            {"basis", sim::kBases.of(forecast.prediction.basis)},
            {"formula_s", nullptr}};
  if (forecast.stated) json["formula_s"] = forecast.stated->value;
  if (forecast.draws_s.empty()) return json;
  json["interval_s"] = interval_json(interval_of(forecast));
  json["ratio"] = ratio_of(cell.fastest().prediction.time, forecast.prediction.time);
  json["ratio_interval"] = interval_json(interval_of_ratio(cell.fastest(), forecast));
  return json;
}

}  // namespace

std::string forecast_json(const ForecastQuestion& question, const sim::MachineDescription& machine,
                          std::span<const ForecastCell> cells) {
  Json json{{"format", "breakeven-prediction-1"},
            {"collective", kCollectives.of(question.collective)},
            {"machine", machine.name},
            {"model_error", nullptr},
            {"procs_per_node", nullptr},
            {"mapping", nullptr},
            {"cells", Json::array()}};
  if (const auto error = machine.error_of(question.collective, "", "", 0)) {
    json["model_error"] = {{"shared", error->shared},
                           {"own", error->own},
                           {"cases", error->cases},
                           {"of_collective", machine.errors.contains(json["collective"])}};
  }
  if (question.placement.procs_per_node > 0) {
    json["procs_per_node"] = question.placement.procs_per_node;
    json["mapping"] = to_text(question.placement.mapping);
  }
  for (const ForecastCell& cell : cells) {
    Json times = Json::array();
    for (const Forecast& each : cell.times) times.push_back(time_json(each, cell));
    Json one{{"procs", cell.procs},
             {"message_bytes", cell.message.value},
             {"extrapolated",
              beyond(machine.limits, cell.procs, question.placement.procs_per_node, cell.message)
                  .has_value()},
             {"certainty", nullptr},
             {"times", std::move(times)},
             {"left_out", cell.left_out}};
    if (const auto certainty = cell.certainty()) one["certainty"] = *certainty;
    json["cells"].push_back(std::move(one));
  }
  return json.dump() + "\n";
}

}  // namespace breakeven::tuner
