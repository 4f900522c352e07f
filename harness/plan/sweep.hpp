// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/case.hpp"
#include "core/launch.hpp"
#include "core/library_capabilities.hpp"
#include "core/program_time.hpp"
#include "harness/protocol/protocol.hpp"

namespace breakeven::plan {

/// One of `of` shards of a sweep, `number` 1 .. of. Each is measured into a database of its own.
struct Shard {
  int number = 1;
  int of = 1;
  friend auto operator<=>(const Shard&, const Shard&) = default;
};

/// A user's request for measurements.
struct Sweep {
  std::string machine = "mpich";
  bool clean_environment = false;  ///< without the library's settings in the environment
  std::vector<Collective> collectives{Collective::allreduce, Collective::reduce,
                                      Collective::reduce_scatter_block, Collective::allgather,
                                      Collective::scatter};
  std::vector<CallForm> forms{CallForm::blocking};
  std::vector<std::string> algorithms{};  ///< see AlgorithmWord, AskedVariants; none = every one
  std::vector<int> procs{2};
  int nodes = 1;
  std::vector<NodeLayout> layouts{};  ///< in place of procs and nodes; without mappings
  Mapping mapping{};
  bool reorder_ranks =
      true;  ///< also measure algorithms with their ranks reordered where that may pay
  std::vector<Bytes> messages{};  ///< as MPI's count argument describes them
  std::vector<Counts> counts{Counts::equal, Counts::linear};  ///< of the irregular collectives
  ProgramTime program_time{};  ///< measures the program's calls; empty: all alike
  bool refine = false;         ///< also measure between two sizes where the choice changes
  Datatype datatype = Datatype::double_;
  Op op = Op::sum;
  Rank root{};
  int launches = 20;  ///< of a candidate, at most; the fastest and native go on with others
  double least_gain = 0.0001;  ///< that a measurement must be expected to have, with racing
  std::string prune_by{};  ///< text of a model whose predictions prune candidates; empty: none do
  double prune_margin = 1.2;  ///< least ratio of a pruned candidate's predicted time to the fastest
  std::uint64_t seed = 1;
  Shard shard{};  ///< of the whole, where several allocations share it
  protocol::MeasurePlan measure{};
};

/// The counts with which a sweep measures a collective: equal ones unless it is irregular.
[[nodiscard]] std::vector<Counts> counts_of(const Sweep& sweep, Collective collective);

/// The layouts that the sweep measures.
[[nodiscard]] std::vector<NodeLayout> layouts_of(const Sweep& sweep);
/// The layouts of its jobs, each once.
[[nodiscard]] std::vector<NodeLayout> jobs_of(const Sweep& sweep);
/// Of its jobs that with most processes.
[[nodiscard]] NodeLayout largest_job(const Sweep& sweep);

/// One start of an MPI job, and the cases that it shall measure: the candidates of a problem stand
/// together.
struct PlannedLaunch {
  NodeLayout layout{};
  int repeat = 0;
  std::uint64_t seed = 0;
  std::vector<Case> cases{};
};

/// A launch without cases, whose own seed follows from that of the whole, its p and its repeat.
[[nodiscard]] PlannedLaunch empty_launch(const NodeLayout& layout, int repeat, std::uint64_t seed);

/// Adds problems, each given as its candidates, in random order by the launch's seed: the
/// predecessor of a problem must not always be the same.
void add_shuffled(PlannedLaunch& launch, std::vector<std::vector<Case>> problems);

/// A candidate that a sweep leaves out: "needs p a power of two", "allgather/recursive_doubling".
struct Skip {
  std::string reason{};
  std::string what{};
  friend auto operator<=>(const Skip&, const Skip&) = default;
};
using Skips = std::map<Skip, std::vector<int>>;  ///< at which p

struct SweepPlan {
  /// Every case in every launch: all of the sweep, except for refined sizes.
  std::vector<PlannedLaunch> launches{};
  Skips skipped{};
};

/// @throws UsageError when cases can't be measured in this way.
void check_measure(const protocol::MeasurePlan& measure);

/// Refuses a sweep that is seen to be impossible before it is laid out.
/// @throws UsageError as make_plan does.
void check_sweep(const Sweep& sweep, MachineKind kind,
                 const LibraryCapabilities& capabilities = {});

/// Lays out a sweep. `kind` says whether there is a library with its own collectives, and
/// `capabilities` has its algorithms.
/// @throws UsageError when a request by name can't be measured: an algorithm that does not exist or
///         refuses a process count, an operation undefined on the datatype, a size that is not
///         whole elements, a root outside the communicator, ...
[[nodiscard]] SweepPlan make_plan(const Sweep& sweep, MachineKind kind,
                                  const LibraryCapabilities& capabilities = {});

/// The patterns (kernels/pattern.hpp) of each size at the sweep's only process count, in each of
/// its launches: with 1, 2, 3, 5 and 8 peers, if the ranks suffice, and with all others; where
/// ranks lie on several nodes, both in a node and between nodes. In addition, at each size, the
/// algorithms of some collectives, without parameters.
/// @throws UsageError when the sweep has another number of process counts, fewer than two
///         processes, or sizes that can't be measured.
[[nodiscard]] SweepPlan pattern_plan(const Sweep& sweep, std::span<const Collective> collectives);

/// Keeps the cases of one shard in the plan. The shards are disjoint and together the whole, and
/// the same plan is always cut in the same way. Cases that are compared within a launch stay
/// together: at one number of processes all candidates of a problem, and the collectives of one
/// vector size, which guidelines compare.
/// @throws UsageError when there is no such shard, or when shards would be empty.
void keep_shard(SweepPlan& plan, Shard shard);

/// The plan without the (case, repeat) pairs in `stored` and without empty launches.
[[nodiscard]] SweepPlan remaining(SweepPlan plan, const std::set<std::pair<Case, int>>& stored);

/// One line for all that are skipped for one reason at the same p: "skipped at p = 3, needs p a
/// power of two: allgather/recursive_doubling, allreduce/recursive_doubling".
[[nodiscard]] std::vector<std::string> skipped_lines(const Skips& skipped);

}  // namespace breakeven::plan
