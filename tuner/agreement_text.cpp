// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include "core/json.hpp"
#include "tuner/agreement.hpp"
#include "tuner/decision.hpp"

namespace breakeven::tuner {

constexpr auto fields(std::type_identity<PredictedChoices>) {
  return kPlainFields<&PredictedChoices::problems, &PredictedChoices::near_best,
                      &PredictedChoices::mean_regret, &PredictedChoices::worst_regret>;
}
constexpr auto fields(std::type_identity<Agreement>) {
  return std::tuple{Field<&Agreement::collective>{},
                    Field<&Agreement::procs>{},
                    Field<&Agreement::cases>{},
                    Field<&Agreement::low>{.name = "relative_difference_low"},
                    Field<&Agreement::median>{.name = "relative_difference_median"},
                    Field<&Agreement::high>{.name = "relative_difference_high"},
                    Field<&Agreement::inside>{.name = "inside_interval"},
                    Field<&Agreement::correlation>{},
                    Field<&Agreement::rank_correlation>{},
                    Field<&Agreement::choices>{},
                    Field<&Agreement::held_out>{}};
}
constexpr auto fields(std::type_identity<ComparedCase>) {
  return std::tuple{Field<&ComparedCase::what, &Case::collective>{},
                    AlgorithmField<&ComparedCase::what, &Case::variant>{},
                    ParamsField<&ComparedCase::what, &Case::variant>{},
                    Field<&ComparedCase::what, &Case::procs>{},
                    Field<&ComparedCase::what, &Case::nodes>{},
                    Field<&ComparedCase::what, &Case::mapping>{},
                    Field<&ComparedCase::what, &Case::message>{},
                    Field<&ComparedCase::what, &Case::counts>{},
                    Field<&ComparedCase::measured>{},
                    Field<&ComparedCase::predicted, &Prediction::time>{.name = "predicted_s"},
                    Field<&ComparedCase::predicted, &Prediction::low>{.name = "predicted_low_s"},
                    Field<&ComparedCase::predicted, &Prediction::high>{.name = "predicted_high_s"},
                    Field<&ComparedCase::held_out>{}};
}

namespace {

std::string number_or_dash(const std::optional<double>& number) {
  return number ? fmt::format("{:.2f}", *number) : "-";
}

std::string to_text(const PredictedChoices& choices) {
  if (choices.problems == 0) return fmt::format("{:>8} {:>14}", "-", "-");
  return fmt::format(
      "{:>8} {:>14}", fmt::format("{}/{}", choices.near_best, choices.problems),
      fmt::format("{:.1f}, {:.0f}", 100 * choices.mean_regret, 100 * choices.worst_regret));
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
  const Json json{{"format", "breakeven-agreement-1"},
                  {"machine", json_of(machine)},
                  {"predictor", predictor},
                  {"agreements", json_of(agreements.lines)},
                  {"cases", json_of(agreements.cases)}};
  return json.dump();
}

}  // namespace breakeven::tuner
