// SPDX-License-Identifier: BSD-3-Clause
#include "tuner/reproducible.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <map>
#include <optional>
#include <utility>

#include "kernels/build.hpp"
#include "kernels/catalogue.hpp"
#include "kernels/verify.hpp"
#include "stats/case_times.hpp"
#include "tuner/equal_names.hpp"
#include "tuner/make_table.hpp"

namespace breakeven::tuner {

namespace {

/// Ranks times blocks of the largest world that is proven: some seconds, and a gigabyte.
constexpr std::int64_t kMostSymbols = std::int64_t{1} << 24;

/// One problem's measurements: a cell of the table, with some counts.
struct Cell {
  const Contest* contest = nullptr;
  const Candidate* unconstrained = nullptr;  ///< the choice without the constraint
  bool aside = false;  ///< more processes than cores, where other cells have none
};

std::ptrdiff_t place_in_catalogue(const Case& what) {
  const auto rows = kernels::catalogue(what.collective);
  return std::ranges::find(rows, kernels::known_algorithm(what)) - rows.begin();
}

std::map<Collective, std::vector<Cell>> cells_of(std::span<const Decision> decisions) {
  std::map<Collective, std::vector<Cell>> cells;
  const bool all_aside = all_oversubscribed(decisions);
  for (const Decision& decision : decisions) {
    if (!reduces(decision.problem.collective)) continue;
    for (const Contest& contest : decision.contests) {
      cells[decision.problem.collective].push_back({&contest,
                                                    contest.find(decision.choice().times.what),
                                                    decision.oversubscribed && !all_aside});
    }
  }
  return cells;
}

/// Answers for one collective.
class Search {
 public:
  Search(std::span<const Cell> cells, SameBits scope) : cells_{cells}, scope_{scope} {}

  /// Its algorithm and parameters; nothing where there is none.
  std::optional<Variant> best() {
    // The catalogue's first among equals, as in a sweep.
    std::map<std::pair<std::ptrdiff_t, std::string>, Variant> variants;
    for (const Cell& cell : cells_) {
      for (const Candidate& each : cell.contest->candidates) {
        const Case& what = each.times.what;
        if (each.native() || !is_candidate(tables::Candidates::ours, what)) continue;
        const auto add = [&](const Case& by) {
          variants.try_emplace({place_in_catalogue(by), std::string{by.variant.params()}},
                               by.variant);
        };
        add(what);
        // An equal schedule here may keep the bits elsewhere, for example at other roots.
        for (const std::string& name : equals_.of(what)) add(with_variant(what, Ours{name}));
      }
    }
    std::optional<std::pair<double, Variant>> best;
    for (const auto& [name, variant] : variants) {
      const std::optional<double> log_time = total_log_time(variant);
      if (!log_time || (best && best->first <= *log_time) || !reproducible_everywhere(variant)) {
        continue;
      }
      best = {*log_time, variant};
    }
    if (!best) return std::nullopt;
    return best->second;
  }

  /// Null where the variant was not measured there, by any name.
  const Candidate* measured(const Cell& cell, const Variant& variant) {
    return equals_.find(*cell.contest, with_variant(cell.contest->problem, variant));
  }

 private:
  /// Nothing unless it was measured in every cell.
  std::optional<double> total_log_time(const Variant& variant) {
    double total = 0;
    for (const Cell& cell : cells_) {
      const Candidate* const candidate = measured(cell, variant);
      if (candidate == nullptr) return std::nullopt;
      total += candidate->log_time.mean;
    }
    return total;
  }

  bool reproducible_everywhere(const Variant& variant) {
    return std::ranges::all_of(cells_, [&](const Cell& cell) {
      const Case what = kernels::without_data(with_variant(cell.contest->problem, variant));
      const auto [known, is_new] = proven_.try_emplace(what);
      if (is_new) known->second = is_reproducible(what, scope_);
      return known->second;
    });
  }

