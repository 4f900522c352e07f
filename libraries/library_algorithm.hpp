// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/case.hpp"
#include "core/library_capabilities.hpp"

namespace breakeven::libraries {

/// When an algorithm of a library runs as it is named. Elsewhere the library runs another one and
/// says nothing: to measure that under this name would be to measure something else.
struct Condition {
  std::string_view text;  ///< "p = 2"
  /// @throws UsageError when a parameter of the case can't be understood.
  bool (*met)(const Case& what);
};

/// A property that an algorithm needs of calls, though MPI asks for none. The library's own
/// decision sees to it; a table or a control variable overrides that.
enum class Demand : std::uint8_t {
  commuting,     ///< an operation that commutes
  built_in,      ///< one of MPI's own operations
  equal_counts,  ///< of all blocks
  not_in_place,  ///< separate buffers
  power_of_two,  ///< processes
  same_types,    ///< one datatype on all ranks
  same_counts,   ///< one count of what is sent and received
  types_without_gaps,
  not_below,       ///< datatypes whose lower bound isn't negative
  not_persistent,  ///< calls of the other forms
  not_empty,       ///< some data, of persistent calls
  no_idup,         ///< that it isn't the library's own, within MPI_Comm_idup
  known,           ///< to be of a kind that it is known to serve
};

/// A demand, and the effect on a legal call that doesn't meet it though the library's default
/// serves it right. Found by tests/legal_calls, see docs/tables.md.
struct Requirement {
  Demand demand;
  std::string_view otherwise;  ///< "ends the program"
  std::string_view with{};     ///< the parameter without which it doesn't matter
};
/// The calls that don't meet it: "operations that do not commute".
[[nodiscard]] std::string_view demand_text(Demand demand);

/// One of an algorithm's parameters.
struct LibraryParam {
  std::string_view key;  ///< one of library_params
  int usual = 0;         ///< the library's value unless told otherwise; 0: it does without
};

/// One of the algorithms that an MPI library has itself, as its sources have it.
struct LibraryAlgorithm {
  Collective collective;
  std::string_view name;      ///< as the library's control variable calls it
  std::string_view function;  ///< of the library, which runs when and only when the algorithm does;
                              ///< empty: not known
  Condition runs;
  std::span<const Requirement> requirements{};  ///< of a call, to be served as by the default
  std::span<const LibraryParam> params{};       ///< that it takes
  int since = 0;  ///< the library's first major version that has it; 0: all, or its component's
  int until = 0;  ///< the last one; 0: none that is known

  [[nodiscard]] bool is_in(int major) const {
    return since <= major && (until == 0 || major <= until);
  }
  [[nodiscard]] bool demands(Demand demand) const;
  /// Null where it takes none of this name.
  [[nodiscard]] const LibraryParam* find_param(std::string_view key) const;
};

/// The parameters of the libraries' algorithms.
namespace library_params {
inline constexpr std::string_view kSegmentBytes = "segment_bytes";  ///< of a pipeline; none: one
inline constexpr std::string_view kFanout = "fanout";               ///< chains that leave the root
inline constexpr std::string_view kRadix = "radix";  ///< k of a k-nomial tree, or of an exchange
inline constexpr std::string_view kMaxRequests = "max_requests";  ///< at once; none: all
}  // namespace library_params

/// A library whose own algorithms can be chosen, with those that are known of all its versions.
struct KnownLibrary {
  std::string_view name;                          ///< "openmpi"
  std::span<const LibraryAlgorithm> algorithms;   ///< of blocking collectives
  std::span<const LibraryAlgorithm> nonblocking;  ///< and of persistent ones

  [[nodiscard]] std::span<const LibraryAlgorithm> of(CallForm form) const {
    return form == CallForm::blocking ? algorithms : nonblocking;
  }
};
[[nodiscard]] std::span<const KnownLibrary> known_libraries();

/// The algorithms of all versions of a library, as if it listed them; empty for an unknown library.
/// The values mean nothing.
[[nodiscard]] LibraryCapabilities known_capabilities(std::string_view library);

/// The known facts about a case's algorithm; null where it is none of a library's own, or unknown.
[[nodiscard]] const LibraryAlgorithm* find_library_algorithm(const Case& what);

/// The requirements of the case's algorithm; empty where it is none of a library's own. Those of an
/// algorithm that is not known here are not known either: it is measured, and no table chooses it.
[[nodiscard]] std::vector<Requirement> requirements_of(const Case& what);

/// Whether a table for the library can ask for it before it chooses the case's algorithm.
[[nodiscard]] bool can_guard(const Case& what, Demand demand);

/// The requirements of the case's algorithm that no table for the library can ask for: chosen by a
/// table, it would harm programs that the default serves.
[[nodiscard]] std::vector<Requirement> unguarded(const Case& what);

/// Whether the library can be told a single algorithm alone for all calls like the case's:
/// parameters of Open MPI's coll/libnbc hold for every p and size.
[[nodiscard]] bool takes_one_algorithm(const Case& what);

/// Algorithms of a library as `algorithm_text` has them without parameters.
using AlgorithmNames = std::set<std::string, std::less<>>;
/// "openmpi:reduce/binomial", "openmpi:ireduce/binomial" of nonblocking calls
[[nodiscard]] std::string algorithm_name(Case what);
/// Whether a table for its library may choose the case's algorithm: it is none of a library's,
/// harms no program that could be told from others, or is allowed all the same.
[[nodiscard]] bool is_safe(const Case& what, const AlgorithmNames& allowed);

/// "wrong results for operations that do not commute; ..."
[[nodiscard]] std::string harm_of(std::span<const Requirement> requirements);

/// Why the case's library algorithm would not run as it is named; nothing when it would, or when
/// the algorithm is not known here.
/// @throws UsageError when a parameter is none of the algorithm's or can't be understood.
[[nodiscard]] std::optional<std::string> refusal(const Case& what);

/// Parameters worth trying for the case's library algorithm: texts for Params::parse, "" for none.
[[nodiscard]] std::vector<std::string> library_variants(const Case& what);

[[nodiscard]] std::span<const LibraryAlgorithm> mpich_algorithms();
[[nodiscard]] std::span<const LibraryAlgorithm> openmpi_algorithms();
[[nodiscard]] std::span<const LibraryAlgorithm> mpich_nonblocking();
[[nodiscard]] std::span<const LibraryAlgorithm> openmpi_nonblocking();

}  // namespace breakeven::libraries
