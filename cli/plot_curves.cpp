// SPDX-License-Identifier: BSD-3-Clause
#include "cli/plot_curves.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <vector>

#include "cli/setting_text.hpp"
#include "core/error.hpp"
#include "report/plots.hpp"

namespace breakeven::cli {

void add_curve_options(CLI::App& app, CurveOptions& options) {
  app.add_option("--by", options.by,
                 "of curves, the axis: message_bytes, procs or procs_per_node [message_bytes]");
  app.add_option(
      "--show", options.show,
      "of curves: time, bandwidth (message / time), speedup (--baseline's time / this one's), or "
      "relative_time (the other way round) [time]");
  app.add_option("--baseline", options.baseline,
                 "of ratio and curves, whose time is divided: ALGORITHM, or in curves "
                 "COLLECTIVE/ALGORITHM, for all collectives at equal bytes of the vector [native]");
  app.add_option("--baseline-mapping", options.baseline_mapping,
                 "of curves, the mapping of --baseline: seq, rr ... [that of each curve]");
  app.add_option("--blocks", options.blocks,
                 "of spread, numbers of consecutive samples whose means are drawn: 1,2,5,10");
}

std::string curves_input(const CurveOptions& options, const Machine& machine,
                         std::span<const Measurement> measurements) {
  report::CurveRequest request{.by = report::kAxes.parse(options.by),
                               .quantity = report::kQuantities.parse(options.show),
                               .baseline = options.baseline};
  if (!options.baseline_mapping.empty())
    request.baseline_mapping = Mapping::parse(options.baseline_mapping);
  return report::curves_json(machine, measurements, request);
}

std::string spread_input(const CurveOptions& options, const Selection& from,
                         const std::function<bool(const Case&)>& wanted) {
  std::vector<int> blocks;
  if (!options.blocks.empty()) {
    blocks = read(options.blocks, std::type_identity<std::vector<int>>{});
    if (std::ranges::min(blocks) < 1) {
      throw UsageError("--blocks '" + options.blocks + "': a block has at least one sample");
    }
  }
  std::vector<report::LaunchSamples> launches;
  from.store.visit_samples(from.id, [&](const results::CaseSamples& each) {
    if (!wanted(each.what)) return;
    report::LaunchSamples launch{.what = each.what};
    for (const Seconds duration : each.local) launch.seconds.push_back(duration.value);
    launches.push_back(std::move(launch));
  });
  if (launches.empty()) throw UsageError("a model has no samples");
  return report::spread_json(from.machine, launches, blocks);
}

}  // namespace breakeven::cli
