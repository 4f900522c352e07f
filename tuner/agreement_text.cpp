// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "tuner/agreement.hpp"
#include "tuner/decision.hpp"
#include "tuner/machine_json.hpp"

namespace breakeven::tuner {

namespace {

using Json = nlohmann::ordered_json;

std::string number_or_dash(const std::optional<double>& number) {
  return number ? fmt::format("{:.2f}", *number) : "-";
}

std::string to_text(const PredictedChoices& choices) {
  if (choices.problems == 0) return fmt::format("{:>8} {:>14}", "-", "-");
  return fmt::format(
      "{:>8} {:>14}", fmt::format("{}/{}", choices.near_best, choices.problems),
      fmt::format("{:.1f}, {:.0f}", 100 * choices.mean_regret, 100 * choices.worst_regret));
}

template <typename Value>
Json json_or_null(const std::optional<Value>& value) {
  return value ? Json(*value) : Json();
}

Json json_or_null(const std::optional<Seconds>& time) { return time ? Json(time->value) : Json(); }

Json json_of(const PredictedChoices& choices) {
  return {{"problems", choices.problems},
          {"near_best", choices.near_best},
          {"mean_regret", choices.mean_regret},
          {"worst_regret", choices.worst_regret}};
}

Json json_of(const Agreement& line) {
  return {
      {"collective", kCollectives.of(line.collective)},
      {"procs", json_or_null(line.procs)},
      {"cases", line.cases},
      {"relative_difference", {{"low", line.low}, {"median", line.median}, {"high", line.high}}},
      {"inside_interval", json_or_null(line.inside)},
      {"correlation", json_or_null(line.correlation)},
      {"rank_correlation", json_or_null(line.rank_correlation)},
      {"choices", json_of(line.choices)},
      {"held_out", line.held_out ? json_of(*line.held_out) : Json()}};
}

Json json_of(const ComparedCase& each) {
  const Case& what = each.what;
  return {{"collective", kCollectives.of(what.collective)},
          {"algorithm", what.algorithm},
          {"params", what.params},
          {"procs", what.procs},
          {"nodes", what.nodes},
          {"mapping", breakeven::to_text(what.mapping)},
          {"message_bytes", what.message.value},
          {"counts", kCounts.of(what.counts)},
          {"measured_s", each.measured.value},
          {"predicted_s", each.predicted.time.value},
          {"predicted_low_s", json_or_null(each.predicted.low)},
          {"predicted_high_s", json_or_null(each.predicted.high)},
          {"held_out_s", json_or_null(each.held_out)}};
}

}  // namespace

std::string agreement_text(const Agreements& agreements) {
  std::string text = fmt::format(
      "{:<20} {:>4} {:>6} {:>18} {:>6} {:>6} {:>6} {:>8} {:>14} {:>8} {:>14}\n", "", "", "",
      "difference, %", "in its", "", "", "near", "regret, %", "p held", "regret, %");
  text += fmt::format("{:<20} {:>4} {:>6} {:>18} {:>6} {:>6} {:>6} {:>8} {:>14} {:>8} {:>14}\n",
                      "collective", "p", "cases", "10, 50, 90 %", "95 %", "corr.", "ranks", "best",
                      "mean, worst", "out", "mean, worst");
  for (const Agreement& line : agreements.lines) {
    text += fmt::format(
        "{:<20} {:>4} {:>6} {:>18} {:>6} {:>6} {:>6} {} {}\n", kCollectives.of(line.collective),
        line.procs ? fmt::format("{}", *line.procs) : "all", line.cases,
        fmt::format("{:.0f}, {:.0f}, {:.0f}", 100 * line.low, 100 * line.median, 100 * line.high),
        line.inside ? fmt::format("{:.0f} %", 100 * *line.inside) : "-",
        number_or_dash(line.correlation), number_or_dash(line.rank_correlation),
        to_text(line.choices), to_text(line.held_out.value_or(PredictedChoices{})));
  }
  return text;
}

std::string agreement_json(const Agreements& agreements, const Machine& machine,
                           const std::string& predictor) {
  Json json{{"format", "breakeven-agreement-1"},
            {"machine", machine_json(machine)},
            {"predictor", predictor},
            {"agreements", Json::array()},
            {"cases", Json::array()}};
  for (const Agreement& line : agreements.lines) json["agreements"].push_back(json_of(line));
  for (const ComparedCase& each : agreements.cases) json["cases"].push_back(json_of(each));
  return json.dump();
}

}  // namespace breakeven::tuner
