// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/case.hpp"
#include "libraries/library_algorithm.hpp"

/// The meaning of rules for Open MPI's component coll/tuned, as its sources have it at v4.1.4 and
/// v5.0.7 (ompi/mca/coll/tuned/coll_tuned_decision_dynamic.c): for writers of rules, and for the
/// worker that asks the library which rules it has read. Also the differences of coll/han.
namespace breakeven::libraries::openmpi {

struct Version {
  int major = 0;
  int minor = 0;
  int release = 0;
  friend auto operator<=>(const Version&, const Version&) = default;
};
/// Of "Open MPI v4.1.4, package: ...", as MPI_Get_library_version says it; nothing of other texts.
[[nodiscard]] std::optional<Version> parse_version(std::string_view library_version);

/// The first version that reads rules in JSON, and whose reader of the older text is wrong: it
/// moves communicator sizes by one entry.
inline constexpr int kFirstMajorWithJson = 6;
/// The first version in which coll/han comes before coll/tuned where there are several nodes, and
/// in which an algorithm forced by a variable comes before the rules.
inline constexpr int kFirstMajorWithHan = 5;
/// The first version with the units of `rules_bytes`.
inline constexpr Version kFirstKnownVersion{4, 1, 0};
/// Whether the version reads a limit of requests in rules in text.
[[nodiscard]] constexpr bool reads_requests(const Version& version) {
  return version >= (version.major < 5 ? Version{4, 1, 8} : Version{5, 0, 7});
}

/// Whether an algorithm is one of coll/han's, which runs collectives in steps on the nodes and
/// between them: "han_simple" is what that component calls "simple". Rules of coll/tuned have no
/// number for it.
inline constexpr std::string_view kHan = "han_";
[[nodiscard]] constexpr bool is_han(std::string_view name) { return name.starts_with(kHan); }
/// Whether coll/han has algorithms for the collective.
[[nodiscard]] bool has_han(Collective collective);
/// Whether the version's coll/han is one that this project knows: its algorithms, and its rules.
inline constexpr int kLastMajorWithKnownHan = 6;
[[nodiscard]] constexpr bool has_known_han(const Version& version) {
  return version.major >= kFirstMajorWithHan && version.major <= kLastMajorWithKnownHan;
}

/// One more than the greatest number of a collective in a file of rules.
inline constexpr int kRulesCollectives = 22;
/// The number of a collective in a file of rules.
[[nodiscard]] int rules_id(Collective collective);
/// Nothing of numbers of collectives that this project does not know.
[[nodiscard]] std::optional<Collective> rules_collective(int id);

/// The bytes that the library compares with the message sizes of its rules when it meets the case.
[[nodiscard]] std::int64_t rules_bytes(const Case& what);
/// The same in words, "the bytes of the vector".
[[nodiscard]] std::string_view rules_bytes_text(Collective collective);

/// Whether those bytes grow with the message: where they don't, rules can't tell sizes apart.
[[nodiscard]] bool rules_know_sizes(Collective collective);

/// Whether ranks of one call may compute different `rules_bytes`: they would run different
/// algorithms with each other. Not all arguments are significant everywhere (gather, scatter) or in
/// place (allgather, allgatherv, alltoall), and allgatherv's counts are multiplied by the size of
/// another datatype than theirs.
[[nodiscard]] constexpr bool rules_bytes_differ(Collective collective) {
  switch (collective) {
    case Collective::allgather:
    case Collective::allgatherv:
    case Collective::alltoall:
    case Collective::gather:
    case Collective::scatter: return true;
    default: return false;
  }
}

/// The values that an algorithm takes unless a control variable sets others.
inline constexpr int kDefaultFanout = 4;
inline constexpr int kDefaultRadix = 4;

/// The parameter of the case's algorithm that a rule gives as its fan-out; null where it takes
/// none.
[[nodiscard]] const LibraryParam* fanout_param(const Case& what);

/// An algorithm as a rule has it. A rule has no default: fan-out 0 would mean 1.
struct RuledAlgorithm {
  std::string name{};  ///< "chain"; empty where the library decides itself
  int fanout = 0;      ///< see fanout_param; 0 where the algorithm takes none
  int segment_bytes = 0;
  std::optional<int> max_requests{};  ///< none: the control variable's
  friend bool operator==(const RuledAlgorithm&, const RuledAlgorithm&) = default;
};
/// Of an algorithm of Open MPI or native.
/// @throws UsageError where a rule can't say it: a radix of bcast other than the default.
[[nodiscard]] RuledAlgorithm ruled(const Case& what);
/// The other way round; parameters with the default value are left out.
[[nodiscard]] Variant variant_of(Collective collective, const RuledAlgorithm& algorithm);

}  // namespace breakeven::libraries::openmpi
