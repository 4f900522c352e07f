// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/launch.hpp"
#include "core/library_capabilities.hpp"
#include "harness/plan/algorithm_text.hpp"
#include "harness/plan/sweep.hpp"
#include "sim/machine.hpp"

namespace breakeven::plan {

/// Finds the candidates of each problem of a sweep: native, its mock-ups, this project's algorithms
/// and the library's own, each with the parameters worth trying, if they were requested and can
/// run.
class CandidateFinder {
 public:
  /// @throws UsageError when an algorithm was requested by a name that is unknown.
  CandidateFinder(const Sweep& sweep, MachineKind kind, const LibraryCapabilities& capabilities);

  /// The candidates of each of these problems, which are of one collective, form and p. Candidates
  /// that can't run here, and of those with equal schedules all but one, are skipped and named.
  /// @throws UsageError when an algorithm of the library's was requested by name and can't run at
  ///         any size.
  [[nodiscard]] std::vector<std::vector<Case>> find(std::span<const Case> problems,
                                                    Skips& skipped) const;

  /// @param problems  the candidates of each problem of the whole sweep
  /// @throws UsageError when an algorithm of ours was requested by name and can run none of them.
  void require_each_found(std::span<const std::vector<Case>> problems) const;

 private:
  /// The parameters with which an algorithm was requested by its own name, in order.
  [[nodiscard]] std::vector<std::string> asked_by_name(Collective collective,
                                                       const Variant& variant) const;
  /// Whether it was requested without its name, with all or with a group.
  [[nodiscard]] bool asked_as_one_of_all(Collective collective, const Variant& variant) const;
  void check(const AlgorithmWord& word) const;
  void check_library(const AlgorithmWord& word) const;
  void check_mock_up(const AlgorithmWord& word) const;
  void require_one_of(const std::vector<Case>& known, const AlgorithmWord& word,
                      std::string_view kind, std::string_view name,
                      std::vector<std::string> groups = {}) const;
  [[nodiscard]] std::vector<Case> native(const Case& problem) const;
  /// Only those that were requested, by group or by name; some need certain counts.
  [[nodiscard]] std::vector<Case> mock_ups(const Case& problem) const;
  [[nodiscard]] std::vector<Case> ours(std::span<const Case> problems, Skips& skipped) const;
  /// Why a library algorithm would not run as it is named, on the nodes that the library sees.
  [[nodiscard]] std::optional<std::string> refusal(Case what) const;
  void add_library(std::span<const Case> problems, std::vector<std::vector<Case>>& candidates,
                   Skips& skipped) const;

  const Sweep& sweep_;
  MachineKind kind_;
  const LibraryCapabilities& capabilities_;
  std::vector<sim::Machine> machines_{};  ///< that rank variants
};

}  // namespace breakeven::plan
