// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/collective.hpp"
#include "core/counts.hpp"
#include "core/datatype.hpp"
#include "core/fields.hpp"
#include "core/mapping.hpp"
#include "core/names.hpp"
#include "core/op.hpp"
#include "core/units.hpp"
#include "core/variant.hpp"

namespace breakeven {

/// A collective call to be measured: the key of every result.
struct Case {
  Collective collective = Collective::allreduce;
  CallForm form = CallForm::blocking;  ///< times are from a call's start to its completion
  Variant variant{};
  int procs = 1;
  int nodes = 1;
  int procs_per_node = 1;
  Mapping mapping{};
  int comms_per_node = 1;  ///< see NodeLayout
  Bytes message{};  ///< what MPI's count argument describes: the vector, or one process's block;
                    ///< where counts differ, the mean block
  Datatype datatype = Datatype::int_;
  Op op = Op::none;               ///< none unless `reduces(collective)`
  Rank root{};                    ///< 0 unless `rooted(collective)`
  Counts counts = Counts::equal;  ///< equal unless `irregular(collective)`

  friend std::strong_ordering operator<=>(const Case&, const Case&);
  friend bool operator==(const Case&, const Case&);
};

constexpr auto fields(std::type_identity<Case>) {
  return std::tuple{Field<&Case::collective>{},
                    Field<&Case::form>{},
                    AlgorithmField<&Case::variant>{},
                    ParamsField<&Case::variant>{},
                    Field<&Case::procs>{.least = 1},
                    Field<&Case::nodes>{.least = 1},
                    Field<&Case::procs_per_node>{.least = 1},
                    Field<&Case::mapping>{},
                    Field<&Case::comms_per_node>{.least = 1},
                    Field<&Case::message>{.least = 0},
                    Field<&Case::datatype>{},
                    Field<&Case::op>{},
                    Field<&Case::root>{.least = 0},
                    Field<&Case::counts>{}};
}

/// The bytes m of the papers' formulas: the whole vector, p blocks where the message is one
/// process's block. Two collectives are compared at equal m.
[[nodiscard]] Bytes total_bytes(const Case& what);

/// The same case with another variant.
[[nodiscard]] Case with_variant(Case what, Variant variant);

/// The problem that a case solves: the case without a variant.
[[nodiscard]] Case without_algorithm(Case what);

/// How the processes of a case lie on nodes.
[[nodiscard]] NodeLayout layout_of(const Case& what);

/// The layout of the job in which a case runs.
[[nodiscard]] NodeLayout job_of(const Case& what);

/// The same case on another layout.
[[nodiscard]] Case with_layout(Case what, const NodeLayout& layout);

/// The same case in another form.
[[nodiscard]] Case with_form(Case what, CallForm form);

/// The same case with other counts.
[[nodiscard]] Case with_counts(Case what, Counts counts);

/// The name on the command line: "allreduce/ring:reorder_ranks=seq"; "openmpi:allreduce/ring" of a
/// library's own algorithm, which a case calls "openmpi:ring", and "openmpi:iallreduce/ring" of
/// that for nonblocking calls, as the library's variables have it.
[[nodiscard]] std::string algorithm_text(const Case& what);

/// A call as MPI names it: "allreduce", "iallreduce", "allreduce_init".
[[nodiscard]] std::string call_name(Collective collective, CallForm form);

/// The case of such a name, blocking or nonblocking; nothing of others.
[[nodiscard]] std::optional<Case> find_call(std::string_view name);

/// ", nonblocking", to be appended to a call's name; empty for blocking calls.
[[nodiscard]] std::string form_suffix(CallForm form);

/// The terms of a case's call that are unusual: "root 3", "linear counts", "nonblocking", "2 at
/// once" (communicators on each node).
[[nodiscard]] std::vector<std::string> particulars(const Case& what);

/// "allreduce/ring p=4 64 KiB int sum", "... linear counts", for messages and logs.
[[nodiscard]] std::string to_text(const Case& what);

/// All samples of a case in one launch, as decisions use them: median, interval and number.
struct Measurement {
  Case what{};
  std::int64_t launch = 0;  ///< which start of the job or model; comparisons are made within one
  int repeat = 0;  ///< of the launch, 0-based; more than one launch where a crash came between
  int samples = 0;
  Seconds median{};
  Seconds low{};  ///< the interval of the median that the samples of this launch leave
  Seconds high{};
  bool oversubscribed = false;      ///< more processes than cores on some node
  std::optional<Seconds> ended{};   ///< when, after the launch's start
  std::optional<Seconds> tested{};  ///< Overlap::tested, of calls that return before completion
};

}  // namespace breakeven
