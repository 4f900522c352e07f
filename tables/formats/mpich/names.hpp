// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/case.hpp"
#include "libraries/mpich_parameters.hpp"
#include "tables/formats/mpich/selection_tree.hpp"

namespace breakeven::formats::mpich {

/// Series of MPICH whose names and rules are known here. Files are for one of them alone: another
/// one ends at MPI_Init over names that it doesn't know.
enum class Series { v4_0, v4_2, v4_3, v5_0 };

/// Of "MPICH Version: 4.0.2" somewhere in a text, as the library reports its version.
/// @return "4.0.2"; nothing where there is none.
[[nodiscard]] std::optional<std::string> version_in(std::string_view text);
/// @return nothing for a version whose names are not known here.
[[nodiscard]] std::optional<Series> series_of(std::string_view version);
/// The same of the version in a text.
[[nodiscard]] std::optional<Series> series_in(std::string_view text);
inline constexpr std::string_view kKnownSeries = "4.0, 4.2, 4.3 and 5.0";

/// The collectives of which an MPIR tree must have an entry each: the file replaces all of them.
[[nodiscard]] std::vector<std::string_view> all_collectives();

/// Whether a leaf's key is one of the collective's in a version; nothing: in any known version.
[[nodiscard]] bool knows_leaf(std::string_view collective, std::string_view leaf,
                              std::optional<Series> series);
/// The leaf's key of an algorithm that control variables call so; nothing where the collective has
/// none of this name.
[[nodiscard]] std::optional<std::string> find_leaf(std::string_view collective,
                                                   std::string_view name,
                                                   std::optional<Series> series);
/// "allreduce" of "algorithm=MPIR_Allreduce_intra_smp"; empty when the key isn't built like that.
[[nodiscard]] std::string collective_of_leaf(std::string_view leaf);

/// Whether the library knows how to answer a question for a collective ("avg_msg_size", "count",
/// "is_commutative", ...): asked elsewhere it aborts at the first call.
[[nodiscard]] bool can_ask(std::string_view collective, std::string_view question);

/// The sizes that a collective's thresholds are of.
enum class SizeKey {
  none,   ///< it can't be asked safely
  avg,    ///< "avg_msg_size": the bytes that MPI's count argument describes
  total,  ///< "total_msg_size": the bytes of all processes' blocks together
};
[[nodiscard]] SizeKey size_key(Collective collective, CallForm form);

/// "ring" as the leaf that runs it, with the parameters that the library otherwise takes from
/// control variables: a leaf without them runs with values left in memory.
/// @throws Error when the algorithm is none that libraries/ knows.
/// @throws UsageError when it is none of this version's, as do the next two.
[[nodiscard]] Node algorithm_leaf(const Case& what, Series series);
/// The composition that hands the caller's own communicator to the MPIR layer.
[[nodiscard]] Node flat_leaf(Collective collective, Series series);
/// The composition that was chosen itself.
[[nodiscard]] Node composition_leaf(const Case& what, Series series);

/// "ring" of "algorithm=MPIR_Allgather_intra_ring", "flat" of a flat leaf, with the parameters that
/// aren't the usual ones.
[[nodiscard]] LibraryOwn variant_in(const Node& leaf);
/// An algorithm with parameters, likewise.
/// @param value_of  a parameter's number; empty where it is not said
[[nodiscard]] LibraryOwn variant_of(
    const libraries::LibraryAlgorithm& algorithm,
    const std::function<std::string(const libraries::mpich::Parameter&)>& value_of);

/// Marks a leaf that a table chose. Below a leaf the library looks for parameters by name and
/// passes over others.
inline constexpr std::string_view kChosen = "by=breakeven";
/// Marks those whose algorithm the other file names.
inline constexpr std::string_view kFlat = "by=breakeven/flat";

/// The leaves of one collective, without those of LaterLeaf. Algorithms are parted by blanks, as
/// they stand behind the collective's name: "intra_smp"; compositions are Greek letters, "abg" for
/// alpha, beta, gamma.
struct LeafNames {
  std::string_view collective;
  std::string_view all;  ///< of all versions
  std::string_view only_4_0;
  std::string_view since_4_2;
  std::string_view compositions_4_0;
  std::string_view compositions_since_4_2;
};

/// One row for each collective of an MPIR tree.
[[nodiscard]] std::span<const LeafNames> leaf_names();

/// A leaf that came with a series after 4.2.
struct LaterLeaf {
  std::string_view key;  ///< "algorithm=MPIR_Allreduce_intra_ccl"
  Series since;
};
[[nodiscard]] std::span<const LaterLeaf> later_leaves();

}  // namespace breakeven::formats::mpich
