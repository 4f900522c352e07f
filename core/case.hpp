// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/collective.hpp"
#include "core/counts.hpp"
#include "core/datatype.hpp"
#include "core/mapping.hpp"
#include "core/names.hpp"
#include "core/op.hpp"
#include "core/units.hpp"

namespace breakeven {

/// The name under which the MPI library's own collective stands beside the algorithms.
inline constexpr std::string_view kNative = "native";

/// The library's own collective in a job whose environment puts a table in force; native stands for
/// the default beside it.
inline constexpr std::string_view kTuned = "tuned";

/// What is measured: the key of every number in this project.
struct Case {
  Collective collective = Collective::allreduce;
  std::string algorithm{};  ///< a catalogue name, kNative, or "openmpi:ring": of a library's own
  std::string params{};     ///< "key=value,key=value" in key order; empty when there are none
  int procs = 1;
  int nodes = 1;
  int procs_per_node = 1;
  Mapping mapping{};
  Bytes message{};  ///< what MPI's count argument describes: the vector, or one process's block;
                    ///< where counts differ, the mean block
  Datatype datatype = Datatype::int_;
  Op op = Op::none;               ///< none unless `reduces(collective)`
  Rank root{};                    ///< 0 unless `rooted(collective)`
  Counts counts = Counts::equal;  ///< equal unless `irregular(collective)`

  friend auto operator<=>(const Case&, const Case&) = default;
};

/// The bytes m that the papers' formulas speak of: the whole vector, p blocks where the message
/// is one process's block. Equal m is what makes two collectives comparable.
[[nodiscard]] Bytes total_bytes(const Case& what);

/// The problem that a case solves: the same without algorithm and parameters.
[[nodiscard]] Case without_algorithm(Case what);

/// The same case with other counts: where it is asked for what all counts have in common, equal.
[[nodiscard]] Case with_counts(Case what, Counts counts);

/// "ring:reorder_ranks=seq": the algorithm with its parameters, for whom the problem itself is
/// known.
[[nodiscard]] std::string variant_text(const Case& what);

/// "allreduce/ring:reorder_ranks=seq", and "openmpi:allreduce/ring" of a library's own algorithm,
/// which in a case is called "openmpi:ring": as a user asks for it.
[[nodiscard]] std::string algorithm_text(const Case& what);

/// "allreduce/ring p=4 64 KiB int sum", "... linear counts", for messages and logs.
[[nodiscard]] std::string to_text(const Case& what);

/// All samples of a case in one launch, as the decisions see it: their median with its interval in
/// this launch, and how many.
struct Measurement {
  Case what{};
  std::int64_t launch = 0;  ///< which start of the job or model; comparisons are made within one
  int repeat = 0;  ///< of the launch, 0-based; more than one launch where a crash came between
  int samples = 0;
  Seconds median{};
  Seconds low{};  ///< the interval of the median that the samples of this launch leave
  Seconds high{};
  bool oversubscribed = false;  ///< more processes than cores on some node
};

}  // namespace breakeven