  std::span<const Cell> cells_;
  SameBits scope_;
  EqualNames equals_{};
  std::map<Case, bool> proven_{};
};

/// The cost of a choice; only cells in which one launch measured both choices count.
ReproducibleChoice with_cost(Collective collective, std::span<const Cell> cells,
                             const Variant& chosen, Search& search) {
  ReproducibleChoice choice{.collective = collective, .variant = chosen};
  double logs = 0;
  int count = 0;
  for (const Cell& cell : cells) {
    const Candidate* const candidate = search.measured(cell, chosen);
    if (candidate == nullptr || cell.unconstrained == nullptr || cell.aside) continue;
    const std::array above{&candidate->times};
    const std::array below{&cell.unconstrained->times};
    const std::optional<stats::Estimate> slowdown = stats::estimate_ratio(above, below);
    if (!slowdown) continue;
    logs += std::log(slowdown->median);
    ++count;
    if (count > 1 && slowdown->median <= choice.worst_slowdown.median) continue;
    choice.worst_slowdown = *slowdown;
    choice.worst = cell.contest->problem;
  }
  if (count > 0) choice.mean_slowdown = std::exp(logs / count);
  return choice;
}

}  // namespace

bool is_reproducible(const Case& what, SameBits scope) {
  if (what.variant.is<Native>() || !is_candidate(tables::Candidates::ours, what)) return false;
  const kernels::Algorithm& algorithm =
      kernels::find_algorithm(what.collective, what.variant.algorithm());
  kernels::Problem problem = kernels::problem_of(what);
  if (!kernels::runs(algorithm, problem)) return false;
  // The row speaks for the algorithm without parameters.
  const bool everywhere = algorithm.fixed_tree && what.variant.params().empty();
  if (scope == SameBits::across_procs && !everywhere) return false;
  const std::int64_t blocks = kernels::build_schedule(algorithm, problem).blocks;
  if (blocks * problem.procs > kMostSymbols) return false;
  // A table serves calls with any root.
  return std::ranges::all_of(
      kernels::roots_to_prove(what.collective, what.procs), [&](const Rank root) {
        problem.root = root;
        const kernels::Verdict found =
            kernels::verify(problem, kernels::world_of(algorithm, problem));
        return scope == SameBits::across_procs ? found.fixed_tree : found.uniform;
      });
}

Reproducible reproducible(std::span<const Measurement> measurements, const TableKey& which,
                          SameBits scope) {
  Reproducible found{.measurements = select(measurements, which)};
  const std::vector<Decision> decisions = decide(found.measurements);
  std::map<Case, Case> renamed;
  for (const auto& [collective, cells] : cells_of(decisions)) {
    Search search{cells, scope};
    const Variant chosen = search.best().value_or(Native{});
    found.choices.push_back(with_cost(collective, cells, chosen, search));
    for (const Cell& cell : cells) {
      const Candidate* const candidate = search.measured(cell, chosen);
      if (candidate == nullptr || candidate->times.what.variant == chosen) continue;
      renamed.emplace(candidate->times.what, with_variant(cell.contest->problem, chosen));
    }
  }
  for (Measurement& each : found.measurements) {
    if (const auto name = renamed.find(each.what); name != renamed.end()) each.what = name->second;
  }
  return found;
}

FixedChoices fixed_by(std::span<const ReproducibleChoice> choices) {
  FixedChoices fixed;
  for (const ReproducibleChoice& each : choices) fixed.emplace(each.collective, each.variant);
  return fixed;
}

std::vector<std::string> lines_of(std::span<const ReproducibleChoice> choices, SameBits scope) {
  const std::string_view bits = scope == SameBits::across_procs ? ", at every p" : "";
  std::vector<std::string> lines;
  for (const ReproducibleChoice& each : choices) {
    const stats::Estimate& worst = each.worst_slowdown;
    const std::string choice =
        fmt::format("{} {}{}", kCollectives.of(each.collective), to_text(each.variant),
                    each.variant.is<Native>() ? ", of whose bits nothing is known" : bits);
    if (worst.count == 0) {
      lines.push_back(choice + ": slowdown unknown, as no launch measured it and the fastest" +
                      (each.variant.is<Native>()
                           ? "; no algorithm that keeps bits was measured everywhere"
                           : ""));
      continue;
    }
    const std::string interval =
        worst.count == 1 ? "one launch" : fmt::format("{:.2f}-{:.2f}", worst.low, worst.high);
    lines.push_back(fmt::format(
        "{}: slowdown {:.2f} (geometric mean), {:.2f} ({}) at worst (p = {}, {})", choice,
        each.mean_slowdown, worst.median, interval, each.worst.procs, to_text(each.worst.message)));
  }
  return lines;
}

}  // namespace breakeven::tuner
