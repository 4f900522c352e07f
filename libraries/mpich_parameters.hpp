// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "libraries/library_algorithm.hpp"

namespace breakeven::libraries::mpich {

/// A number that one of MPICH's algorithms gets: from a control variable where a variable chooses
/// the algorithm, from the leaf where a selection tree does.
/// @see src/mpi/coll/coll_algorithms.txt, src/mpi/coll/cvars.txt and parse_container_params in
///      src/mpi/coll/src/csel_container.c at v4.2.1 and v5.0.1; of blocking collectives 4.0 has
///      none of them
struct Parameter {
  std::string_view leaf;  ///< "k"
  int usual = 0;          ///< of both, unless told otherwise
  /// "RECEXCH_KVAL", behind MPIR_CVAR_ and the collective; empty where the variable is a text,
  /// which is read at MPI_Init alone: a job keeps its value.
  std::string_view variable{};
  std::string_view param{};  ///< the algorithm's LibraryParam that says it; empty: always as usual
  /// Whether trees can say it at all: MPICH does not read every one from a leaf.
  bool read_from_leaf = true;
  std::string_view usual_word{};  ///< in place of the number since 4.3; empty: a number
};

/// Of an algorithm of MPICH's MPIR layer; empty where it gets none.
[[nodiscard]] std::span<const Parameter> parameters_of(const LibraryAlgorithm& algorithm);

/// The parameter of some algorithm of the collective whose variable's name ends so; null: none.
[[nodiscard]] const Parameter* find_parameter(Collective collective, CallForm form,
                                              std::string_view end);

/// The value that a case's algorithm gets.
/// @throws UsageError when the case's parameters can't be understood.
[[nodiscard]] int value_of(const Parameter& parameter, const Case& what);

/// "MPIR_CVAR_ALLREDUCE_RECEXCH_KVAL": a collective's variable whose name ends so;
/// "MPIR_CVAR_IALLREDUCE_RECEXCH_KVAL" of calls that are not blocking.
[[nodiscard]] std::string variable_name(Collective collective, std::string_view end,
                                        CallForm form = CallForm::blocking);

/// The values of one of MPICH's control variables that are words, in the order of their numbers,
/// from 0 on: MPI_T tells neither names nor numbers, but the variable's description lists them,
/// each before " - ", joined to what precedes it. A word that is none of `known` is empty: it
/// has a number, but nobody knows its name.
[[nodiscard]] std::vector<std::string> listed_words(std::string_view description,
                                                    std::span<const std::string_view> known);

/// How many numbers from 1 on the description of a control variable lists, each before " " and its
/// meaning, joined to the text that precedes it; behind "0 Auto".
[[nodiscard]] std::size_t listed_numbers(std::string_view description);

}  // namespace breakeven::libraries::mpich
