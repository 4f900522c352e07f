// SPDX-License-Identifier: BSD-3-Clause
#include "report/cells.hpp"

#include <algorithm>
#include <set>

#include "core/json.hpp"

namespace breakeven::report {

namespace {

Json named(const tables::Speedup& speedup) {
  return {{"ratio", speedup.ratio}, {"low", speedup.low}, {"high", speedup.high}};
}

/// The candidate of this name / the fastest other one.
Json best_ratio(const tuner::Contest& contest, std::string_view baseline) {
  const auto is_baseline = [&](const tuner::Candidate& each) {
    return to_text(each.times.what.variant) == baseline;
  };
  const auto divided = std::ranges::find_if(contest.candidates, is_baseline);
  const auto best = std::ranges::find_if_not(contest.candidates, is_baseline);
  if (divided == contest.candidates.end() || best == contest.candidates.end()) return nullptr;
  return named(stats::interval_of(divided->log_time - best->log_time));
}

Json cell_of(const tuner::Decision& decision, const tuner::Contest& contest,
             std::string_view baseline) {
  const Case& problem = contest.problem;
  std::set<std::string> measured;
  std::size_t fewest = contest.candidates.front().times.by_launch.size();
  std::size_t most = fewest;
  for (const tuner::Candidate& each : contest.candidates) {
    measured.insert(each.times.what.variant.algorithm());
    fewest = std::min(fewest, each.times.by_launch.size());
    most = std::max(most, each.times.by_launch.size());
  }
  const Case& choice = decision.choice().times.what;
  return {{"collective", kCollectives.of(problem.collective)},
          {"datatype", kDatatypes.of(problem.datatype)},
          {"op", kOps.of(problem.op)},
          {"root", problem.root.value},
          {"counts", kCounts.of(problem.counts)},
          {"procs", problem.procs},
          {"nodes", problem.nodes},
          {"procs_per_node", problem.procs_per_node},
          {"mapping", to_text(problem.mapping)},
          {"message_bytes", problem.message.value},
          {"oversubscribed", decision.oversubscribed},
          {"least_launches", fewest},
          {"most_launches", most},
          {"measured", measured},
          {"algorithm", choice.variant.algorithm()},
          {"params", choice.variant.params()},
          {"certainty", tables::kCertainties.of(decision.certainty)},
          {"best_ratio", best_ratio(contest, baseline)}};
}

}  // namespace

std::string cells_json(const Machine& machine, std::span<const tuner::Decision> decisions,
                       const tables::Profile* profile, std::string_view baseline) {
  Json json{{"machine", json_of(machine)}, {"baseline", baseline}, {"cells", Json::array()}};
  for (const tuner::Decision& decision : decisions) {
    for (const tuner::Contest& contest : decision.contests) {
      json["cells"].push_back(cell_of(decision, contest, baseline));
      if (profile == nullptr) continue;
      Json& cell = json["cells"].back();
      cell["program_time_s"] = decision.program_time.value;
      cell["speedup"] = decision.speedup ? named(*decision.speedup) : Json{};
    }
  }
  if (profile == nullptr) return json.dump();
  const double collectives_s = total(tables::program_time(*profile)).value;
  json["program"] = {{"wall_s", profile->wall_s}, {"collectives_s", collectives_s}};
  return json.dump();
}

}  // namespace breakeven::report
