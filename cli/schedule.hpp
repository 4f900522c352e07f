// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/mapping.hpp"
#include "kernels/catalogue.hpp"

namespace CLI {
class App;
}

namespace breakeven::cli {

/// The options of `breakeven schedule`.
struct ScheduleOptions {
  std::vector<std::string> words{};  ///< list, show or prove, then COLLECTIVE/ALGORITHM[:PARAMS]
  std::string procs{};
  int root = 0;
  std::vector<std::string> params{};  ///< "key=value", besides those in the words
  int procs_per_node = 0;
  Mapping mapping{};
  std::string format = "text";
  std::string bytes{};    ///< of format goal
  std::string machine{};  ///< a model, for its reductions
  bool list_stages = false;
};

/// COLLECTIVE/ALGORITHM[:PARAMS] as a user wrote it.
struct Named {
  Collective collective;
  const kernels::Algorithm* algorithm;
  kernels::Params params;
};
/// @throws UsageError saying what is possible.
[[nodiscard]] Named named(std::string_view word, const ScheduleOptions& options);

/// The forms in which `list` or `show` prints.
inline const std::vector<std::string_view> kScheduleFormats{"text",   "json", "svg",
                                                            "circle", "goal", "markdown"};

/// Adds --procs-per-node and --mapping.
void add_placement_options(CLI::App& app, ScheduleOptions& options);

/// Adds --skew-s and --noise.
void add_disturbance_options(CLI::App& app, Seconds& skew, std::string& noise);

/// Of a command that is for one number of processes.
/// @throws UsageError when --procs is missing, or no number.
[[nodiscard]] int procs_of(const ScheduleOptions& options);

/// The nodes of p ranks: one, unless several were asked for or each is listed.
/// @throws UsageError when p ranks can't be placed like that.
[[nodiscard]] kernels::Placement placement_of(const ScheduleOptions& options, int procs);

/// @throws UsageError when p processes have no such rank.
void require_root(int root, int procs);

/// Prints the catalogue, or one collective's part: text, or markdown for docs/algorithms.md; with
/// --procs the algorithms that have equal schedules there.
int list_schedules(const ScheduleOptions& options);
/// Prints one algorithm at one p, proven first: text, json or svg.
int show_schedule(const ScheduleOptions& options);
/// Proves the named algorithms, or all, at every p asked for: in full, at large p by fingerprints.
int prove_schedules(const ScheduleOptions& options);
/// Prints every list of stages of allreduce/recursive_multiplying at one p, with its cost.
int list_stages(const ScheduleOptions& options);

}  // namespace breakeven::cli
