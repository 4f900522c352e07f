// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include "core/json.hpp"
#include "guidelines/report.hpp"

namespace breakeven::guidelines {

std::string report_bencher(const Evaluation& evaluation, const ReportHead& /*head*/) {
  Json json = Json::object();
  for (const Finding& each : evaluation.findings) {
    const std::string name = fmt::format("{} {} {}", each.comparison.guideline->name,
                                         problem_text(each.comparison.left.what), sides_text(each));
    json[name]["ratio"] = {{"value", each.ratio.ratio},
                           {"lower_value", each.ratio.low},
                           {"upper_value", each.ratio.high}};
  }
  return json.dump(2) + "\n";
}

}  // namespace breakeven::guidelines
